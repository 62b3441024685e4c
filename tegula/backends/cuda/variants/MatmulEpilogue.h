// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The epilogue of a matmul: functions of the device that the kernels
/// of tegula/backends/cuda/device/hopper call.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_MATMULEPILOGUE_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_MATMULEPILOGUE_H

#include "tegula/transforms/rows/RowwiseKernel.h"

namespace tegula {

/// The epilogue operand, of which kernels make a copy in
/// time: the first one that is read in rows. Null if there is none, or its
/// elements are not of two or four bytes.
mlir::BlockArgument findEpilogueOperand(const RowwiseKernel &program);

/// Adds tegulaMatmulEpilogueSingles and so on (MatmulAbi.h) to the module.
void emitMatmulEpilogue(mlir::ModuleOp module, mlir::func::FuncOp kernel,
                        const RowwiseKernel &program);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_MATMULEPILOGUE_H
