// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/RootEstimate.h"

#include "tegula/backends/math/FloatBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

/// 14 bits of 1 / sqrt(x).
static Value estimate(FloatBuilder &on, Value x) {
  OpBuilder &builder = on.getBuilder();
  Value all = arith::ConstantIntOp::create(builder, on.getLoc(), -1, 16);
  return LLVM::CallIntrinsicOp::create(
             builder, on.getLoc(), on.getType(),
             builder.getStringAttr("llvm.x86.avx512.rsqrt14.ps.512"),
             ValueRange{x, on.number(0), all})
      .getResult(0);
}

namespace {

/// 1 / sqrt(x)  ->  y + y * (1 - x * y * y) / 2, with an estimate y
struct EstimateRoot : OpRewritePattern<arith::DivFOp> {
  EstimateRoot(MLIRContext *context, const MathTarget &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    auto root = op.getRhs().getDefiningOp<math::SqrtOp>();
    if (!root || !matchPattern(op.getLhs(), m_OneFloat()))
      return rewriter.notifyMatchFailure(op, "not one over a root");
    FloatBuilder on(rewriter, op.getLoc(), op.getType(), target);
    if (on.isDouble() || !on.isWide())
      return rewriter.notifyMatchFailure(op, "not a register of FP32");
    Value x = root.getOperand();
    Value y = estimate(on, x);
    // Half of a subnormal x would lose a bit.
    Value half = on.mul(on.mul(x, y), on.number(-0.5));
    Value step = on.fma(half, y, on.number(0.5));
    Value better = on.fma(y, step, y);
    // Of 0 and infinity the estimate is exact, and the step is none.
    Value isNone = on.compare(FloatBuilder::Compare::UNO, better, better);
    rewriter.replaceOp(op, on.select(isNone, y, better));
    return success();
  }

  MathTarget target;
};

} // namespace

void tegula::populateRootEstimates(RewritePatternSet &patterns,
                                   const MathTarget &target) {
  patterns.add<EstimateRoot>(patterns.getContext(), target);
}
