// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which elements a matmul of whole matrices may have, on machines with code
/// for it.

#ifndef TEGULA_TRANSFORMS_MATMUL_MATMULTYPES_H
#define TEGULA_TRANSFORMS_MATMUL_MATMULTYPES_H

#include "mlir/IR/Value.h"

namespace tegula {

/// The element type of a tile or tensor, without its sign.
mlir::Type getSignlessElement(mlir::Value shaped);

/// True if every element of the operand is one of the accumulator as well, and
/// such code widens it.
bool isWidenedExactly(mlir::Type operand, mlir::Type accumulator);

/// True if there is code for such elements.
bool isMultipliedWhole(mlir::Type lhs, mlir::Type rhs, mlir::Type accumulator);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_MATMULTYPES_H
