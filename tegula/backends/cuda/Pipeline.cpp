// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/Pipeline.h"

#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tegula;

/// What raises 2 to a power on GPUs, and on this processor.
static constexpr llvm::StringLiteral devicePower =
    "llvm.nvvm.ex2.approx.ftz.f32";
static constexpr llvm::StringLiteral hostPower = "llvm.exp2.f32";

/// The machine with tiles that a block has registers for.
static MachineModel fitRegisters(MachineModel machine) {
  machine.computesOnTensors = false;
  TileSizes &tiles = machine.tiles;
  tiles.rows = 4;
  tiles.columns = 4096;
  tiles.windowElements = 1 << 13;
  return machine;
}

void tegula::buildCudaFitPipeline(PipelineBuilder &pm,
                                  const CudaBlocks &blocks) {
  // Row-wise kernels and matmuls get variants of their own, while rows are
  // whole.
  if (!blocks.isGeneral)
    pm.addPass(createCudaFindRows());
  if (!blocks.hasTensorCores)
    return;
  // Whole-array expressions become loops over rows, whose extents are traced.
  pm.addNestedPass<func::FuncOp>(
      createFuseRowLoops({/*rows=*/8, /*readCost=*/-1}));
  pm.addNestedPass<func::FuncOp>(createCudaMakeRowLoops());
  pm.addNestedPass<func::FuncOp>(createResolveExtents());
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());
  // Iterations become as large as blocks have registers for.
  pm.addNestedPass<func::FuncOp>(createCudaFitTiles());
}

void tegula::buildCudaLayoutsPipeline(PipelineBuilder &pm,
                                      const MachineModel &machine,
                                      const CudaBlocks &blocks) {
  // Whole-array expressions are cut into tiles, as for every target.
  buildTilePipeline(pm,
                    blocks.hasTensorCores ? fitRegisters(machine) : machine);

  // Attention is noted, for chips that have tuned code for it.
  if (!blocks.isGeneral)
    pm.addPass(createCudaFindAttention());
  buildCudaLoopsPipeline(pm, machine);

  // Which threads hold what of a tile is said, where all ops have rules.
  if (blocks.hasTensorCores)
    pm.addNestedPass<func::FuncOp>(
        createCudaAssignLayouts({blocks.warps, blocks.hasWarpgroups}));
}

void tegula::buildCudaLoopsPipeline(PipelineBuilder &pm,
                                    const MachineModel &machine) {
  // Outer loops are taken for parallel ones, and those proved that are.
  pm.addNestedPass<func::FuncOp>(createCudaAssumeParallelLoops());
  pm.addNestedPass<func::FuncOp>(
      createProveParallel({machine.addsAtomically, /*onlyMade=*/true}));
  pm.addPass(createCSEPass());
}

void tegula::buildCudaBlocksPipeline(PipelineBuilder &pm,
                                     const CudaBlocks &blocks) {
  // Tiles with layouts become registers.
  pm.addNestedPass<func::FuncOp>(
      createCudaDistributeTiles({blocks.sharedBytes}));
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());

  // Other tiles become memory and loops.
  pm.addPass(createCudaLowerTiles());
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());

  // Loops are distributed to blocks and threads; the host launches them.
  pm.addPass(createCudaDistributeToThreads({blocks.sharedBytes}));
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());
}

void tegula::buildCudaVariantsPipeline(PipelineBuilder &pm) {
  // Variants for whole rows are put next to the kernel.
  pm.addPass(createCudaInlineRowVariants());
}

/// From functions that threads run to the LLVM dialect.
static void addCudaCodePasses(PipelineBuilder &pm) {
  // Mathematical functions become arithmetic and the chip's estimates.
  pm.addPass(createCudaMath({devicePower.str(), /*isOwn=*/true}));
  // Loops become branches, everything the LLVM dialect.
  buildCpuLlvmPipeline(pm);
}

void tegula::buildCudaDevicePipeline(PipelineBuilder &pm) {
  // What runs on the host, and the epilogue, are taken away.
  pm.addPass(createCudaKeepDevice());
  addCudaCodePasses(pm);
}

void tegula::buildCudaEpiloguePipeline(PipelineBuilder &pm) {
  // By now it is the only module inside this one.
  PipelineBuilder epilogue = pm.nest<ModuleOp>();
  addCudaCodePasses(epilogue);
}

void tegula::buildCudaHostPipeline(PipelineBuilder &pm, bool isEmulated) {
  // What runs on the device is taken away, or made callable by the emulator.
  pm.addPass(createCudaKeepHost({isEmulated}));
  // Mathematical functions become arithmetic of this processor.
  pm.addPass(createCudaMath({hostPower.str(), /*isOwn=*/false}));
  // Loops become branches, everything the LLVM dialect.
  buildCpuLlvmPipeline(pm);
}
