// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_MAKESCRATCHPRIVATE
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The innermost loop around all uses of a tensor that is made outside of it;
/// null if there is none.
static pl::ParallelOp findLoop(pl::CreateTensorOp created) {
  Operation *around = nullptr;
  for (Operation *user : created->getUsers()) {
    if (!around)
      around = user->getParentOp();
    while (!around->isProperAncestor(user))
      around = around->getParentOp();
  }
  while (around && !isa<pl::ParallelOp, func::FuncOp>(around))
    around = around->getParentOp();
  auto loop = dyn_cast_or_null<pl::ParallelOp>(around);
  return loop && !loop->isProperAncestor(created) ? loop : pl::ParallelOp();
}

/// The op in the loop's body that the first use is, or is in.
static Operation *findFirstUse(pl::CreateTensorOp created,
                               pl::ParallelOp loop) {
  Operation *first = nullptr;
  for (Operation *user : created->getUsers()) {
    Operation *op = loop.getBody().findAncestorOpInRegion(*user);
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  return first;
}

/// True if the store writes all of the tensor, whatever the sizes are.
static bool fills(pl::StoreOp store, pl::CreateTensorOp created) {
  if (store.getTarget() != created.getResult())
    return false;
  pl::ExtentProver prover(store);
  pl::ExtentTerms &terms = prover.getTerms();
  auto axes = llvm::seq<unsigned>(0, created.getType().getRank());
  return llvm::all_of(axes, [&](unsigned axis) {
    return prover.isAtMost(terms.ofExtent(created, axis),
                           terms.ofExtent(store.getTile(), axis));
  });
}

namespace {

struct MakeScratchPrivatePass
    : tegula::impl::MakeScratchPrivateBase<MakeScratchPrivatePass> {
  void runOnOperation() override {
    getOperation().walk([&](pl::CreateTensorOp created) {
      pl::ParallelOp loop = findLoop(created);
      // Blocks and lanes may wait for what others of them wrote.
      if (!loop || loop.getKind() != pl::LoopKind::AnyOrder)
        return;
      auto store = dyn_cast<pl::StoreOp>(findFirstUse(created, loop));
      if (store && fills(store, created))
        created->moveBefore(store);
    });
  }
};

} // namespace
