// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions and narrow floats as arithmetic.

#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/math/ExpandMath.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAMATH
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CudaMathPass : tegula::impl::CudaMathBase<CudaMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateAllExpansions(patterns, MathTarget());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
