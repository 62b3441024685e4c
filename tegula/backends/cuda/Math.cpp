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

/// FP32 -> BF16 by the instruction for it.
struct TruncateToBf16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isBF16() || !op.getIn().getType().isF32())
      return rewriter.notifyMatchFailure(op, "not from FP32 to BF16");
    // Everything else has narrow floats as integers.
    Value rounded = LLVM::FPTruncOp::create(rewriter, op.getLoc(), op.getType(),
                                            op.getIn());
    Value bits = LLVM::BitcastOp::create(rewriter, op.getLoc(),
                                         rewriter.getI16Type(), rounded);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), bits);
    return success();
  }
};

/// x / y, where an approximation will do  ->  one that is off by two units in
/// the last place at most, for all numbers, and does not branch
struct ApproximateQuotient : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        !op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not FP32, or an exact one");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr("llvm.nvvm.div.full"),
        op.getOperands());
    return success();
  }
};

struct CudaMathPass : tegula::impl::CudaMathBase<CudaMathPass> {
  using CudaMathBase::CudaMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    MathTarget target;
    target.powerOfTwo = powerOfTwo;
    populateAllExpansions(patterns, target);
    constexpr unsigned first = 10;
    if (isOwn)
      patterns.add<TruncateToBf16, ApproximateQuotient>(&getContext(), first);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
