// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The road from tensor-level kernels to the code of a GPU and of its host.

#ifndef TEGULA_BACKENDS_CUDA_PIPELINE_H
#define TEGULA_BACKENDS_CUDA_PIPELINE_H

#include "tegula/transforms/MachineModel.h"

namespace tegula {

class PipelineBuilder;

/// What a pipeline has to know of the chip and the launch.
struct CudaBlocks {
  /// Warps of a block, and the bytes that its threads share at most.
  int64_t warps, sharedBytes;
  /// Whether the chip has mma.sync of 16-bit floats.
  bool hasTensorCores;
  /// Whether it has wgmma, by which four warps multiply together.
  bool hasWarpgroups;
  /// Whether no kernel gets a tuned variant.
  bool isGeneral = false;
};

/// From stage `inferred` to `fit`: iterations have as much as a block keeps in
/// registers.
void buildCudaFitPipeline(PipelineBuilder &pm, const CudaBlocks &blocks);

/// From there to `layouts`: tiles have layouts where a block keeps them in
/// registers.
void buildCudaLayoutsPipeline(PipelineBuilder &pm, const MachineModel &machine,
                              const CudaBlocks &blocks);

/// A part of that, from stage `tiles` on: loops whose iterations blocks may
/// share are found.
void buildCudaLoopsPipeline(PipelineBuilder &pm, const MachineModel &machine);

/// From stage `layouts` to `blocks`, on a module: one function of the host,
/// and one of the device that all threads run. Variants for whole rows, and the
/// epilogue of a matmul, are in modules of their own.
void buildCudaBlocksPipeline(PipelineBuilder &pm, const CudaBlocks &blocks);

/// From there: all functions in one module but the epilogue's. An image is made
/// of these.
void buildCudaVariantsPipeline(PipelineBuilder &pm);

/// From there to stage `device`: the functions of the device, in the LLVM
/// dialect. DeviceModule.h makes stages `nvvm` and `ptx` of them.
void buildCudaDevicePipeline(PipelineBuilder &pm);

/// The same for the epilogue of a matmul, in the module of its own that it has.
/// There it stays.
void buildCudaEpiloguePipeline(PipelineBuilder &pm);

/// From all functions to stage `host`: those of the host, in the LLVM dialect.
/// HostModule.h puts the program into it. Where the GPU is emulated, the
/// functions of the device stay.
void buildCudaHostPipeline(PipelineBuilder &pm, bool isEmulated);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_PIPELINE_H
