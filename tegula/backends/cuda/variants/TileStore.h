// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The epilogue of a tiled matmul: functions of the device that the
/// kernels of tegula/backends/cuda/device/tiles call.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_TILESTORE_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_TILESTORE_H

#include "tegula/transforms/rows/RowwiseKernel.h"

namespace tegula {

/// Adds the functions of TileAbi.h to the module that kernels for the element
/// type of the operands call.
void emitTileStore(mlir::ModuleOp module, mlir::func::FuncOp kernel,
                   const RowwiseKernel &program);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_TILESTORE_H
