// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An index value as a sum of other index values times constants. What the sum
/// cannot take apart stays in it as a term of its own.

#ifndef TEGULA_IR_EXTENTS_LINEARFORM_H
#define TEGULA_IR_EXTENTS_LINEARFORM_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"

namespace tegula::pl {

/// constant + sum of coefficient * value, no coefficient being zero.
struct LinearForm {
  int64_t constant = 0;
  llvm::SmallMapVector<mlir::Value, int64_t, 4> terms;
  /// True if a number in it was too large: nothing is known of the sum then.
  bool hasOverflowed = false;

  /// Takes additions, subtractions and products with constants apart.
  static LinearForm of(mlir::Value value);

  /// Adds `factor * other`.
  void add(const LinearForm &other, int64_t factor);

  /// False if the sum could not be computed.
  bool isKnown() const { return !hasOverflowed; }

  /// The coefficient of `value`, 0 if it does not appear.
  int64_t coefficientOf(mlir::Value value) const;

  bool operator==(const LinearForm &other) const;
};

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_LINEARFORM_H
