// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the loops of a linalg.generic traverse its operands.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_NESTOPERANDS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_NESTOPERANDS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

/// True for operands that only say how long loops are.
bool isUnused(mlir::linalg::GenericOp op, mlir::OpOperand &operand);

/// True if the last loop goes along the operand.
bool isStepped(mlir::linalg::GenericOp op, mlir::OpOperand &operand);

/// True if rows of the operand are read inside the loop over vectors.
bool isReadAcross(mlir::linalg::GenericOp op, mlir::OpOperand &operand);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_NESTOPERANDS_H
