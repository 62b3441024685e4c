// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/IndexRange.h"

#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/extents/LinearForm.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula::pl;

namespace {

using Bound = std::optional<int64_t>;

/// Finds the greatest value of a sum: the sum of the greatest values of its
/// terms, or less where terms cancel whatever they are, as in min(i + 8, M) -
/// i. To see that, what bounds a term is put in its place, one after the other.
class GreatestSum {
public:
  Bound of(LinearForm sum);

private:
  Bound ofTerm(Value term, int64_t factor);
  Bound ofEachTerm(const LinearForm &sum);
  Bound substitute(const LinearForm &sum, Value term, int64_t factor);
  Bound replaced(LinearForm sum, Value term, int64_t factor,
                 const LinearForm &by);
  Bound replaced(const LinearForm &sum, Value term, int64_t factor, Value by) {
    return replaced(sum, term, factor, LinearForm::of(by));
  }
  Bound bounded(const LinearForm &sum, Value term, int64_t factor, Bound bound);
  Bound ofQuotient(const LinearForm &sum, Value term, int64_t factor,
                   Value dividend, Value divisor, bool isCeil);
  Bound ofArgument(const LinearForm &sum, BlockArgument term, int64_t factor);
  Bound ofSymbol(const LinearForm &sum, BindOp bind, int64_t factor);
  Bound ofDivision(const LinearForm &sum, Operation *op, int64_t factor);
  Bound ofProduct(const LinearForm &sum, Operation *op, int64_t factor);
  Bound leastOf(Value value);
  bool isNonNegative(Value value) { return leastOf(value).value_or(-1) >= 0; }

  /// The greatest values of terms alone, by term and factor.
  llvm::DenseMap<std::pair<Value, int64_t>, Bound> known;
  /// More steps than this are not taken: the question is asked all the time.
  /// Terms alone are known after one step each, sums have no end.
  unsigned stepsLeft = 128, termsLeft = 512;
};

} // namespace

/// The lesser of two bounds of which either is right.
static Bound eitherOf(Bound lhs, Bound rhs) {
  return lhs && rhs ? std::min(*lhs, *rhs) : lhs ? lhs : rhs;
}

/// The greater of two bounds of which one is right.
static Bound bothOf(Bound lhs, Bound rhs) {
  return lhs && rhs ? Bound(std::max(*lhs, *rhs)) : std::nullopt;
}

static Bound negated(Bound bound) {
  return bound && *bound != INT64_MIN ? Bound(-*bound) : std::nullopt;
}

static Bound constantOf(Value value) {
  llvm::APInt number;
  if (value && matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

/// True if a value should be replaced before the other one, which it is made
/// from or made inside the block of.
static bool goesFirst(Value value, Value other) {
  if (value.getParentBlock() != other.getParentBlock()) {
    // What is made on trial lies in a block of no region.
    Region *region = other.getParentRegion();
    return region && (!value.getParentRegion() ||
                      region->isProperAncestor(value.getParentRegion()));
  }
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::ArithDialect>(op->getDialect()))
    return false;
  Operation *than = other.getDefiningOp();
  if (!than || !isa<arith::ArithDialect>(than->getDialect()))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return LinearForm::of(operand).coefficientOf(other) != 0;
  });
}

Bound GreatestSum::of(LinearForm sum) {
  if (!sum.isKnown())
    return std::nullopt;
  if (sum.terms.empty())
    return sum.constant;
  Bound apart = ofEachTerm(sum);
  if (sum.terms.size() == 1 || stepsLeft == 0)
    return apart;
  --stepsLeft;
  // What it is made of may cancel with the others.
  auto [term, factor] = *sum.terms.begin();
  for (auto [other, otherFactor] : sum.terms)
    if (goesFirst(other, term))
      std::tie(term, factor) = std::pair(other, otherFactor);
  return eitherOf(apart, substitute(sum, term, factor));
}

Bound GreatestSum::ofTerm(Value term, int64_t factor) {
  if (auto found = known.find({term, factor}); found != known.end())
    return found->second;
  if (termsLeft == 0)
    return std::nullopt;
  --termsLeft;
  LinearForm alone;
  alone.terms[term] = factor;
  Bound most = substitute(alone, term, factor);
  return known[{term, factor}] = most;
}

/// What the terms come to if each is as large as it gets.
Bound GreatestSum::ofEachTerm(const LinearForm &sum) {
  int64_t total = sum.constant;
  for (auto [term, factor] : sum.terms) {
    Bound most = ofTerm(term, factor);
    if (!most || llvm::AddOverflow(total, *most, total))
      return std::nullopt;
  }
  return total;
}

Bound GreatestSum::replaced(LinearForm sum, Value term, int64_t factor,
                            const LinearForm &by) {
  sum.terms.erase(term);
  sum.add(by, factor);
  return of(std::move(sum));
}

Bound GreatestSum::bounded(const LinearForm &sum, Value term, int64_t factor,
                           Bound bound) {
  if (!bound)
    return std::nullopt;
  LinearForm number;
  number.constant = *bound;
  return replaced(sum, term, factor, number);
}

/// floor(a / d) is between (a - d + 1) / d and a / d, for d > 0.
Bound GreatestSum::ofQuotient(const LinearForm &sum, Value term, int64_t factor,
                              Value dividend, Value divisor, bool isCeil) {
  Bound number = constantOf(divisor);
  if (!number || *number <= 0 || factor % *number != 0)
    return std::nullopt;
  LinearForm by = LinearForm::of(dividend);
  if (factor < 0 && !isCeil)
    by.constant -= *number - 1;
  if (factor > 0 && isCeil)
    by.constant += *number - 1;
  return replaced(sum, term, factor / *number, by);
}

Bound GreatestSum::leastOf(Value value) {
  LinearForm minus;
  minus.add(LinearForm::of(value), -1);
  return negated(of(minus));
}

/// A quotient by a positive constant.
Bound GreatestSum::ofDivision(const LinearForm &sum, Operation *op,
                              int64_t factor) {
  bool isCeil = isa<arith::CeilDivSIOp>(op);
  Value term = op->getResult(0), dividend = op->getOperand(0);
  Value divisor = op->getOperand(1);
  if (Bound exact = ofQuotient(sum, term, factor, dividend, divisor, isCeil))
    return exact;
  Bound number = constantOf(divisor);
  if (!number || *number <= 0)
    return std::nullopt;
  Bound limit = factor > 0 ? of(LinearForm::of(dividend)) : leastOf(dividend);
  if (!limit)
    return std::nullopt;
  return bounded(sum, term, factor,
                 isCeil ? llvm::divideCeilSigned(*limit, *number)
                        : llvm::divideFloorSigned(*limit, *number));
}

/// A product of numbers that are not negative.
Bound GreatestSum::ofProduct(const LinearForm &sum, Operation *op,
                             int64_t factor) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (!isNonNegative(lhs) || !isNonNegative(rhs))
    return std::nullopt;
  if (factor < 0)
    return bounded(sum, op->getResult(0), factor, 0);
  Bound left = of(LinearForm::of(lhs)), right = of(LinearForm::of(rhs));
  int64_t product;
  if (!left || !right || llvm::MulOverflow(*left, *right, product))
    return std::nullopt;
  return bounded(sum, op->getResult(0), factor, product);
}

/// A loop variable lies between the bounds of the loop, whose step is positive.
Bound GreatestSum::ofArgument(const LinearForm &sum, BlockArgument term,
                              int64_t factor) {
  Operation *parent = term.getOwner()->getParentOp();
  Value lower, upper;
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent);
      loop && term == loop.getInductionVar()) {
    lower = loop.getLowerBound();
    upper = loop.getUpperBound();
  } else if (auto loop = dyn_cast_or_null<ParallelOp>(parent)) {
    lower = loop.getLower();
    upper = loop.getUpper();
  }
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(parent))
    if (auto range = function.getArgAttrOfType<DenseI64ArrayAttr>(
            term.getArgNumber(), rangeAttrName)) {
      int64_t end = range[factor < 0 ? 0 : 1];
      bool isKnown = end != (factor < 0 ? INT64_MIN : INT64_MAX);
      return isKnown ? bounded(sum, term, factor, end) : std::nullopt;
    }
  if (!lower)
    return isKnownExtent(term) && factor < 0 ? bounded(sum, term, factor, 0)
                                             : std::nullopt;
  if (factor < 0)
    return replaced(sum, term, factor, lower);
  LinearForm last = LinearForm::of(upper);
  last.constant -= 1;
  return replaced(sum, term, factor, last);
}

/// True if what is required holds wherever the symbols of its block are used:
/// the call checks it, or nothing runs before it.
static bool holdsThroughout(RequireOp require) {
  if (isCheckedAtCall(require))
    return true;
  constexpr unsigned maxScanned = 64;
  unsigned scanned = 0;
  for (Operation &op : *require->getBlock()) {
    if (&op == require)
      return true;
    if (++scanned > maxScanned || op.getNumRegions() != 0 ||
        !(isa<BindOp, RequireOp>(op) || isMemoryEffectFree(&op)))
      return false;
  }
  return false;
}

/// An extent is not negative, and not more or less than the call allows.
Bound GreatestSum::ofSymbol(const LinearForm &sum, BindOp bind,
                            int64_t factor) {
  Bound least = 0, greatest;
  for (OpOperand &use : bind.getExtent().getUses()) {
    auto compare = dyn_cast<arith::CmpIOp>(use.getOwner());
    bool isRequired =
        compare && llvm::any_of(compare->getUsers(), [&](Operation *user) {
          auto require = dyn_cast<RequireOp>(user);
          return require && require->getBlock() == bind->getBlock() &&
                 holdsThroughout(require);
        });
    bool isLeft = use.getOperandNumber() == 0;
    Bound limit = isRequired
                      ? constantOf(isLeft ? compare.getRhs() : compare.getLhs())
                      : std::nullopt;
    if (!limit)
      continue;
    using Predicate = arith::CmpIPredicate;
    Predicate predicate = compare.getPredicate();
    bool isUpper =
        isLeft ? predicate == Predicate::sle || predicate == Predicate::slt
               : predicate == Predicate::sge || predicate == Predicate::sgt;
    bool isLower =
        isLeft ? predicate == Predicate::sge || predicate == Predicate::sgt
               : predicate == Predicate::sle || predicate == Predicate::slt;
    bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt;
    if (isStrict && (*limit == INT64_MAX || *limit == INT64_MIN))
      continue;
    if (predicate == Predicate::eq || isUpper)
      greatest = eitherOf(greatest, *limit - (isStrict ? 1 : 0));
    if (predicate == Predicate::eq || isLower)
      least = std::max(*least, *limit + (isStrict ? 1 : 0));
  }
  return bounded(sum, bind.getExtent(), factor, factor < 0 ? least : greatest);
}

Bound GreatestSum::substitute(const LinearForm &sum, Value term,
                              int64_t factor) {
  if (auto argument = dyn_cast<BlockArgument>(term))
    return ofArgument(sum, argument, factor);
  Operation *op = term.getDefiningOp();
  if (auto bind = dyn_cast<BindOp>(op))
    return ofSymbol(sum, bind, factor);
  if (auto dim = dyn_cast<DimOp>(op)) {
    Dim known = getDims(dim.getSource().getType())[dim.getAxis()];
    Bound least = known.isExact() ? known.getBound() : 0;
    Bound greatest = known.hasBound() ? Bound(known.getBound()) : std::nullopt;
    return bounded(sum, term, factor, factor < 0 ? least : greatest);
  }
  if (auto at = dyn_cast<AtOp>(op)) {
    unsigned number = cast<OpResult>(term).getResultNumber();
    Operation *yield = at.getBody().front().getTerminator();
    return replaced(sum, term, factor,
                    LinearForm::of(yield->getOperand(number)));
  }
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op)) {
    Bound lhs = replaced(sum, term, factor, op->getOperand(0));
    Bound rhs = replaced(sum, term, factor, op->getOperand(1));
    bool isEither = isa<arith::MinSIOp>(op) == (factor > 0);
    return isEither ? eitherOf(lhs, rhs) : bothOf(lhs, rhs);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return bothOf(replaced(sum, term, factor, select.getTrueValue()),
                  replaced(sum, term, factor, select.getFalseValue()));
  if (isa<arith::FloorDivSIOp, arith::CeilDivSIOp>(op))
    return ofDivision(sum, op, factor);
  if (auto rest = dyn_cast<arith::RemSIOp>(op)) {
    Bound number = constantOf(rest.getRhs());
    if (!number || *number <= 0)
      return std::nullopt;
    bool isPositive = isNonNegative(rest.getLhs());
    return bounded(sum, term, factor,
                   factor > 0   ? *number - 1
                   : isPositive ? 0
                                : 1 - *number);
  }
  if (isa<arith::MulIOp>(op))
    return ofProduct(sum, op, factor);
  if (isa<RankOp>(op))
    return bounded(sum, term, factor, factor < 0 ? 0 : maxRanks - 1);
  if (isa<RankCountOp>(op))
    return bounded(sum, term, factor, factor < 0 ? 1 : maxRanks);
  if (isKnownExtent(term) && factor < 0)
    return bounded(sum, term, factor, 0);
  return std::nullopt;
}

std::optional<int64_t> tegula::pl::greatestOf(Value index) {
  return GreatestSum().of(LinearForm::of(index));
}

std::optional<int64_t> tegula::pl::leastOf(Value index) {
  LinearForm minus;
  minus.add(LinearForm::of(index), -1);
  return negated(GreatestSum().of(minus));
}

std::optional<int64_t> tegula::pl::constantDifference(Value lhs, Value rhs) {
  LinearForm difference = LinearForm::of(lhs);
  difference.add(LinearForm::of(rhs), -1);
  if (!difference.isKnown() || !difference.terms.empty())
    return std::nullopt;
  return difference.constant;
}

bool tegula::pl::isNonNegative(Value index) {
  Bound least = leastOf(index);
  return least && *least >= 0 && ExactArithmetic().isExactThroughout(index);
}
