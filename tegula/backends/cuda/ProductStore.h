// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a product does with its sums: functions of the device that the kernels
/// of tegula/launch/gpu/hopper call.

#ifndef TEGULA_BACKENDS_CUDA_PRODUCTSTORE_H
#define TEGULA_BACKENDS_CUDA_PRODUCTSTORE_H

#include "tegula/transforms/rows/RowKernel.h"

namespace tegula {

/// The tensor that is read beside the sums, of which kernels make a copy in
/// time: the first one that is read in rows. Null if there is none, or its
/// elements are not of two or four bytes.
mlir::BlockArgument findBesideSums(const RowKernel &program);

/// Adds tegulaProductStoreSingles and so on (ProductAbi.h) to the module.
void emitProductStore(mlir::ModuleOp module, mlir::func::FuncOp kernel,
                      const RowKernel &program);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_PRODUCTSTORE_H
