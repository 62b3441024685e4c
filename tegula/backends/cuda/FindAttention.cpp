// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a kernel is nothing but attention.

#include "tegula/backends/cuda/AttentionPattern.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/ir/ops/PlOps.h"

#include "llvm/ADT/bit.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAFINDATTENTION
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CudaFindAttentionPass
    : tegula::impl::CudaFindAttentionBase<CudaFindAttentionPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    VariantRejection unasked;
    for (auto function : module.getOps<func::FuncOp>())
      if (std::optional<AttentionPattern> found =
              AttentionPattern::find(function, unasked))
        note(module, *found);
  }

private:
  static void note(ModuleOp module, const AttentionPattern &found) {
    auto number = [](BlockArgument argument) -> int64_t {
      return argument ? static_cast<int64_t>(argument.getArgNumber()) : -1;
    };
    bool isBf16 = pl::getElementOrSelf(found.queries.getType()).isBF16();
    module->setAttr(
        attentionAttrName,
        Builder(module.getContext())
            .getDenseI64ArrayAttr({number(found.queries), number(found.keys),
                                   number(found.values), number(found.result),
                                   number(found.scale),
                                   llvm::bit_cast<int32_t>(found.scaleNumber),
                                   found.headSize, found.sharing, isBf16,
                                   found.isCausal}));
  }
};

} // namespace
