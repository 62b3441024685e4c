// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/MemoryAccess.h"

#include "tegula/ir/PlIndexOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tegula;

Value tegula::rootOfView(Value view) {
  while (auto slice = view.getDefiningOp<pl::SliceOp>())
    view = slice.getSource();
  if (view.getDefiningOp<pl::CreateTensorOp>())
    return view;
  auto argument = dyn_cast<BlockArgument>(view);
  if (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return view;
  return {};
}

/// A root that is not known may be any.
static bool mayBeSame(Value root, Value other) {
  return !root || !other || root == other;
}

bool tegula::mayShareMemory(Value view, Value other) {
  return mayBeSame(rootOfView(view), rootOfView(other));
}

bool tegula::mayWrite(Operation *op, Value root) {
  WalkResult result = op->walk([&](Operation *inner) {
    bool writes = false;
    if (auto store = dyn_cast<pl::StoreOp>(inner))
      writes = mayBeSame(rootOfView(store.getTarget()), root);
    else if (auto write = dyn_cast<pl::WriteOp>(inner))
      writes = mayBeSame(rootOfView(write.getTarget()), root);
    else if (auto scatter = dyn_cast<pl::ScatterStoreOp>(inner))
      writes = mayBeSame(rootOfView(scatter.getTarget()), root);
    else
      writes = isa<CallOpInterface>(inner);
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool tegula::mayBeWrittenBetween(Operation *from, Operation *to, Value root) {
  // Climb from `to` to the block of `from`. A region left on the way may be a
  // loop, so everything in it counts, wherever it stands.
  Operation *ancestor = to;
  while (ancestor->getBlock() != from->getBlock()) {
    ancestor = ancestor->getParentOp();
    assert(ancestor && "the first op must dominate the second");
    if (mayWrite(ancestor, root))
      return true;
  }
  for (Operation *op = from->getNextNode(); op && op != ancestor;
       op = op->getNextNode())
    if (mayWrite(op, root))
      return true;
  return false;
}
