// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/ExpandMath.h"

#include "tegula/backends/NarrowFloats.h"
#include "tegula/backends/math/Functions.h"
#include "tegula/backends/math/HalfConversions.h"
#include "tegula/backends/math/RootEstimate.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"

using namespace mlir;
using namespace tegula;

static bool isExpandable(Type type) {
  return isa<Float32Type, Float64Type>(getElementTypeOrSelf(type));
}

namespace {

/// f(x)  ->  arithmetic
template <typename MathOp> struct Expand : OpRewritePattern<MathOp> {
  using Build = Value (*)(FloatBuilder &, Value);

  Expand(MLIRContext *context, const MathTarget &target, Build build)
      : OpRewritePattern<MathOp>(context), target(target), build(build) {}

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "not of FP32 or FP64");
    FloatBuilder on(rewriter, op.getLoc(), op.getType(), target);
    rewriter.replaceOp(op, build(on, op.getOperand()));
    return success();
  }

  MathTarget target;
  Build build;
};

struct ExpandPow : OpRewritePattern<math::PowFOp> {
  ExpandPow(MLIRContext *context, const MathTarget &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "not of FP32 or FP64");
    FloatBuilder on(rewriter, op.getLoc(), op.getType(), target);
    rewriter.replaceOp(op, buildPow(on, op.getLhs(), op.getRhs()));
    return success();
  }

  MathTarget target;
};

} // namespace

template <bool isCosine> static Value buildSineOf(FloatBuilder &on, Value x) {
  return buildSine(on, x, isCosine);
}

void tegula::populateMathExpansions(RewritePatternSet &patterns,
                                    const MathTarget &target) {
  MLIRContext *context = patterns.getContext();
  patterns.add<Expand<math::ExpOp>>(context, target, buildExp);
  patterns.add<Expand<math::LogOp>>(context, target, buildLog);
  patterns.add<Expand<math::TanhOp>>(context, target, buildTanh);
  patterns.add<Expand<math::ErfOp>>(context, target, buildErf);
  patterns.add<Expand<math::SinOp>>(context, target, buildSineOf<false>);
  patterns.add<Expand<math::CosOp>>(context, target, buildSineOf<true>);
  if (target.hasAvx512)
    populateRootEstimates(patterns, target);
}

void tegula::populatePowExpansion(RewritePatternSet &patterns,
                                  const MathTarget &target) {
  patterns.add<ExpandPow>(patterns.getContext(), target);
}

void tegula::populateAllExpansions(RewritePatternSet &patterns,
                                   const MathTarget &target) {
  populateMathExpansions(patterns, target);
  populatePowExpansion(patterns, target);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  populateNarrowFloatPatterns(patterns);
  arith::populateExpandBFloat16Patterns(patterns);
  if (!target.convertsHalves)
    populateHalfConversions(patterns, target);
}
