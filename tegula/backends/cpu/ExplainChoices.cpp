// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/ExplainChoices.h"

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/backends/cpu/product/ProductReason.h"

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

LogicalResult tegula::explainCpuChoices(ModuleOp module,
                                        const CpuOptions &options,
                                        const CallSizes &sizes) {
  PassManager pm(module.getContext());
  pm.addNestedPass<func::FuncOp>(createCpuMergeProducts());
  if (failed(pm.run(module)))
    return failure();
  module.walk(
      [&](cpu::MultiplyOp product) { explain(product, options, sizes); });
  return success();
}
