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
  // Loops over rows of a matmul take blocks of rows, and compute these.
  pm.addNestedPass<func::FuncOp>(createTileMatmulReaders({elements, rows}));
  // Matmuls with an epilogue become loops over blocks of rows.
  pm.addNestedPass<func::FuncOp>(createTileMatmulEpilogues(
      {elements, rows, machine.tiles.matmulRows, machine.tiles.matmulColumns}));
}

void tegula::buildCpuPipeline(PipelineBuilder &pm, const CpuOptions &options,
                              const MachineModel &machine) {
  // Memories of another machine are planned tile by tile, matmuls too.
  if (!machine.hasBoundedMemory())
    addMatmulPasses(pm, machine);
  // Tiles become memory and loops, matmuls calls of micro-kernels.
  pm.addPass(createCpuLowerTilesFor(machine, options));
  buildCpuCodePipeline(pm, options);
}

void tegula::buildCpuCodePipeline(PipelineBuilder &pm,
                                  const CpuOptions &options) {
  // Index arithmetic is folded, and what is computed twice becomes one.
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());

  // Equal loops of a large kernel become one function, which is called.
  pm.addPass(createCpuShareStatements({options.large.leastShared}));
  // Long runs of statements become functions, so that what follows takes linear
  // time.
  pm.addPass(createCpuSplitLongBlocks(
      {options.large.mostPerFunction, options.large.chunk}));

  // linalg ops become loops over vectors, the rest of a row under a mask.
  CpuVectorizeOptions vectorize;
  vectorize.vectorBits = options.vectorBits;
  pm.addNestedPass<func::FuncOp>(createCpuVectorize(vectorize));
  // Mathematical functions and conversions of narrow floats become arithmetic.
  CpuVectorMathOptions vectorMath;
  vectorMath.vectorBits = options.vectorBits;
  pm.addPass(createCpuVectorMath(vectorMath));

  // Parallel loops become functions that threads share, where there is enough
  // work.
  CpuParallelToThreadsOptions parallel;
  parallel.leastWork = options.leastParallelWork;
  pm.addPass(createCpuParallelToThreads(parallel));

  buildCpuLlvmPipeline(pm);
  // Functions get debug information, so that debuggers find the source.
  if (options.keepsLines)
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
}

void tegula::buildCpuLlvmPipeline(PipelineBuilder &pm) {
  // Loops and branches become jumps between blocks.
  pm.addPass(createSCFToControlFlowPass());
  // Everything else becomes the LLVM dialect.
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
