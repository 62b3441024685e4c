// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/ExplainChoices.h"

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/backends/cpu/advice/Advice.h"
#include "tegula/backends/cpu/product/ProductReason.h"
#include "tegula/transforms/plan/MakePlan.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tegula;

static Type elementOf(Value tensor) {
  return signlessType(pl::getElementOrSelf(tensor.getType()));
}

static FactorType factorOf(Value tensor) {
  return {elementOf(tensor),
          pl::isUnsigned(pl::getElementOrSelf(tensor.getType()))};
}

static void explain(cpu::MultiplyOp product, const CpuOptions &options,
                    const CallSizes &sizes) {
  pl::SizeEvaluation evaluation(sizes.given);
  Value lhs = product.getLhs(), target = product.getTarget();
  auto rows = evaluation.evaluateExtent(target, 0);
  auto columns = evaluation.evaluateExtent(target, 1);
  auto inner =
      evaluation.evaluateExtent(lhs, product.getTransposeLhs() ? 0 : 1);
  if (!rows || !columns || !inner)
    return;
  ProductForm form{factorOf(lhs), factorOf(product.getRhs()), elementOf(target),
                   options};
  // What several threads do already is not divided again.
  bool isAlone =
      options.useThreads && !product->getParentOfType<pl::ParallelOp>();
  product.emitRemark() << "the product of " << *rows << " x " << *inner
                       << " and " << *inner << " x " << *columns << " "
                       << explainProduct(form,
                                         {*rows, *columns, *inner,
                                          product.getTransposeLhs(),
                                          product.getTransposeRhs()},
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
  PassManager pm(module.getContext());
  pm.addNestedPass<func::FuncOp>(createCpuMergeProducts());
  if (failed(pm.run(module)))
    return failure();
  module.walk(
      [&](cpu::MultiplyOp product) { explain(product, options, sizes); });
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && isKernel(function) &&
        failed(advise(function, options, sizes)))
      return failure();
  return success();
}
