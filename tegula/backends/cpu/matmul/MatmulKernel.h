// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loop nest of a matmul on memory: a register tile of the result stays in
/// vector registers along the whole inner dimension.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_MATMULKERNEL_H
#define TEGULA_BACKENDS_CPU_MATMUL_MATMULKERNEL_H

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cpu/CpuOptions.h"

namespace tegula {

/// The operands of `sum += lhs * rhs`, all of one element type. The last axes
/// of `rhs` (inner x columns) and `sum` (rows x columns) have unit stride;
/// `lhs` (rows x inner) may have any.
struct MatmulOperands {
  View lhs, rhs, sum;
  mlir::OpFoldResult rows, columns, inner;
};

/// Emits the matmul at the builder's insertion point.
void emitMatmul(mlir::OpBuilder &builder, mlir::Location loc,
                const MatmulOperands &operands, const CpuOptions &options);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_MATMULKERNEL_H
