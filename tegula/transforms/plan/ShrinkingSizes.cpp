// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/ShrinkingSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Finds numbers that do not grow from one iteration to the next, whichever of
/// the parallel loops around takes the iteration. One of them may be gone by
/// the time the memory is taken: a loop of one iteration is its body, and what
/// was the same in all its iterations changes with those of the loop around it.
class ShrinkingNumbers {
public:
  explicit ShrinkingNumbers(pl::ParallelOp outermost) : outermost(outermost) {}

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

  /// The same in every iteration of all the loops.
  bool isFixed(Value number) {
    return !outermost.getBody().isAncestor(number.getParentRegion()) ||
           isa_and_nonnull<arith::ConstantOp>(number.getDefiningOp());
  }

  /// A variable that only grows, and is at least 0: in each iteration of the
  /// loops around, its loop begins at the same number.
  bool isGrowingVariable(Value number) {
    auto argument = dyn_cast<BlockArgument>(number);
    auto loop =
        argument ? dyn_cast<pl::ParallelOp>(argument.getOwner()->getParentOp())
                 : pl::ParallelOp();
    return loop && isPositive(loop.getLower()) && isFixed(loop.getLower());
  }

  bool find(Value number) {
    if (isFixed(number))
      return true;
    Operation *op = number.getDefiningOp();
    if (isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(op))
      return contain(op->getOperand(0)) && contain(op->getOperand(1));
    // A difference of numbers that are not negative never wraps around.
    auto left = dyn_cast_or_null<arith::SubIOp>(op);
    return left && isGrowingVariable(left.getRhs()) &&
           isPositive(left.getLhs()) && contain(left.getLhs());
  }

  pl::ParallelOp outermost;
  DenseMap<Value, bool> answers;
};

} // namespace

bool tegula::shrinksOverIterations(pl::CreateTensorOp op) {
  pl::ParallelOp outermost;
  for (Operation *around = op->getParentOp(); around;
       around = around->getParentOp())
    if (auto loop = dyn_cast<pl::ParallelOp>(around))
      outermost = loop;
  if (!outermost)
    return false;
  ShrinkingNumbers shrinking(outermost);
  return llvm::all_of(op.getSizes(),
                      [&](Value size) { return shrinking.contain(size); });
}
