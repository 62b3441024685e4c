// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions and narrow floats as arithmetic of the processor.

#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/math/ExpandMath.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tegula {
#define GEN_PASS_DEF_CPUVECTORMATH
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CpuVectorMathPass : tegula::impl::CpuVectorMathBase<CpuVectorMathPass> {
  using Parent = tegula::impl::CpuVectorMathBase<CpuVectorMathPass>;
  using Parent::Parent;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    MathTarget target;
    // What has AVX2 has these, too.
    target.fuses = target.convertsHalves = vectorBits > 128;
    target.hasAvx512 = vectorBits == 512;
    populateAllExpansions(patterns, target);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
