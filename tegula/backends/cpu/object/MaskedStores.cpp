// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/object/MaskedStores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The lanes that a mask lets pass; nothing if that is not known.
static std::optional<SmallVector<unsigned>> lanesOf(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  if (!constant || !type)
    return std::nullopt;
  SmallVector<unsigned> lanes;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    auto *bit =
        dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(lane));
    if (!bit)
      return std::nullopt;
    if (bit->isOne())
      lanes.push_back(lane);
  }
  return lanes;
}

static void storeSingleLanes(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
      continue;
    std::optional<SmallVector<unsigned>> lanes =
        lanesOf(store->getArgOperand(store->arg_size() - 1));
    if (!lanes || lanes->size() > 1)
      continue;
    if (!lanes->empty()) {
      IRBuilder<> builder(store);
      Value *values = store->getArgOperand(0);
      Type *element = values->getType()->getScalarType();
      Value *address = builder.CreateConstGEP1_64(
          element, store->getArgOperand(1), lanes->front());
      uint64_t bytes = element->getPrimitiveSizeInBits() / 8;
      builder.CreateAlignedStore(
          builder.CreateExtractElement(values, lanes->front()), address,
          commonAlignment(store->getParamAlign(1).valueOrOne(),
                          bytes * lanes->front()));
    }
    store->eraseFromParent();
  }
}

void tegula::storeSingleLanes(Module &module) {
  for (Function &function : module)
    ::storeSingleLanes(function);
}
