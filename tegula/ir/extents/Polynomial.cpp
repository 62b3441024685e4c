// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/Polynomial.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tegula::pl;

/// Larger sums are not written by hand and would only cost time.
static constexpr size_t maxTerms = 64;
static constexpr unsigned maxDivisionSteps = 64;

Polynomial Polynomial::constant(int64_t value) {
  Polynomial result;
  result.add({}, value);
  return result;
}

Polynomial Polynomial::unknown(unsigned number) {
  Polynomial result;
  result.add({number}, 1);
  return result;
}

void Polynomial::add(const Monomial &monomial, int64_t coefficient) {
  if (coefficient == 0)
    return;
  auto [entry, isNew] = terms.insert({monomial, 0});
  if (llvm::AddOverflow(entry->second, coefficient, entry->second) ||
      terms.size() > maxTerms)
    fits = false;
  if (entry->second == 0)
    terms.erase(entry);
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial result = *this;
  result.fits &= other.fits;
  for (const auto &[monomial, coefficient] : other.terms)
    result.add(monomial, coefficient);
  return result;
}

Polynomial Polynomial::operator-(const Polynomial &other) const {
  return *this + constant(-1) * other;
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial result;
  result.fits = fits && other.fits;
  for (const auto &[left, leftFactor] : terms)
    for (const auto &[right, rightFactor] : other.terms) {
      Monomial product;
      std::merge(left.begin(), left.end(), right.begin(), right.end(),
                 std::back_inserter(product));
      int64_t coefficient = 0;
      if (llvm::MulOverflow(leftFactor, rightFactor, coefficient))
        result.fits = false;
      result.add(product, coefficient);
    }
  return result;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (!fits || terms.size() > 1)
    return std::nullopt;
  if (terms.empty())
    return 0;
  if (!terms.begin()->first.empty())
    return std::nullopt;
  return terms.begin()->second;
}

std::optional<Monomial> tegula::pl::without(const Monomial &monomial,
                                            const Monomial &factor) {
  if (!std::includes(monomial.begin(), monomial.end(), factor.begin(),
                     factor.end()))
    return std::nullopt;
  Monomial rest;
  std::set_difference(monomial.begin(), monomial.end(), factor.begin(),
                      factor.end(), std::back_inserter(rest));
  return rest;
}

std::optional<Polynomial>
Polynomial::dividedBy(const Polynomial &divisor) const {
  if (!fits || !divisor.fits || divisor.terms.empty())
    return std::nullopt;
  const auto &[leading, factor] = *divisor.terms.begin();
  Polynomial rest = *this, quotient;
  for (unsigned step = 0; step < maxDivisionSteps; ++step) {
    if (!rest.fits)
      return std::nullopt;
    if (rest.terms.empty())
      return quotient;
    const auto &[monomial, coefficient] = *rest.terms.begin();
    std::optional<Monomial> part = without(monomial, leading);
    // The one quotient that does not fit is refused with the remainders.
    if (!part || factor == 0 || coefficient == INT64_MIN ||
        coefficient % factor != 0)
      return std::nullopt;
    Polynomial term;
    term.add(*part, coefficient / factor);
    quotient = quotient + term;
    rest = rest - term * divisor;
  }
  return std::nullopt;
}
