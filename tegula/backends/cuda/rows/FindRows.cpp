// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants for kernels that do the same with every row, and for matmuls with
// such an epilogue.

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/rows/RowVariants.h"
#include "tegula/backends/cuda/variants/MatmulElement.h"
#include "tegula/backends/cuda/variants/MatmulEpilogue.h"
#include "tegula/backends/cuda/variants/TileStore.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAFINDROWS
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CudaFindRowsPass : tegula::impl::CudaFindRowsBase<CudaFindRowsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    if (functions.size() != 1 || functions.front().isExternal())
      return;
    // Variants are made from a copy where matmuls are one op; the kernel keeps
    // its loops, for calls that none of them can take.
    ModuleOp copy = module.clone();
    module.push_back(copy);
    OwningOpRef<ModuleOp> owned(copy);
    func::FuncOp kernel = *copy.getOps<func::FuncOp>().begin();
    if (failed(raiseMatmuls(kernel)))
      return signalPassFailure();
    VariantRejection rejection;
    std::optional<RowwiseKernel> program =
        RowwiseKernel::find(kernel, getCudaMachine().rowReductions, rejection);
    if (!program) {
      setRejection<cuda::RowRejectionAttr>(module, rejection, kernel);
      return;
    }
    OpBuilder builder(module.getBodyRegion());
    builder.setInsertionPointToEnd(module.getBody());
    bool isMatmul = program->matmul.has_value();
    auto made = ModuleOp::create(builder, module.getLoc(),
                                 isMatmul ? storeModuleName : rowsModuleName);
    GpuRows rows;
    if (isMatmul) {
      rows = describeRows(*program);
      if (hasHopperVariant(getElement(*program->matmul)))
        emitMatmulEpilogue(made, kernel, *program);
      emitTileStore(made, kernel, *program);
      note(module, *program);
    } else {
      rows = emitRowVariants(made, kernel, *program);
    }
    // Functions of the device say which schedules they are.
    rows.variants.clear();
    setVariant<cuda::RowwiseVariantAttr>(module, rows);
  }

private:
  /// Each writes its accumulators to a tensor, which rows read.
  LogicalResult raiseMatmuls(func::FuncOp kernel) {
    OpPassManager pm(func::FuncOp::getOperationName());
    RaiseMatmulLoopsOptions options;
    options.wholeAccumulators = true;
    pm.addPass(createRaiseMatmulLoops(options));
    return runPipeline(pm, kernel);
  }

  static void note(ModuleOp module, const RowwiseKernel &program) {
    const RowMatmul &matmul = *program.matmul;
    BlockArgument epilogueOperand = findEpilogueOperand(program);
    GpuMatmul variant;
    variant.left = matmul.left.getArgNumber();
    variant.right = matmul.right.getArgNumber();
    variant.isLeftTransposed = matmul.isLeftTransposed;
    variant.isRightTransposed = matmul.isRightTransposed;
    variant.element = getElement(matmul);
    variant.isLong = program.computesFunctions();
    if (epilogueOperand)
      variant.epilogueOperand = epilogueOperand.getArgNumber();
    setVariant<cuda::MatmulVariantAttr>(module, variant);
  }
};

} // namespace
