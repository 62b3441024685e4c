// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is known of extents: which are constant, which are equal, what bounds
/// and divides them. Everything is derived from the IR when it is asked for;
/// nothing is stored beside it.

#ifndef TEGULA_IR_EXTENTFACTS_H
#define TEGULA_IR_EXTENTFACTS_H

#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace tegula::pl {

/// Where the extent of a tensor or a tile along an axis comes from, followed
/// through windows, shape functions and loops as far as it does not change: a
/// constant, a symbol, a size operand, or a pl.dim. Null if it is computed on
/// the way (a clamped window, a minimum of two).
mlir::OpFoldResult rootOfExtent(mlir::Value shaped, unsigned axis);

/// True if the two extents are equal in every run.
bool areEqualExtents(mlir::Value lhs, unsigned lhsAxis, mlir::Value rhs,
                     unsigned rhsAxis);

/// The largest number known to divide an index value (0 divides only by
/// itself, so a constant 0 gives 0).
uint64_t knownDivisor(mlir::Value index);

/// The name of the symbol, or the constant, that an extent is: for messages.
std::string describeExtent(mlir::Value shaped, unsigned axis);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTFACTS_H
