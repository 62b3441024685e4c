// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which elements a matmul of whole matrices may have, on machines with code
/// for it.

#ifndef TEGULA_TRANSFORMS_MATMUL_MATMULTYPES_H
#define TEGULA_TRANSFORMS_MATMUL_MATMULTYPES_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// The element type of a tile or tensor, without its sign.
mlir::Type getSignlessElement(mlir::Value shaped);

/// True if every element of the operand is one of the accumulator as well, and
/// such code widens it.
bool isWidenedExactly(mlir::Type operand, mlir::Type accumulator);

/// The tile whose elements are widened before they are multiplied, if that is
/// all that is done with them: the matmul does so itself.
mlir::Value beforeWidening(mlir::Value operand);

/// True if an instruction for pairs of BF16, which rounds in its own way,
/// would multiply what was widened before: `lhs` and `rhs` are what it was
/// widened from.
bool sumsPairsUnasked(pl::MatmulOp matmul, mlir::Value lhs, mlir::Value rhs);

/// True for the number zero everywhere.
bool isZeroTile(mlir::Value tile);

/// True if operands of one type, and their sums, are what tensor cores take.
bool isMultipliedAs(mlir::Type element, mlir::Type sum);

/// True if there is code for such elements.
bool isMultipliedWhole(mlir::Type lhs, mlir::Type rhs, mlir::Type accumulator);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_MATMULTYPES_H
