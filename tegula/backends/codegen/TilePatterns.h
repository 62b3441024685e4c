// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How each op is lowered, by op. The families, with what their ops have in
/// common and the file that has all of it:
///
/// - entry: KernelEntry, arguments, bound extents, requirements
/// - control: LowerControl, loops, branches, selects
/// - tensors: LowerTensors, memory of tensors that the kernel makes
/// - memory: LowerMemory, windows of tensors, loads, stores, elements
/// - shapes: LowerShapes, extents; tiles put together or apart
/// - reshape: LowerReshapeElements, tiles and tensors in other shapes
/// - elements: LowerElements, what is computed element by element
/// - reduce: LowerReduce, reductions along an axis
/// - matmul: LowerMatmul, matmuls of tiles
/// - rows: LowerSort, sort, scan, gather and scatter: routines on rows
/// - ranks: LowerRanks, programs over ranks
/// - checks: LowerChecks, what is checked, printed and asserted
///
/// Each has one function, add...Patterns, that adds its ops; the rest of a file
/// is its own. What they share is TileLowering.

#ifndef TEGULA_BACKENDS_CODEGEN_TILEPATTERNS_H
#define TEGULA_BACKENDS_CODEGEN_TILEPATTERNS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace tegula {

class TileLowering;

/// Lowers ops, each by the pattern that was added for it.
class TilePatterns {
public:
  /// The patterns of all families.
  static TilePatterns ofAllFamilies();

  /// Adds `lower(lowering, op)` for one kind of op.
  template <typename Op> void add(void (*lower)(TileLowering &, Op)) {
    addAny<Op>([lower](TileLowering &lowering, mlir::Operation *op) {
      lower(lowering, llvm::cast<Op>(op));
      return mlir::success();
    });
  }
  template <typename Op>
  void add(mlir::LogicalResult (*lower)(TileLowering &, Op)) {
    addAny<Op>([lower](TileLowering &lowering, mlir::Operation *op) {
      return lower(lowering, llvm::cast<Op>(op));
    });
  }
  /// The same for an op that makes a tile: its extents are known, and it is not
  /// asked for what is in memory already.
  template <typename Op> void addTile(void (*lower)(TileLowering &, Op)) {
    addAny<Op>([lower](TileLowering &lowering, mlir::Operation *op) {
      if (beginTile(lowering, *op))
        lower(lowering, llvm::cast<Op>(op));
      return mlir::success();
    });
  }

  /// Lowers the op by its pattern; failure, with an error, if there is none.
  mlir::LogicalResult lower(TileLowering &lowering, mlir::Operation &op) const;

  /// True if ops of the `pl` dialect of this name are lowered.
  bool lowers(mlir::OperationName name) const;

private:
  using Pattern =
      std::function<mlir::LogicalResult(TileLowering &, mlir::Operation *)>;

  template <typename Op> void addAny(Pattern pattern) {
    patterns[mlir::TypeID::get<Op>()] = std::move(pattern);
  }
  static bool beginTile(TileLowering &lowering, mlir::Operation &op);

  llvm::DenseMap<mlir::TypeID, Pattern> patterns;
};

void addEntryPatterns(TilePatterns &patterns);
void addControlPatterns(TilePatterns &patterns);
void addTensorPatterns(TilePatterns &patterns);
void addMemoryPatterns(TilePatterns &patterns);
void addShapePatterns(TilePatterns &patterns);
void addReshapeElementsPatterns(TilePatterns &patterns);
void addElementPatterns(TilePatterns &patterns);
void addReducePatterns(TilePatterns &patterns);
void addMatmulPatterns(TilePatterns &patterns);
void addRowPatterns(TilePatterns &patterns);
void addRankPatterns(TilePatterns &patterns);
void addCheckPatterns(TilePatterns &patterns);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_TILEPATTERNS_H
