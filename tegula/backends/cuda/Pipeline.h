// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The road from tensor-level kernels to the code of a GPU and of its host.

#ifndef TEGULA_BACKENDS_CUDA_PIPELINE_H
#define TEGULA_BACKENDS_CUDA_PIPELINE_H

#include "tegula/transforms/MachineModel.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tegula {

/// From stage `inferred` to `blocks`, on a module: one function of the host,
/// and one of the device that all threads run. Variants for whole rows, and the
/// epilogue of a matmul, are in modules of their own. The threads of a block
/// share at most so many bytes.
void buildCudaBlocksPipeline(mlir::OpPassManager &pm,
                             const MachineModel &machine, int64_t sharedBytes);

/// From there: all functions in one module but the epilogue's. An image is made
/// of these.
void buildCudaVariantsPipeline(mlir::OpPassManager &pm);

/// From there to stage `device`: the functions of the device, in the LLVM
/// dialect. DeviceModule.h makes stages `nvvm` and `ptx` of them.
void buildCudaDevicePipeline(mlir::OpPassManager &pm);

/// The same for the module of an epilogue, which holds nothing else.
void buildCudaEpiloguePipeline(mlir::OpPassManager &pm);

/// From all functions to stage `host`: those of the host, in the LLVM dialect.
/// HostModule.h puts the program into it. Where the GPU is emulated, the
/// functions of the device stay.
void buildCudaHostPipeline(mlir::OpPassManager &pm, bool isEmulated);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_PIPELINE_H
