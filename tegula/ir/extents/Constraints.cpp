// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/Constraints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula::pl;

/// More cases than this are not looked at one by one.
static constexpr size_t maxAlternatives = 16;

static std::optional<Alternatives>
ofComparison(ExtentTerms &terms, arith::CmpIOp compare, bool holds) {
  if (!compare.getLhs().getType().isIndex())
    return std::nullopt;
  Polynomial lhs = terms.of(compare.getLhs()), rhs = terms.of(compare.getRhs());
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = holds ? compare.getPredicate()
                              : arith::invertPredicate(compare.getPredicate());
  switch (predicate) {
  case Predicate::eq:
    return Alternatives{{Constraint::equal(lhs, rhs)}};
  case Predicate::ne:
    return Alternatives{{Constraint::less(lhs, rhs)},
                        {Constraint::less(rhs, lhs)}};
  case Predicate::slt:
    return Alternatives{{Constraint::less(lhs, rhs)}};
  case Predicate::sle:
    return Alternatives{{Constraint::atMost(lhs, rhs)}};
  case Predicate::sgt:
    return Alternatives{{Constraint::less(rhs, lhs)}};
  case Predicate::sge:
    return Alternatives{{Constraint::atMost(rhs, lhs)}};
  default:
    return std::nullopt;
  }
}

static std::optional<Alternatives> both(const Alternatives &lhs,
                                        const Alternatives &rhs) {
  if (lhs.size() * rhs.size() > maxAlternatives)
    return std::nullopt;
  Alternatives result;
  for (const Constraints &left : lhs)
    for (const Constraints &right : rhs) {
      result.push_back(left);
      llvm::append_range(result.back(), right);
    }
  return result;
}

std::optional<Alternatives>
tegula::pl::alternativesOf(ExtentTerms &terms, Value condition, bool holds) {
  llvm::APInt number;
  if (matchPattern(condition, m_ConstantInt(&number)))
    return number.isZero() == holds ? Alternatives() : Alternatives{{}};
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return ofComparison(terms, compare, holds);
  if (isa_and_nonnull<arith::XOrIOp>(op) &&
      matchPattern(op->getOperand(1), m_One()))
    return alternativesOf(terms, op->getOperand(0), !holds);
  bool isAnd = isa_and_nonnull<arith::AndIOp>(op);
  if (!isAnd && !isa_and_nonnull<arith::OrIOp>(op))
    return std::nullopt;
  auto lhs = alternativesOf(terms, op->getOperand(0), holds);
  auto rhs = alternativesOf(terms, op->getOperand(1), holds);
  if (isAnd == holds) {
    if (!lhs || !rhs)
      return std::nullopt;
    return both(*lhs, *rhs);
  }
  if (!lhs || !rhs || lhs->size() + rhs->size() > maxAlternatives)
    return std::nullopt;
  llvm::append_range(*lhs, *rhs);
  return lhs;
}
