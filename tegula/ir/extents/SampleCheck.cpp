// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that the solver found, put into the constraints.

#include "tegula/ir/extents/ConstraintSystem.h"

#include "llvm/Support/MathExtras.h"

using namespace tegula::pl;

namespace {

/// Computes polynomials from the values of what is given.
class Evaluation {
public:
  Evaluation(const ExtentTerms &terms, const Sample &sample)
      : terms(terms), sample(sample) {}

  /// Nothing if a number does not fit.
  std::optional<int64_t> evaluate(const Polynomial &polynomial) const;

private:
  std::optional<int64_t> evaluate(unsigned number) const;

  const ExtentTerms &terms;
  const Sample &sample;
};

} // namespace

std::optional<int64_t>
Evaluation::evaluate(const Polynomial &polynomial) const {
  int64_t sum = 0;
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    int64_t product = coefficient;
    for (unsigned number : monomial) {
      std::optional<int64_t> value = evaluate(number);
      if (!value || llvm::MulOverflow(product, *value, product))
        return std::nullopt;
    }
    if (llvm::AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> Evaluation::evaluate(unsigned number) const {
  const Term &term = terms[number];
  if (term.kind == Term::Kind::Value || term.kind == Term::Kind::Extent) {
    auto found = sample.find(number);
    return found == sample.end() ? 0 : found->second;
  }
  std::optional<int64_t> lhs = evaluate(term.operands[0]);
  std::optional<int64_t> rhs = evaluate(term.operands[1]);
  if (!lhs || !rhs)
    return std::nullopt;
  if (term.kind == Term::Kind::Least)
    return std::min(*lhs, *rhs);
  if (term.kind == Term::Kind::Greatest)
    return std::max(*lhs, *rhs);
  if (*rhs == 0)
    return 0;
  if (*lhs == INT64_MIN)
    return std::nullopt;
  int64_t quotient = *lhs / *rhs;
  bool isRounded = *lhs % *rhs != 0 && (*lhs < 0) != (*rhs < 0);
  return isRounded ? quotient - 1 : quotient;
}

bool ConstraintSystem::check(const Sample &sample) const {
  Evaluation evaluation(terms, sample);
  auto holds = [&](const Constraint &constraint) {
    std::optional<int64_t> value = evaluation.evaluate(constraint.value);
    return value && (constraint.isEquality ? *value == 0 : *value >= 0);
  };
  return llvm::all_of(constraints, holds) &&
         llvm::all_of(choices, [&](const Alternatives &choice) {
           return llvm::any_of(choice, [&](const Constraints &entry) {
             return llvm::all_of(entry, holds);
           });
         });
}
