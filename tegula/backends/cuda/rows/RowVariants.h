// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions of the device for kernels that do the same with every row: rows
/// are kept in registers, each by a warp or a whole block.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWVARIANTS_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWVARIANTS_H

#include "tegula/launch/gpu/variants/GpuRows.h"
#include "tegula/transforms/rows/RowwiseKernel.h"

namespace tegula {

/// What the host needs to know of the program.
GpuRows describeRows(const RowwiseKernel &program);

/// Adds a function for each variant of the program to the module, and says what
/// the host needs to choose among them. Tensors are numbered as the parameters
/// are.
GpuRows emitRowVariants(mlir::ModuleOp module, mlir::func::FuncOp kernel,
                        const RowwiseKernel &program);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWVARIANTS_H
