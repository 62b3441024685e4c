// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/advice/ExplainChoices.h"

#include "tegula/backends/RunPasses.h"
#include "tegula/backends/codegen/LowerTiles.h"
#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/cpu/advice/Advice.h"
#include "tegula/backends/cpu/matmul/ExplainMatmul.h"
#include "tegula/ir/ops/PlMatmulOps.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/plan/MakePlan.h"

using namespace mlir;
using namespace tegula;

static Type elementOf(Value tensor) {
  return signlessType(pl::getElementOrSelf(tensor.getType()));
}

static OperandType operandOf(Value tensor) {
  return {elementOf(tensor),
          pl::isUnsigned(pl::getElementOrSelf(tensor.getType()))};
}

static std::optional<OperandStrides> stridesOf(CallShapes &shapes,
                                               Value tensor) {
  std::optional<Extents> found = shapes.findStrides(tensor);
  return found ? std::optional(OperandStrides{found->front(), found->back()})
               : std::nullopt;
}

static void explain(pl::MatmulIntoOp matmul, const CpuOptions &options,
                    const CallSizes &sizes, CallShapes &shapes) {
  Value lhs = matmul.getLhs(), target = matmul.getTarget();
  std::optional<Extents> sides = shapes.findExtents(target);
  std::optional<Extents> left = shapes.findExtents(lhs);
  if (!sides || !left)
    return;
  int64_t inner = matmul.getTransposeLhs() ? left->front() : left->back();
  MatmulVariant variant{operandOf(lhs), operandOf(matmul.getRhs()),
                        elementOf(target), options};
  // What several threads do already is not divided again.
  bool isAlone =
      options.useThreads && !matmul->getParentOfType<pl::ParallelOp>();
  MatmulExtents extents{sides->front(),
                        sides->back(),
                        inner,
                        matmul.getTransposeLhs(),
                        matmul.getTransposeRhs(),
                        stridesOf(shapes, lhs),
                        stridesOf(shapes, matmul.getRhs())};
  matmul.emitRemark() << "the matmul of " << extents.rows << " x " << inner
                      << " and " << inner << " x " << extents.columns << " "
                      << explainMatmul(variant, extents,
                                       isAlone ? sizes.threads : 1);
}

/// What could be changed, by the plan that the code of the function follows.
static LogicalResult advise(func::FuncOp function, const CpuOptions &options,
                            const CallSizes &sizes) {
  FailureOr<std::unique_ptr<TilePlan>> plan =
      makePlan(function, getCpuMachine(options.useThreads));
  if (failed(plan))
    return failure();
  Advised advised{function, options, sizes, **plan,
                  CallShapes(function, sizes)};
  adviseOnStrides(advised);
  adviseOnCopies(advised);
  adviseOnTiles(advised);
  adviseOnScratch(advised);
  return success();
}

LogicalResult tegula::explainCpuChoices(ModuleOp module,
                                        const CpuOptions &options,
                                        const CallSizes &sizes) {
  auto addPasses = [&](PipelineBuilder &pm) {
    addMatmulPasses(pm, getCpuMachine(options.useThreads));
  };
  if (failed(runPasses(module, addPasses)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !isKernel(function))
      continue;
    CallShapes shapes(function, sizes);
    function.walk([&](pl::MatmulIntoOp matmul) {
      explain(matmul, options, sizes, shapes);
    });
    if (failed(advise(function, options, sizes)))
      return failure();
  }
  return success();
}
