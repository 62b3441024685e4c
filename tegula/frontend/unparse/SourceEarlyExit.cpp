// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `while` loops with a `break`: the front end carries a flag around them.
#include "tegula/frontend/unparse/SourcePlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace mlir;

/// True if a block gives a constant and does nothing else.
static bool isBare(Block *block) {
  return block && llvm::all_of(*block, [](Operation &op) {
           return op.hasTrait<OpTrait::ConstantLike>() ||
                  op.hasTrait<OpTrait::IsTerminator>();
         });
}

/// A branch that does nothing but turn its condition into a boolean is the
/// condition.
static Value conditionOf(Value value) {
  while (auto choice = value.getDefiningOp<scf::IfOp>()) {
    bool isCondition =
        choice.getNumResults() == 1 && isBare(choice.thenBlock()) &&
        isBare(choice.elseBlock()) &&
        matchPattern(choice.thenYield().getOperand(0), m_One()) &&
        matchPattern(choice.elseYield().getOperand(0), m_Zero());
    if (!isCondition)
      break;
    value = choice.getCondition();
  }
  return value;
}

std::optional<EarlyExit> tegula::earlyExitOf(scf::WhileOp loop) {
  Value test = loop.getConditionOp().getCondition();
  auto choice = test.getDefiningOp<scf::IfOp>();
  auto flag =
      choice ? dyn_cast<BlockArgument>(choice.getCondition()) : BlockArgument();
  if (!flag || choice->getBlock() != loop.getBeforeBody() ||
      flag.getOwner() != loop.getBeforeBody() || choice.getNumResults() != 1 ||
      !matchPattern(choice.elseYield().getOperand(0), m_Zero()))
    return std::nullopt;
  unsigned position = flag.getArgNumber();
  auto next =
      loop.getYieldOp().getOperand(position).getDefiningOp<arith::XOrIOp>();
  if (!next || !matchPattern(next.getRhs(), m_One()) ||
      !matchPattern(loop.getInits()[position], m_One()))
    return std::nullopt;
  // Nobody else may look at the flag.
  for (auto [result, value] : llvm::enumerate(loop.getConditionOp().getArgs()))
    if (value == flag && (!loop.getAfterArguments()[result].use_empty() ||
                          !loop.getResult(result).use_empty()))
      return std::nullopt;
  return EarlyExit{position, choice, choice.thenYield().getOperand(0),
                   conditionOf(next.getLhs())};
}
