// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentTerms.h"

#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::pl;

/// Longer computations are left as one unknown.
static constexpr unsigned maxDepth = 64;

Polynomial ExtentTerms::unknownFor(Term term) {
  unsigned next = terms.size(), number = next;
  if (term.value) {
    bool isExtent = term.kind == Term::Kind::Extent;
    number = given.insert({{term.value, isExtent ? term.axis + 1 : 0}, next})
                 .first->second;
  } else {
    number = computed.insert({{term.kind, term.operands}, next}).first->second;
  }
  if (number == next)
    terms.push_back(std::move(term));
  return Polynomial::unknown(number);
}

Polynomial ExtentTerms::of(Value index) {
  auto found = known.find(index);
  if (found != known.end())
    return found->second;
  Polynomial result;
  if (depth < maxDepth) {
    ++depth;
    result = compute(index);
    --depth;
  }
  if (depth >= maxDepth || !result.isKnown())
    result = unknownFor({Term::Kind::Value, index, 0, {}});
  known[index] = result;
  return result;
}

Polynomial ExtentTerms::compute(Value index) {
  llvm::APInt number;
  if (matchPattern(index, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64)
    return Polynomial::constant(number.getSExtValue());
  Operation *op = index.getDefiningOp();
  if (!op)
    return unknownFor({Term::Kind::Value, index, 0, {}});
  if (auto dim = dyn_cast<DimOp>(op))
    return ofExtent(dim.getSource(), dim.getAxis());
  if (!arithmetic.isExact(index))
    return unknownFor({Term::Kind::Value, index, 0, {}});
  auto operand = [&](unsigned position) {
    return of(op->getOperand(position));
  };
  return llvm::TypeSwitch<Operation *, Polynomial>(op)
      .Case([&](arith::AddIOp) { return operand(0) + operand(1); })
      .Case([&](arith::SubIOp) { return operand(0) - operand(1); })
      .Case([&](arith::MulIOp) { return multiply(operand(0), operand(1)); })
      .Case(
          [&](arith::FloorDivSIOp) { return quotient(operand(0), operand(1)); })
      .Case([&](arith::CeilDivSIOp) {
        Polynomial minus = Polynomial::constant(-1);
        return minus * quotient(minus * operand(0), operand(1));
      })
      .Case([&](arith::MinSIOp) { return least(operand(0), operand(1)); })
      .Case([&](arith::MaxSIOp) { return greatest(operand(0), operand(1)); })
      .Default([&](Operation *) {
        return unknownFor({Term::Kind::Value, index, 0, {}});
      });
}

Polynomial ExtentTerms::ofExtent(Value shaped, unsigned axis) {
  if (depth >= maxDepth)
    return unknownFor({Term::Kind::Extent, shaped, axis, {}});
  ++depth;
  Polynomial result = computeExtent(shaped, axis);
  --depth;
  if (!result.isKnown())
    return unknownFor({Term::Kind::Extent, shaped, axis, {}});
  return result;
}

Polynomial ExtentTerms::computeExtent(Value shaped, unsigned axis) {
  std::optional<Polynomial> result;
  for (const ExtentRoot &root : rootsOfExtent(shaped, axis)) {
    Polynomial part;
    if (auto constant = dyn_cast_if_present<Attribute>(root.value))
      part = Polynomial::constant(cast<IntegerAttr>(constant).getInt());
    else if (root.value)
      part = of(cast<Value>(root.value));
    else if (auto op = root.shaped.getDefiningOp<ExtentsOpInterface>())
      part = ofRule(op.getExtentRule(root.axis));
    else
      part = unknownFor({Term::Kind::Extent, root.shaped, root.axis, {}});
    result = result ? least(*result, part) : part;
  }
  return *result;
}

Polynomial ExtentTerms::ofRule(const ExtentRule &rule) {
  using Kind = ExtentRule::Kind;
  llvm::ArrayRef<ExtentRule> parts = rule.getParts();
  switch (rule.getKind()) {
  case Kind::Constant:
    return Polynomial::constant(rule.getNumber());
  case Kind::Axis:
    return ofExtent(rule.getValue(), rule.getAxis());
  case Kind::Extent:
    return of(rule.getValue());
  case Kind::Size:
    return greatest(Polynomial(), of(rule.getValue()));
  case Kind::Window: {
    Polynomial left =
        ofRule(parts[0]) - greatest(Polynomial(), of(rule.getOffset()));
    return greatest(Polynomial(), least(of(rule.getSize()), left));
  }
  case Kind::Sum:
    return ofRule(parts[0]) + ofRule(parts[1]);
  case Kind::Repeat:
    return multiply(greatest(Polynomial(), of(rule.getValue())),
                    ofRule(parts[0]));
  case Kind::Least:
  case Kind::Meet: {
    Polynomial result = ofRule(parts[0]);
    for (const ExtentRule &part : parts.drop_front())
      result = least(result, ofRule(part));
    return result;
  }
  }
  llvm_unreachable("every kind is handled");
}

Polynomial ExtentTerms::multiply(const Polynomial &lhs, const Polynomial &rhs) {
  return cancelQuotients(lhs * rhs);
}

Polynomial ExtentTerms::cancelQuotients(const Polynomial &product) {
  if (!product.isKnown())
    return product;
  for (const auto &[monomial, coefficient] : product.getTerms())
    for (unsigned number : monomial) {
      const Term &term = terms[number];
      if (term.kind != Term::Kind::Quotient ||
          !term.operands[0].dividedBy(term.operands[1]))
        continue;
      const Polynomial::Terms &divisor = term.operands[1].getTerms();
      if (divisor.size() != 1 || divisor.begin()->second != 1 ||
          coefficient == INT64_MIN)
        continue;
      Monomial factors = divisor.begin()->first;
      factors.insert(llvm::upper_bound(factors, number), number);
      std::optional<Monomial> rest = without(monomial, factors);
      if (!rest)
        continue;
      Polynomial others;
      others.add(*rest, coefficient);
      Polynomial without = product;
      without.add(monomial, -coefficient);
      return cancelQuotients(without + others * term.operands[0]);
    }
  return product;
}

/// True for an extent, and for the variable of a loop that counts up from a
/// number.
static bool isCounted(Value value) {
  if (isKnownExtent(value))
    return true;
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  Value lower;
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent))
    lower = argument == loop.getInductionVar() ? loop.getLowerBound() : Value();
  if (auto loop = dyn_cast_or_null<ParallelOp>(parent))
    lower = loop.getLower();
  llvm::APInt first;
  return lower && matchPattern(lower, m_ConstantInt(&first)) &&
         first.isNonNegative();
}

bool ExtentTerms::isNeverNegative(unsigned number) const {
  const Term &term = terms[number];
  auto isOperandNeverNegative = [&](const Polynomial &operand) {
    return isNeverNegative(operand);
  };
  switch (term.kind) {
  case Term::Kind::Extent:
    return true;
  case Term::Kind::Value:
    return isCounted(term.value);
  case Term::Kind::Quotient:
  case Term::Kind::Least:
    return llvm::all_of(term.operands, isOperandNeverNegative);
  case Term::Kind::Greatest:
    return llvm::any_of(term.operands, isOperandNeverNegative);
  }
  llvm_unreachable("every kind is handled");
}

bool ExtentTerms::isNeverNegative(const Polynomial &polynomial) const {
  return polynomial.isKnown() &&
         llvm::all_of(polynomial.getTerms(), [&](const auto &entry) {
           return entry.second > 0 &&
                  llvm::all_of(entry.first, [&](unsigned number) {
                    return isNeverNegative(number);
                  });
         });
}

bool ExtentTerms::dependsOn(const Polynomial &polynomial,
                            unsigned number) const {
  // What an unknown is computed from has lower numbers than it has itself.
  std::vector<bool> isReached(terms.size());
  auto reach = [&](const Polynomial &part) {
    for (const auto &[monomial, coefficient] : part.getTerms())
      for (unsigned factor : monomial)
        isReached[factor] = true;
  };
  reach(polynomial);
  for (unsigned next = terms.size(); next-- > number + 1;)
    if (isReached[next])
      llvm::for_each(terms[next].operands, reach);
  return number < terms.size() && isReached[number];
}

static int64_t floorDivide(int64_t lhs, int64_t rhs) {
  int64_t result = lhs / rhs;
  return lhs % rhs != 0 && (lhs < 0) != (rhs < 0) ? result - 1 : result;
}

Polynomial ExtentTerms::quotient(const Polynomial &dividend,
                                 const Polynomial &divisor) {
  if (!dividend.isKnown() || !divisor.isKnown())
    return dividend + divisor;
  std::optional<int64_t> number = divisor.asConstant();
  if (!number || *number <= 0)
    return unknownFor({Term::Kind::Quotient, {}, 0, {dividend, divisor}});
  // floor((n * a + b) / n) is a + floor(b / n).
  Polynomial whole, rest;
  for (const auto &[monomial, coefficient] : dividend.getTerms()) {
    whole.add(monomial, floorDivide(coefficient, *number));
    int64_t left = coefficient % *number;
    rest.add(monomial, left < 0 ? left + *number : left);
  }
  if (rest.asConstant())
    return whole;
  return whole + unknownFor({Term::Kind::Quotient, {}, 0, {rest, divisor}});
}

Polynomial ExtentTerms::least(const Polynomial &lhs, const Polynomial &rhs) {
  if (!lhs.isKnown() || !rhs.isKnown())
    return lhs + rhs;
  if (std::optional<int64_t> difference = (lhs - rhs).asConstant())
    return *difference <= 0 ? lhs : rhs;
  return unknownFor({Term::Kind::Least, {}, 0, {lhs, rhs}});
}

Polynomial ExtentTerms::greatest(const Polynomial &lhs, const Polynomial &rhs) {
  if (!lhs.isKnown() || !rhs.isKnown())
    return lhs + rhs;
  if (std::optional<int64_t> difference = (lhs - rhs).asConstant())
    return *difference >= 0 ? lhs : rhs;
  if (lhs == Polynomial() && isNeverNegative(rhs))
    return rhs;
  if (rhs == Polynomial() && isNeverNegative(lhs))
    return lhs;
  return unknownFor({Term::Kind::Greatest, {}, 0, {lhs, rhs}});
}
