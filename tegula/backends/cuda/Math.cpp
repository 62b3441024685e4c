// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions and narrow floats as arithmetic.

#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/math/ExpandMath.h"
#include "tegula/backends/math/Functions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAMATH
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// FP32 -> BF16 by the instruction for it, which rounds two at once; so does
/// that for FP16.
struct TruncateByInstruction : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType());
    bool isPair = isa<VectorType>(op.getType());
    if (!from.isF32() || (isPair ? !isHalf(getElementTypeOrSelf(op.getType()))
                                 : !op.getType().isBF16()))
      return rewriter.notifyMatchFailure(op, "not from FP32 to such a float");
    // Everything else has narrow floats as integers.
    Value rounded = LLVM::FPTruncOp::create(rewriter, op.getLoc(), op.getType(),
                                            op.getIn());
    Type word = rewriter.getI16Type();
    if (auto pair = dyn_cast<VectorType>(op.getType()))
      word = pair.cloneWith(std::nullopt, word);
    Value bits = LLVM::BitcastOp::create(rewriter, op.getLoc(), word, rounded);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), bits);
    return success();
  }

private:
  static bool isHalf(Type type) { return type.isBF16() || type.isF16(); }
};

/// exp(x), where an approximation will do  ->  2 ** (x / ln(2)), off by
/// 2 ** -17 of the result at most, and 0 below the normal numbers
struct ApproximateExp : OpRewritePattern<math::ExpOp> {
  ApproximateExp(MLIRContext *context, StringRef powerOfTwo, unsigned benefit)
      : OpRewritePattern(context, benefit), powerOfTwo(powerOfTwo) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        !op.getType().isF32() || powerOfTwo.empty())
      return rewriter.notifyMatchFailure(op, "not FP32, or an exact one");
    constexpr float factor = 0x1.715476p0f;
    Location loc = op.getLoc();
    Value scale = arith::ConstantOp::create(rewriter, loc,
                                            rewriter.getF32FloatAttr(factor));
    Value power = arith::MulFOp::create(rewriter, loc, op.getOperand(), scale);
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr(powerOfTwo), power);
    return success();
  }

private:
  std::string powerOfTwo;
};

/// An op on FP32, where an approximation will do  ->  the chip's instruction,
/// which does not branch
template <typename OpT> struct Approximate : OpRewritePattern<OpT> {
  Approximate(MLIRContext *context, StringRef intrinsic, unsigned benefit)
      : OpRewritePattern<OpT>(context, benefit), intrinsic(intrinsic) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        !op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not FP32, or an exact one");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr(intrinsic), op->getOperands());
    return success();
  }

private:
  StringRef intrinsic;
};

/// tanh(x), where an approximation will do  ->  1 - 2 / (2 ** (2 x / ln(2)) +
/// 1) for large numbers, off by three units in the last place at most
struct ApproximateTanh : OpRewritePattern<math::TanhOp> {
  ApproximateTanh(MLIRContext *context, const MathTarget &target,
                  unsigned benefit)
      : OpRewritePattern(context, benefit), target(target) {}

  LogicalResult matchAndRewrite(math::TanhOp op,
                                PatternRewriter &rewriter) const override {
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        !op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not FP32, or an exact one");
    constexpr double factor = 0x1.715476p1;
    FloatBuilder on(rewriter, op.getLoc(), op.getType(), target);
    auto call = [&](StringRef name, Value operand) {
      return LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), op.getType(),
                                           rewriter.getStringAttr(name),
                                           operand)
          .getResult(0);
    };
    Value result = buildTanhOf(on, op.getOperand(), [&](Value a) {
      Value power = call(target.powerOfTwo, on.mul(a, on.number(factor)));
      Value part =
          call("llvm.nvvm.rcp.approx.ftz.f", on.add(power, on.number(1)));
      return on.fma(on.number(-2), part, on.number(1));
    });
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  MathTarget target;
};

struct CudaMathPass : tegula::impl::CudaMathBase<CudaMathPass> {
  using CudaMathBase::CudaMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    MathTarget target;
    target.powerOfTwo = powerOfTwo;
    populateAllExpansions(patterns, target);
    constexpr unsigned first = 10;
    if (isOwn) {
      patterns.add<TruncateByInstruction>(&getContext(), first);
      // Off by two units in the last place at most, for all numbers, and by
      // one.
      patterns.add<Approximate<arith::DivFOp>>(&getContext(),
                                               "llvm.nvvm.div.full", first);
      patterns.add<Approximate<math::SqrtOp>>(&getContext(),
                                              "llvm.nvvm.sqrt.approx.f", first);
      patterns.add<ApproximateExp>(&getContext(), powerOfTwo, first);
      patterns.add<ApproximateTanh>(&getContext(), target, first);
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
