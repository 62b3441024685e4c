// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constants between which an index value lies, as far as its own computation
/// shows: arithmetic, minima and maxima, extents, symbols, loop variables. What
/// a loop hands on is not looked at, so it may be asked while a loop is built.

#ifndef TEGULA_IR_EXTENTS_INDEXRANGE_H
#define TEGULA_IR_EXTENTS_INDEXRANGE_H

#include "mlir/IR/Value.h"

#include <optional>

namespace tegula::pl {

/// A constant that the index value never exceeds; nothing if none is seen. That
/// arithmetic on data may wrap around is not considered: back ends check it.
std::optional<int64_t> greatestOf(mlir::Value index);

/// A constant that the index value is never below, in the same sense; nothing
/// if none is seen.
std::optional<int64_t> leastOf(mlir::Value index);

/// The difference of two index values if it is the same whatever they are.
std::optional<int64_t> constantDifference(mlir::Value lhs, mlir::Value rhs);

/// True if the index value is proved not to be negative, wrapping included.
bool isNonNegative(mlir::Value index);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_INDEXRANGE_H
