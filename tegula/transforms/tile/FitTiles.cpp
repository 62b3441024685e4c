// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"
#include "tegula/transforms/plan/CheckCapacity.h"
#include "tegula/transforms/plan/PrepareForPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_FITTILES
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// Halves all sizes; false if they were as small as can be.
static bool halve(TileSizes &sizes) {
  bool isSmaller = false;
  for (int64_t *size :
       {&sizes.rows, &sizes.columns, &sizes.elements, &sizes.matmulRows,
        &sizes.matmulColumns, &sizes.depth, &sizes.largest}) {
    isSmaller |= *size > 1;
    *size = std::max<int64_t>(1, *size / 2);
  }
  return isSmaller;
}

/// What is tried after `sizes` did not fit: smaller windows, and before those
/// get too small, of more axes. False if there is nothing left.
static bool shrink(TileSizes &sizes, const TileSizes &first) {
  constexpr int64_t leastShare = 4;
  if (sizes.cutsAllAxes ||
      sizes.matmulColumns * leastShare > first.matmulColumns)
    return halve(sizes);
  sizes = first;
  sizes.cutsAllAxes = true;
  return true;
}

namespace {

struct FitTilesPass : tegula::impl::FitTilesBase<FitTilesPass> {
  explicit FitTilesPass(MachineModel machine) : machine(std::move(machine)) {}
  void runOnOperation() override;

private:
  MachineModel machine;
};

} // namespace

void FitTilesPass::runOnOperation() {
  func::FuncOp function = getOperation();
  if (function.isExternal())
    return;
  OwningOpRef<func::FuncOp> uncut = function.clone();
  for (TileSizes sizes = machine.tiles;;) {
    OpPassManager pm(func::FuncOp::getOperationName());
    PipelineBuilder builder(pm);
    buildCutPipeline(builder, sizes);
    if (failed(runPipeline(pm, function)))
      return signalPassFailure();
    OwningOpRef<func::FuncOp> planned = function.clone();
    prepareForPlan(*planned, machine);
    if (failed(requireBoundedTiles(*planned)))
      return signalPassFailure();
    TilePlan plan(*planned, machine);
    if (plan.memory.fits(machine))
      return;
    if (!shrink(sizes, machine.tiles)) {
      (void)checkCapacity(*planned, plan);
      return signalPassFailure();
    }
    OwningOpRef<func::FuncOp> again = uncut->clone();
    function.getBody().takeBody(again->getBody());
  }
}

std::unique_ptr<Pass> tegula::createFitTiles(const MachineModel &machine) {
  return std::make_unique<FitTilesPass>(machine);
}
