// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/Pipeline.h"

#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/npu/NpuMachine.h"
#include "tegula/backends/npu/Passes.h"
#include "tegula/backends/npu/trace/HostCode.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tegula;

void tegula::buildNpuTilesPipeline(PipelineBuilder &pm,
                                   const MachineModel &model) {
  // The kernel is cut into tiles in several ways; a call chooses. Each way runs
  // the tile pipeline.
  pm.addPassAround(
      [&](PipelineBuilder &tiles) { buildTilePipeline(tiles, model); },
      [&](size_t limit) {
        return createNpuCutTilings(model, listTilings(model), limit);
      });
}

void tegula::buildNpuStepsPipeline(PipelineBuilder &pm,
                                   const sim::Machine &machine,
                                   const MachineModel &model) {
  // Tiles become steps on units, with what they wait for.
  pm.addPass(createNpuLowerTiles(machine, model));
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());
}

void tegula::buildNpuValuePipeline(PipelineBuilder &pm) {
  // Steps become what they compute, in their order.
  pm.addPass(createNpuInlineSteps());
  buildCpuCodePipeline(pm, getHostOptions());
}

void tegula::buildNpuTracePipeline(PipelineBuilder &pm) {
  // Steps become calls that trace what they do.
  pm.addPass(createNpuToTrace());
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());
  // Divisions that round up become ordinary ones.
  pm.addPass(arith::createArithExpandOpsPass());
}

void tegula::buildNpuTraceCodePipeline(PipelineBuilder &pm) {
  buildNpuTracePipeline(pm);
  buildCpuLlvmPipeline(pm);
}

void tegula::buildNpuRecordingPipeline(PipelineBuilder &pm) {
  // Steps become what they compute, and calls of the simulator.
  pm.addPass(createNpuToTrace({/*run=*/true}));
  buildCpuCodePipeline(pm, getHostOptions());
}
