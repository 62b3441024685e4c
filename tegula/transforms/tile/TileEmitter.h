// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Computes a bounded window of a tensor-level value by computing the windows
/// of what it depends on. Used by TileTensorOps; decides no loops but those of
/// reductions over an unbounded axis.
///
/// Example: the window (i, 16) x (j, 512) of `exp(x - broadcast(max(x)))` is
/// `exp(load x[i:i+16, j:j+512] - broadcast(m))`, where m is the window (i, 16)
/// x (0, 1) of max(x). That one does not depend on j, so it is computed before
/// the loop over j is opened, itself by a loop over the columns of x.

#ifndef TEGULA_TRANSFORMS_TILE_TILEEMITTER_H
#define TEGULA_TRANSFORMS_TILE_TILEEMITTER_H

#include "tegula/transforms/tile/CutTiles.h"

#include <map>
#include <set>
#include <vector>

namespace tegula {

/// One axis of a window: `bound` elements from `offset` on.
struct AxisWindow {
  mlir::Value offset;
  int64_t bound;
  /// The loop that gives the offset is not open yet.
  bool isPending = false;
  /// How many elements, no more than `bound`, if that is known at run time
  /// only.
  mlir::Value length = nullptr;
};
using Window = llvm::SmallVector<AxisWindow, 4>;

/// How long the steps are in which an unbounded axis is summed.
struct StepSizes {
  /// Of a reduction.
  int64_t reduction;
  /// Of a matmul.
  int64_t matmul;
  /// How many elements a window has that is reduced; 0 if only large ones are
  /// smaller.
  int64_t elements = 0;
};

/// Sets the result type that follows from the operands as they are now; null,
/// and an error, if they do not fit.
mlir::Value retype(mlir::Operation *op);

/// Emits windows of tiles that are cut at the insertion point of a builder.
class TileEmitter {
public:
  TileEmitter(mlir::OpBuilder &builder, mlir::Value zero, StepSizes steps,
              const CutTiles &cut)
      : builder(builder), zero(zero), steps(steps), cut(cut), memo(1) {}

  /// The window that covers all of a bounded tile.
  Window whole(mlir::Value tile);

  /// Computes the window of `value`; null, after an error, if the op that makes
  /// it cannot be computed by windows.
  mlir::Value emit(mlir::Value value, const Window &window);

  /// Computes the window of the result of `op`, whatever its type.
  mlir::Value emitOp(mlir::Operation *op, const Window &window);

  /// Computes everything `value` needs that does not depend on pending axes.
  /// Call it before the loop over a pending axis is opened.
  llvm::LogicalResult prepare(mlir::Value value, const Window &window);

  /// From here on columns whose ops take no longer than reading an element
  /// are computed where they are used, so that nothing stands between loops and
  /// their iterations are shared.
  void leaveQuickColumns(int64_t readCost) { mostOfQuick = readCost; }

  /// Computes everything a window of the reduction needs that does not depend
  /// on the step it is in. Call it before a loop over some of them is opened.
  llvm::LogicalResult prepareSteps(pl::ReduceOp reduce, const Window &window) {
    return prepare(reduce.getSource(),
                   operandsOf(reduce, window)->front().second);
  }
  /// How long these steps are.
  int64_t stepOf(pl::ReduceOp reduce, const Window &window) {
    return operandsOf(reduce, window)->front().second[reduce.getAxis()].bound;
  }
  /// From one place along an axis to another, by whole steps or to its end.
  struct StepRange {
    mlir::Value from, to;
  };
  /// Computes the window of what a part of an axis that has no bound comes to.
  mlir::Value emitReduce(pl::ReduceOp reduce, const Window &window,
                         StepRange range);

  /// What is emitted between the two stays inside a loop body.
  void enterLoop() {
    memo.emplace_back();
    prepared.clear();
  }
  void leaveLoop() {
    memo.pop_back();
    prepared.clear();
  }

private:
  using Operands = llvm::SmallVector<std::pair<mlir::Value, Window>, 3>;
  using Key = std::pair<void *, std::vector<std::pair<void *, int64_t>>>;

  static Key keyOf(mlir::Value value, const Window &window);

  /// The tile operands of the op that makes `value`, each with the window of it
  /// that `window` needs. Fails if the op is not one that works by windows.
  mlir::FailureOr<Operands> operandsOf(mlir::Operation *op,
                                       const Window &window);
  Operands operandsOfMatmul(pl::MatmulOp matmul, const Window &window);
  Window fit(mlir::Value operand, llvm::ArrayRef<AxisWindow> window);

  mlir::Value emitUncached(mlir::Value value, const Window &window);
  mlir::Value narrow(mlir::Value tile, const Window &window);
  mlir::Value emitLoad(pl::LoadOp load, const Window &window);
  mlir::Value emitClone(mlir::Operation *op, const Window &window);
  mlir::Value emitReshape(pl::ReshapeOp reshape, mlir::Value part,
                          const Window &window);
  mlir::Value emitArange(pl::ArangeOp arange, const Window &window);
  mlir::Value emitReduce(pl::ReduceOp reduce, const Window &window);
  mlir::Value emitMatmul(pl::MatmulOp matmul, const Window &window);
  mlir::Value emitWindow(pl::WindowOp op, const Window &window);
  mlir::Value initialAcc(pl::MatmulOp matmul, mlir::Value acc,
                         const Window &window);

  /// A loop over a range in steps, which carries `init`.
  mlir::Value emitSteps(
      mlir::Location loc, StepRange range, int64_t step, mlir::Value init,
      llvm::function_ref<mlir::Value(mlir::Value offset, mlir::Value carried)>
          body);

  mlir::Value index(mlir::Location loc, int64_t value);
  mlir::Value lengthOf(mlir::Location loc, const AxisWindow &axis) {
    return axis.length ? axis.length : index(loc, axis.bound);
  }
  bool isWhole(pl::Dim dim, const AxisWindow &axis) const;
  pl::TileType partType(mlir::Value value, const Window &window,
                        mlir::ValueRange sizes, mlir::Type element);
  llvm::SmallVector<mlir::Value> sizesOf(mlir::Value value,
                                         const Window &window);
  mlir::Value fullPart(mlir::Value like, const Window &window,
                       mlir::Value number);

  /// True if one column is loaded and little is made of it.
  bool isQuickColumn(mlir::Value value, const Window &window);

  mlir::OpBuilder &builder;
  mlir::Value zero;
  StepSizes steps;
  const CutTiles &cut;
  /// What was emitted, by loop.
  std::vector<std::map<Key, mlir::Value>> memo;
  /// What was prepared since the last loop was opened or closed.
  std::set<Key> prepared;
  /// What an op of a column costs at most that is left where it is used; 0 if
  /// none is.
  int64_t mostOfQuick = 0;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_TILE_TILEEMITTER_H
