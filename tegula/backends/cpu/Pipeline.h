// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The road from tile programs to the LLVM dialect.

#ifndef TEGULA_BACKENDS_CPU_PIPELINE_H
#define TEGULA_BACKENDS_CPU_PIPELINE_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/transforms/MachineModel.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tegula {

class PipelineBuilder;

/// Adds the passes after which each matmul of whole matrices is one op without
/// an epilogue, with blocks as the caches of this processor want them.
void addMatmulPasses(PipelineBuilder &pm, const MachineModel &machine);

/// From stage `tiles` to the LLVM dialect, on a module. Afterwards the module
/// holds `llvm.func @<kernel>(ptr slots, ptr state)` as in KernelAbi.h. The
/// memories of the machine are parts of this one.
void buildCpuPipeline(PipelineBuilder &pm, const CpuOptions &options,
                      const MachineModel &machine);

/// The same from what CpuLowerTiles makes, and from loops and branches on
/// numbers alone.
void buildCpuCodePipeline(PipelineBuilder &pm, const CpuOptions &options);
void buildCpuLlvmPipeline(PipelineBuilder &pm);

/// Adds what the pipeline and the translation after it need to the registry
/// of a context.
void registerCpuDialects(mlir::DialectRegistry &registry);

/// Makes the passes known by name, for drivers.
void registerCpuPassesByName();

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_PIPELINE_H
