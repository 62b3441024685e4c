// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/parallel/InPlaceReductions.h"

#include "tegula/ir/ops/attributes/AtomicAttribute.h"

using namespace mlir;
using namespace tegula;

/// True if both name the same elements.
static bool areSameElements(Operation *read, Operation *write) {
  if (auto load = dyn_cast<pl::LoadOp>(read)) {
    auto store = dyn_cast<pl::StoreOp>(write);
    return store && store.getTarget() == load.getSource();
  }
  auto element = dyn_cast<pl::ReadOp>(read);
  auto put = dyn_cast<pl::WriteOp>(write);
  return element && put && put.getTarget() == element.getSource() &&
         put.getIndices() == element.getIndices();
}

/// Neither loops nor writes to other memory.
static bool isShortBetween(Operation *first, Operation *last) {
  for (Operation *op = first->getNextNode(); op != last;
       op = op->getNextNode()) {
    if (!op)
      return false;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (op->getNumRegions() != 0 ||
        !(isMemoryEffectFree(op) ||
          (effects && effects.onlyHasEffect<MemoryEffects::Read>())))
      return false;
  }
  return true;
}

/// load -> add -> store, and nobody else sees what was loaded.
static Operation *findWrite(Operation *read) {
  if (!read->hasAttr(pl::atomicAttrName) || !isa<pl::LoadOp, pl::ReadOp>(read))
    return nullptr;
  Value old = read->getResult(0);
  auto sum = old.hasOneUse() ? dyn_cast<pl::AddOp>(*old.user_begin()) : nullptr;
  if (!sum || !sum.getResult().hasOneUse())
    return nullptr;
  Operation *write = *sum.getResult().user_begin();
  bool isOne = write->hasAttr(pl::atomicAttrName) &&
               write->getBlock() == read->getBlock() &&
               write->getOperand(0) == sum.getResult() &&
               areSameElements(read, write) && isShortBetween(read, write);
  return isOne ? write : nullptr;
}

Operation *tegula::findOtherHalf(Operation *op) {
  if (isa<pl::LoadOp, pl::ReadOp>(op))
    return findWrite(op);
  if (!op->hasAttr(pl::atomicAttrName) || !isa<pl::StoreOp, pl::WriteOp>(op))
    return nullptr;
  auto sum = op->getOperand(0).getDefiningOp<pl::AddOp>();
  if (!sum)
    return nullptr;
  for (Value operand : sum->getOperands())
    if (Operation *read = operand.getDefiningOp())
      if (isa<pl::LoadOp, pl::ReadOp>(read) && findWrite(read) == op)
        return read;
  return nullptr;
}
