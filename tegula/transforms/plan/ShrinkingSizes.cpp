// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/ShrinkingSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Finds numbers that do not grow from one turn of a loop to the next.
class ShrinkingNumbers {
public:
  explicit ShrinkingNumbers(pl::ParallelOp loop) : loop(loop) {}

  bool contain(Value number) {
    auto [known, isNew] = answers.try_emplace(number, false);
    if (!isNew)
      return known->second;
    bool answer = find(number);
    answers[number] = answer;
    return answer;
  }

private:
  /// An extent, or a number that is at least 0.
  static bool isPositive(Value number) {
    IntegerAttr constant;
    return isa_and_nonnull<pl::BindOp, pl::DimOp>(number.getDefiningOp()) ||
           (matchPattern(number, m_Constant(&constant)) &&
            constant.getInt() >= 0);
  }

  bool find(Value number) {
    if (!loop.getBody().isAncestor(number.getParentRegion()))
      return true;
    Operation *op = number.getDefiningOp();
    if (isa_and_nonnull<arith::ConstantOp>(op))
      return true;
    if (isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(op))
      return contain(op->getOperand(0)) && contain(op->getOperand(1));
    // A difference of numbers that are not negative never wraps around.
    auto left = dyn_cast_or_null<arith::SubIOp>(op);
    return left && left.getRhs() == loop.getInductionVar() &&
           isPositive(loop.getLower()) && isPositive(left.getLhs()) &&
           contain(left.getLhs());
  }

  pl::ParallelOp loop;
  DenseMap<Value, bool> answers;
};

} // namespace

bool tegula::shrinksOverTurns(pl::CreateTensorOp op) {
  auto loop = op->getParentOfType<pl::ParallelOp>();
  if (!loop)
    return false;
  ShrinkingNumbers shrinking(loop);
  return llvm::all_of(op.getSizes(),
                      [&](Value size) { return shrinking.contain(size); });
}
