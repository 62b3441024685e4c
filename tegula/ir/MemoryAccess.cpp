// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/MemoryAccess.h"

#include "tegula/ir/ops/PlRankOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tegula;

Value tegula::rootOfView(Value view) {
  while (auto viewLike = view.getDefiningOp<ViewLikeOpInterface>())
    view = viewLike.getViewSource();
  if (isa_and_present<pl::CreateTensorOp, pl::AllocWindowOp>(
          view.getDefiningOp()))
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

/// What an op says of its effects of some kinds; ops with regions are judged by
/// what is in them.
template <typename... Kinds> static bool affects(Operation *op, Value root) {
  if (isa<CallOpInterface>(op))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [&](const auto &instance) {
    if (!isa<Kinds...>(instance.getEffect()))
      return false;
    Value memory = instance.getValue();
    return !memory || mayBeSame(rootOfView(memory), root);
  });
}

static bool isAnyInside(Operation *op, function_ref<bool(Operation *)> holds) {
  WalkResult result = op->walk([&](Operation *inner) {
    return holds(inner) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool tegula::mayWrite(Operation *op, Value root) {
  return isAnyInside(op, [&](Operation *inner) {
    return affects<MemoryEffects::Write>(inner, root);
  });
}

bool tegula::mayTouch(Operation *op, Value root) {
  return isAnyInside(op, [&](Operation *inner) {
    bool isSilent =
        inner->getNumRegions() == 0 && !isa<MemoryEffectOpInterface>(inner);
    return isSilent ||
           affects<MemoryEffects::Read, MemoryEffects::Write>(inner, root);
  });
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
