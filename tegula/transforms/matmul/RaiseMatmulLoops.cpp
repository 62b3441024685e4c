// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the tiles of a matmul -> one op.

#include "tegula/transforms/Passes.h"
#include "tegula/transforms/matmul/AccumulatorBlocks.h"
#include "tegula/transforms/matmul/MatmulTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
    for (pl::MatmulOp matmul : findMatmuls())
      raise(matmul);
    llvm::MapVector<Operation *, SmallVector<MatmulLoops>> withEpilogue;
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
      emitAccumulatorBlocks(matmuls, {accumulatorElements, accumulatorRows});
  }

private:
  SmallVector<pl::MatmulOp> findMatmuls() {
    SmallVector<pl::MatmulOp> matmuls;
    getOperation().walk(
        [&](pl::MatmulOp matmul) { matmuls.push_back(matmul); });
    return matmuls;
  }

  static void raise(pl::MatmulOp matmul) {
    std::optional<MatmulLoops> found = MatmulLoops::find(matmul);
    if (!found || !isMultipliedWhole(*found, getSignlessElement(found->target)))
      return;
    OpBuilder builder(found->root);
    emitMatmulInto(builder, *found, found->lhs, found->target);
    found->root->erase();
  }
};

} // namespace
