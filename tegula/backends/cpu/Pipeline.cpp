// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/Pipeline.h"

#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/PipelineBuilder.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tegula;

void tegula::addMatmulPasses(PipelineBuilder &pm, const MachineModel &machine) {
  // Accumulators that stay in a cache, and rows that are enough to share what
  // is read of rhs.
  constexpr int64_t elements = 1 << 17, rows = 64;
  // Loops of an author's become one op, as matmuls of whole arrays are.
  pm.addNestedPass<func::FuncOp>(createRaiseMatmulLoops({elements, rows}));
  // Those with an epilogue go by blocks of rows.
  pm.addNestedPass<func::FuncOp>(createTileMatmulEpilogues(
      {elements, rows, machine.tiles.matmulRows, machine.tiles.matmulColumns}));
}

void tegula::buildCpuPipeline(PipelineBuilder &pm, const CpuOptions &options,
                              const MachineModel &machine) {
  // Tiles become memory and loops.
  // Memories of another machine are planned tile by tile.
  if (!machine.hasBoundedMemory())
    addMatmulPasses(pm, machine);
  pm.addPass(createCpuLowerTilesFor(machine, options));
  buildCpuCodePipeline(pm, options);
}

void tegula::buildCpuCodePipeline(PipelineBuilder &pm,
                                  const CpuOptions &options) {
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());

  // Large kernels are taken apart, so that what follows takes linear time.
  pm.addPass(createCpuShareStatements({options.large.leastShared}));
  pm.addPass(createCpuSplitLongBlocks(
      {options.large.mostPerFunction, options.large.chunk}));

  // Loops become vectors.
  CpuVectorizeOptions vectorize;
  vectorize.vectorBits = options.vectorBits;
  pm.addNestedPass<func::FuncOp>(createCpuVectorize(vectorize));
  CpuVectorMathOptions vectorMath;
  vectorMath.vectorBits = options.vectorBits;
  pm.addPass(createCpuVectorMath(vectorMath));

  // Parallel loops become threads.
  CpuParallelToThreadsOptions parallel;
  parallel.leastWork = options.leastParallelWork;
  pm.addPass(createCpuParallelToThreads(parallel));

  buildCpuLlvmPipeline(pm);
  if (options.keepsLines)
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
}

void tegula::buildCpuLlvmPipeline(PipelineBuilder &pm) {
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCpuToLLVM());
}

void tegula::registerCpuDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, cpu::CpuDialect,
                  func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

void tegula::registerCpuPassesByName() {
  registerCpuPasses();
  PassPipelineRegistration<>(
      "tegula-cpu-pipeline", "tiles to the LLVM dialect, for 512-bit vectors",
      [](OpPassManager &pm) {
        CpuOptions options;
        options.vectorBits = 512;
        PipelineBuilder builder(pm);
        buildCpuPipeline(builder, options, getCpuMachine(true));
      });
}
