// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A tree of virtual tiles becomes the body of one linalg.generic; the tiles
/// in memory at its leaves become the inputs.

#ifndef TEGULA_BACKENDS_CODEGEN_TILEEXPRESSION_H
#define TEGULA_BACKENDS_CODEGEN_TILEEXPRESSION_H

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <map>
#include <set>
#include <vector>

namespace tegula {

class TileLowering;

/// Which loop iterates over each axis of a tile; -1 for an axis fixed at 0.
using LoopOfAxis = llvm::SmallVector<int, 4>;

/// One loop per axis of the result that is not known to have extent 1.
///
/// Example: `x + broadcast(m)` with x: [8, 128], m: [8, 1] iterates over loops
/// 0 and 1; x is read with axes {0, 1}, m with {0, -1}, that is, as a vector of
/// 8.
class TileExpression {
public:
  TileExpression(TileLowering &lowering, mlir::Location loc,
                 llvm::ArrayRef<mlir::OpFoldResult> extents);

  const LoopOfAxis &getLoops() const { return loopOfAxis; }
  unsigned getNumLoops() const { return loopExtents.size(); }

  /// From here on leaves are read many times inside the loop over vectors.
  void readAcross() { readsAcross = true; }

  /// From here on what the next iteration reads of leaves is prefetched, where
  /// it comes out of cache: there is time for it.
  void prefetchNext() { prefetchesNext = true; }

  /// Adds the tile to what is computed. Copies leaves that are traversed across
  /// their rows, where these are not contiguous.
  void addOperand(mlir::Value tile) { addOperand(tile, loopOfAxis); }

  /// Adds memory that is read as it is; its element is the body's first
  /// argument if nothing else was added before.
  void addMemory(const View &view);

  /// The view as the loops iterate over it; axes fixed at 0 are left out.
  View along(const View &view, llvm::ArrayRef<int> loops,
             llvm::SmallVectorImpl<unsigned> &loopsKept) const;

  /// Emits the loops. `makeElement` gets the body's builder and its last
  /// argument (the element before) and returns what to store; it asks for
  /// elements of operands by elementOf.
  void emit(const View &target, llvm::ArrayRef<int> targetLoops,
            llvm::ArrayRef<mlir::utils::IteratorType> kinds,
            llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)>
                makeElement);

  /// Emits loops that compute every element of the target on its own.
  void emitParallel(const View &target,
                    llvm::function_ref<mlir::Value(mlir::OpBuilder &)> element);

  /// The element of an operand in the body, in the tile's element type.
  mlir::Value elementOf(mlir::OpBuilder &body, mlir::Value tile) {
    return elementOf(body, tile, loopOfAxis);
  }

private:
  /// A tile and how the loops iterate over it.
  using Key = std::pair<const void *, std::vector<int>>;
  static Key keyOf(mlir::Value tile, llvm::ArrayRef<int> loops) {
    return {tile.getAsOpaquePointer(), loops.vec()};
  }

  void addOperand(mlir::Value tile, const LoopOfAxis &loops);
  void addLeaf(mlir::Value tile, const View &view, const LoopOfAxis &loops);
  mlir::Value elementOf(mlir::OpBuilder &body, mlir::Value tile,
                        const LoopOfAxis &loops);
  mlir::Value computeElement(mlir::OpBuilder &body, mlir::Operation *op,
                             const LoopOfAxis &loops);
  /// An i1: whether what is read after the tile is prefetched. Null if never.
  mlir::Value isNextPrefetched(mlir::Value tile);
  void addShapeOperand(const View &target);
  mlir::Value rampElement(mlir::OpBuilder &body, pl::ArangeOp arange,
                          const LoopOfAxis &loops);

  TileLowering &lowering;
  mlir::Location loc;
  Indices loopExtents;
  LoopOfAxis loopOfAxis;
  bool readsAcross = false, prefetchesNext = false;
  std::set<Key> visited;
  std::map<Key, unsigned> leaves;
  std::map<Key, mlir::Value> elements;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::AffineMap> maps;
};

/// Computes the first `extents` elements of the tile into the view.
void evaluateInto(TileLowering &lowering, mlir::Value tile, View target,
                  Indices extents, mlir::Location loc);
/// Fills the view with a scalar.
void fill(TileLowering &lowering, View target, mlir::Value number,
          bool isSigned, mlir::Location loc);
/// Copies between views of one shape with unit inner strides.
void copyElements(TileLowering &lowering, const View &from, const View &to,
                  mlir::Location loc);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_TILEEXPRESSION_H
