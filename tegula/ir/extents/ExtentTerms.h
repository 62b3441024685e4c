// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Index values of the IR as polynomials. What arithmetic cannot take apart is
/// an unknown: a symbol, a loop variable, an extent, a quotient, a minimum, and
/// what may wrap around.

#ifndef TEGULA_IR_EXTENTS_EXTENTTERMS_H
#define TEGULA_IR_EXTENTS_EXTENTTERMS_H

#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/ir/extents/ExtentRule.h"
#include "tegula/ir/extents/Polynomial.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula::pl {

/// What an unknown of a polynomial stands for.
struct Term {
  enum class Kind {
    /// An index value that is not computed from others here.
    Value,
    /// The extent of `value` along `axis`.
    Extent,
    /// floor(operands[0] / operands[1])
    Quotient,
    /// The least, or the greatest, of two operands.
    Least,
    Greatest
  };

  Kind kind;
  mlir::Value value;
  unsigned axis = 0;
  std::vector<Polynomial> operands;
};

/// Translates index values. The same value, or an equal computation, gives an
/// equal polynomial; unknowns are numbered in the order in which they appear.
class ExtentTerms {
public:
  /// The polynomial of an index value.
  Polynomial of(mlir::Value index);
  /// The polynomial of an extent.
  Polynomial ofExtent(mlir::Value shaped, unsigned axis);

  Polynomial multiply(const Polynomial &lhs, const Polynomial &rhs);
  Polynomial quotient(const Polynomial &dividend, const Polynomial &divisor);
  Polynomial least(const Polynomial &lhs, const Polynomial &rhs);
  Polynomial greatest(const Polynomial &lhs, const Polynomial &rhs);

  /// True if it cannot be negative whatever the sizes are; found without
  /// solving anything.
  bool isNeverNegative(const Polynomial &polynomial) const;
  bool isNeverNegative(unsigned number) const;

  /// True if the unknown appears in it, or in what an unknown of it is computed
  /// from.
  bool dependsOn(const Polynomial &polynomial, unsigned number) const;

  const Term &operator[](unsigned number) const { return terms[number]; }
  unsigned size() const { return terms.size(); }

private:
  Polynomial compute(mlir::Value index);
  Polynomial computeExtent(mlir::Value shaped, unsigned axis);
  Polynomial ofRule(const ExtentRule &rule);
  Polynomial unknownFor(Term term);
  /// Replaces (p // d) * d by p where d divides p.
  Polynomial cancelQuotients(const Polynomial &product);

  ExactArithmetic arithmetic;
  std::vector<Term> terms;
  std::map<std::pair<Term::Kind, std::vector<Polynomial>>, unsigned> computed;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> given;
  llvm::DenseMap<mlir::Value, Polynomial> known;
  unsigned depth = 0;
};

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_EXTENTTERMS_H
