// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/object/ReduceStrength.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"

using namespace llvm;
using namespace tegula;

/// What a plain loop may have: pointers that stay in registers besides its
/// counters, and offsets that are a multiple of a stride.
static constexpr unsigned mostPointers = 5, mostMultiples = 1;

/// True for a product with what is not known before the call.
static bool isMultiple(const Instruction &instruction) {
  return instruction.getOpcode() == Instruction::Mul &&
         instruction.getType()->isIntegerTy(64) &&
         !isa<ConstantInt>(instruction.getOperand(1));
}

static bool isPlain(const BasicBlock &loop) {
  SmallPtrSet<const Value *, 8> pointers;
  for (const Instruction &instruction : loop)
    if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
      pointers.insert(gep->getPointerOperand());
  return pointers.size() <= mostPointers &&
         count_if(loop, isMultiple) <= mostMultiples;
}

PreservedAnalyses ReduceStrength::run(Function &function,
                                      FunctionAnalysisManager &analyses) {
  // Inner loops are blocks that follow themselves.
  if (all_of(function, [](const BasicBlock &block) {
        return !is_contained(successors(&block), &block) || isPlain(block);
      }))
    return PreservedAnalyses::all();
  return createFunctionToLoopPassAdaptor(LoopStrengthReducePass())
      .run(function, analyses);
}
