// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conditions on sizes as constraints on polynomials.

#ifndef TEGULA_IR_EXTENTS_CONSTRAINTS_H
#define TEGULA_IR_EXTENTS_CONSTRAINTS_H

#include "tegula/ir/extents/ExtentTerms.h"

namespace tegula::pl {

/// `value` is 0, or `value` is not negative.
struct Constraint {
  Polynomial value;
  bool isEquality = false;

  /// lhs == rhs
  static Constraint equal(const Polynomial &lhs, const Polynomial &rhs) {
    return {lhs - rhs, true};
  }
  /// lhs <= rhs
  static Constraint atMost(const Polynomial &lhs, const Polynomial &rhs) {
    return {rhs - lhs, false};
  }
  /// lhs < rhs
  static Constraint less(const Polynomial &lhs, const Polynomial &rhs) {
    return {rhs - lhs - Polynomial::constant(1), false};
  }
};

/// Constraints that hold together.
using Constraints = std::vector<Constraint>;
/// Constraints of which at least one entry holds. None at all is false.
using Alternatives = std::vector<Constraints>;

/// What it means that the boolean `condition` is true, or false if `holds` is
/// not set; nothing if it is not about sizes.
std::optional<Alternatives> alternativesOf(ExtentTerms &terms,
                                           mlir::Value condition, bool holds);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_CONSTRAINTS_H
