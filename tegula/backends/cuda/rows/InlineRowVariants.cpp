// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants for whole rows -> functions next to the kernel.

#include "tegula/backends/cuda/Passes.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAINLINEROWVARIANTS
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CudaInlineRowVariantsPass
    : tegula::impl::CudaInlineRowVariantsBase<CudaInlineRowVariantsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto variants = module.lookupSymbol<ModuleOp>(rowsModuleName);
    if (!variants)
      return;
    for (Operation &op : llvm::make_early_inc_range(*variants.getBody()))
      if (auto symbol = dyn_cast<SymbolOpInterface>(op);
          symbol && !module.lookupSymbol(symbol.getNameAttr()))
        op.moveBefore(variants);
    variants.erase();
  }
};

} // namespace
