// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The road from tensor-level kernels to the steps of a simulated NPU, and to
/// the code of this processor that computes their values and traces them.

#ifndef TEGULA_BACKENDS_NPU_PIPELINE_H
#define TEGULA_BACKENDS_NPU_PIPELINE_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/transforms/MachineModel.h"

namespace tegula {

class PipelineBuilder;

/// From stage `inferred` to `tiles`: the kernel once for each way to cut it.
void buildNpuTilesPipeline(PipelineBuilder &pm, const MachineModel &model);

/// From there to stage `npu`: steps on the units of the machine.
void buildNpuStepsPipeline(PipelineBuilder &pm, const sim::Machine &machine,
                           const MachineModel &model);

/// From steps to a function that computes their values, in the LLVM dialect.
void buildNpuValuePipeline(PipelineBuilder &pm);

/// From steps to a function that traces them, with loops and branches.
void buildNpuTracePipeline(PipelineBuilder &pm);

/// The same in the LLVM dialect.
void buildNpuTraceCodePipeline(PipelineBuilder &pm);

/// From steps to a function that does both, in the LLVM dialect.
void buildNpuRecordingPipeline(PipelineBuilder &pm);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_PIPELINE_H
