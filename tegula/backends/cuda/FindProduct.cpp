// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a kernel is nothing but a product of matrices.

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/ir/PlOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAFINDPRODUCT
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The only op that touches memory, if it is a product of whole parameters.
static cpu::MultiplyOp findProduct(func::FuncOp function) {
  cpu::MultiplyOp product;
  for (Operation &op : function.getBody().front().without_terminator()) {
    auto multiply = dyn_cast<cpu::MultiplyOp>(op);
    if (multiply && !product)
      product = multiply;
    else if (!isPure(&op) && !isa<pl::BindOp>(op))
      return {};
  }
  if (product && llvm::all_of(product->getOperands(), [](Value tensor) {
        return isa<BlockArgument>(tensor);
      }))
    return product;
  return {};
}

namespace {

struct CudaFindProductPass
    : tegula::impl::CudaFindProductBase<CudaFindProductPass> {
  /// Loops are merged in a copy, so that the plain form stays as it is.
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isExternal())
        continue;
      func::FuncOp copy = function.clone();
      copy.setName((function.getName() + "_merged").str());
      module.push_back(copy);
      OpPassManager pm("func.func");
      pm.addPass(createCpuMergeProducts());
      if (failed(runPipeline(pm, copy)))
        return signalPassFailure();
      if (cpu::MultiplyOp product = findProduct(copy))
        note(module, product);
      copy.erase();
    }
  }

private:
  static void note(ModuleOp module, cpu::MultiplyOp product) {
    Type left = pl::getElementOrSelf(product.getLhs().getType());
    Type right = pl::getElementOrSelf(product.getRhs().getType());
    Type target = pl::getElementOrSelf(product.getTarget().getType());
    if (left != right || (!left.isBF16() && !left.isF16()) ||
        (!target.isF32() && target != left))
      return;
    auto number = [](Value tensor) -> int64_t {
      return cast<BlockArgument>(tensor).getArgNumber();
    };
    module->setAttr(
        productAttrName,
        Builder(module.getContext())
            .getDenseI64ArrayAttr(
                {number(product.getLhs()), number(product.getRhs()),
                 number(product.getTarget()), product.getTransposeLhs(),
                 product.getTransposeRhs(), left.isBF16(), !target.isF32()}));
  }
};

} // namespace
