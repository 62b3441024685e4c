// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Polynomials in unknowns with integer coefficients, kept in normal form:
/// two polynomials are equal if and only if they compare equal. An unknown is a
/// number; what it stands for is the business of ExtentTerms.

#ifndef TEGULA_IR_EXTENTS_POLYNOMIAL_H
#define TEGULA_IR_EXTENTS_POLYNOMIAL_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tegula::pl {

/// A product of unknowns, ascending, repeated for powers; empty for 1.
using Monomial = std::vector<unsigned>;

/// Higher degrees come first, then more of the earlier unknowns: the order that
/// division needs.
struct MonomialOrder {
  bool operator()(const Monomial &lhs, const Monomial &rhs) const {
    if (lhs.size() != rhs.size())
      return lhs.size() > rhs.size();
    return lhs < rhs;
  }
};

/// A sum of coefficient * monomial, no coefficient being zero. Once a number
/// did not fit 64 bits, everything computed from it is unknown.
class Polynomial {
public:
  using Terms = std::map<Monomial, int64_t, MonomialOrder>;

  Polynomial() = default;
  static Polynomial constant(int64_t value);
  static Polynomial unknown(unsigned number);

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  bool operator==(const Polynomial &other) const {
    return fits && other.fits && terms == other.terms;
  }
  bool operator<(const Polynomial &other) const { return terms < other.terms; }

  /// Adds `coefficient * monomial`.
  void add(const Monomial &monomial, int64_t coefficient);

  const Terms &getTerms() const { return terms; }
  /// False if a number did not fit.
  bool isKnown() const { return fits; }
  /// The number, if it is one.
  std::optional<int64_t> asConstant() const;
  /// The quotient if `divisor` divides this without remainder.
  std::optional<Polynomial> dividedBy(const Polynomial &divisor) const;

private:
  Terms terms;
  bool fits = true;
};

/// `monomial` without the unknowns of `factor`; nothing if it lacks one.
std::optional<Monomial> without(const Monomial &monomial,
                                const Monomial &factor);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_POLYNOMIAL_H
