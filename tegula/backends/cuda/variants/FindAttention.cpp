// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a kernel is nothing but attention.

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/variants/AttentionPattern.h"
#include "tegula/ir/ops/PlOps.h"

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
    // Nobody asks why a kernel is not attention that has another variant.
    bool isOther = getVariant<cuda::MatmulVariantAttr>(module) ||
                   getVariant<cuda::RowwiseVariantAttr>(module);
    for (auto function : module.getOps<func::FuncOp>()) {
      VariantRejection rejection;
      std::optional<AttentionPattern> found =
          AttentionPattern::find(function, rejection);
      if (found)
        note(module, *found);
      else if (!isOther && !rejection.why.empty())
        setRejection<cuda::AttentionRejectionAttr>(module, rejection, function);
    }
  }

private:
  static void note(ModuleOp module, const AttentionPattern &found) {
    GpuAttention attention;
    attention.queries = found.queries.getArgNumber();
    attention.keys = found.keys.getArgNumber();
    attention.values = found.values.getArgNumber();
    attention.result = found.result.getArgNumber();
    if (found.scale)
      attention.scaleSlot = found.scale.getArgNumber();
    attention.scale = found.scaleNumber;
    attention.headSize = found.headSize;
    attention.sharing = found.sharing;
    attention.isBf16 = pl::getElementOrSelf(found.queries.getType()).isBF16();
    attention.isCausal = found.isCausal;
    setVariant<cuda::AttentionVariantAttr>(module, attention);
  }
};

} // namespace
