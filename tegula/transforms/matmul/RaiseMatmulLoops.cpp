// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the tiles of a matmul -> one op.

#include "tegula/transforms/Passes.h"
#include "tegula/transforms/matmul/AccumulatorBlocks.h"
#include "tegula/transforms/matmul/MatmulTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tegula {
#define GEN_PASS_DEF_RAISEMATMULLOOPS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

static bool isMultipliedWhole(const MatmulLoops &found, Type accumulator) {
  return isMultipliedWhole(getSignlessElement(found.lhs),
                           getSignlessElement(found.rhs), accumulator);
}

namespace {

struct RaiseMatmulLoopsPass
    : tegula::impl::RaiseMatmulLoopsBase<RaiseMatmulLoopsPass> {
  using RaiseMatmulLoopsBase::RaiseMatmulLoopsBase;

  void runOnOperation() override {
    if (wholeAccumulators)
      return raiseAccumulators();
    llvm::DenseSet<Operation *> gone;
    for (pl::MatmulOp matmul : findMatmuls())
      if (!gone.contains(matmul))
        raise(matmul, gone);
    llvm::MapVector<Operation *, SmallVector<MatmulLoops, 1>> withEpilogue;
    for (pl::MatmulOp matmul : findMatmuls()) {
      std::optional<MatmulLoops> found = MatmulLoops::findWithEpilogue(matmul);
      // Blocks are of rows.
      bool isByRow =
          found && (!found->rowLoop || found->rowLoop == found->root);
      if (isByRow &&
          isMultipliedWhole(*found, getSignlessElement(matmul.getResult())))
        withEpilogue[found->root].push_back(*found);
    }
    for (auto &[root, matmuls] : withEpilogue)
      emitAccumulatorBlocks(matmuls,
                            BlockSizes{accumulatorElements, accumulatorRows});
  }

private:
  /// Each is looked for when those before are gone.
  void raiseAccumulators() {
    llvm::DenseSet<Operation *> gone;
    for (pl::MatmulOp matmul : findMatmuls()) {
      if (gone.contains(matmul))
        continue;
      if (std::optional<MatmulLoops> found = MatmulLoops::findAny(matmul)) {
        found->last->walk([&](pl::MatmulOp inside) { gone.insert(inside); });
        emitAccumulatorBlocks(*found, std::nullopt);
      }
    }
  }

  SmallVector<pl::MatmulOp> findMatmuls() {
    SmallVector<pl::MatmulOp> matmuls;
    getOperation().walk(
        [&](pl::MatmulOp matmul) { matmuls.push_back(matmul); });
    return matmuls;
  }

  static void raise(pl::MatmulOp matmul, llvm::DenseSet<Operation *> &gone) {
    std::optional<MatmulLoops> found = MatmulLoops::find(matmul);
    if (!found ||
        !isMultipliedWhole(*found, getSignlessElement(matmul.getResult())))
      return;
    OpBuilder builder(found->root);
    found->epilogue->emit(builder, matmul, found->lhs, found->rhs,
                          found->target);
    found->root->walk([&](pl::MatmulOp inside) { gone.insert(inside); });
    found->root->erase();
  }
};

} // namespace
