// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A vector region as a function for one row of it: the innermost loop and
/// nothing around it. What rows have in common decides how long they take, so
/// regions that differ in their outer loops have the same function.

#ifndef TEGULA_BACKENDS_NPU_VECTOR_ROWFUNCTION_H
#define TEGULA_BACKENDS_NPU_VECTOR_ROWFUNCTION_H

#include "tegula/support/Error.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tegula {

/// The name of that function.
inline constexpr llvm::StringLiteral rowFunctionName = "tegula_row";

/// A module with that function, in scf, arith, math and pointers of the LLVM
/// dialect. Its arguments: for each operand a pointer to its row, or to the one
/// element that every iteration reads; for each row whose elements are not
/// neighbours, how many lie between two of them; what the body uses from
/// outside; the positions in outer loops that it asks for; and the number of
/// elements.
///
/// A reduction of the innermost loop starts from what its output holds. It may
/// be done in any order. The largest and the smallest of a row are found
/// without NaN, and whether there was one besides them, so that either is one
/// vector instruction.
[[nodiscard]] Expected<mlir::OwningOpRef<mlir::ModuleOp>>
makeRowFunction(mlir::linalg::GenericOp region);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_VECTOR_ROWFUNCTION_H
