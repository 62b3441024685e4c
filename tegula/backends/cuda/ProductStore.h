// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a product does with its sums: functions of the device that the kernels
/// of tegula/launch/gpu/hopper call.

#ifndef TEGULA_BACKENDS_CUDA_PRODUCTSTORE_H
#define TEGULA_BACKENDS_CUDA_PRODUCTSTORE_H

#include "tegula/transforms/rows/RowKernel.h"

namespace tegula {

/// Adds tegulaProductStoreSingles and tegulaProductStorePairs (ProductAbi.h) to
/// the module.
void emitProductStore(mlir::ModuleOp module, mlir::func::FuncOp kernel,
                      const RowKernel &program);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_PRODUCTSTORE_H
