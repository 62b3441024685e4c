// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/NarrowFloats.h"

#include "tegula/ir/interpreter/EightBitFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tegula;

static bool isNarrow(Type type) {
  return pl::isNarrowFloat(getElementTypeOrSelf(type));
}

/// The same shape with another element type.
static Type withElementType(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

static Value constantLike(OpBuilder &builder, Location loc, Type type,
                          int64_t number) {
  TypedAttr attribute =
      builder.getIntegerAttr(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// FP64 to FP32, toward zero, and with the last bit set if anything was lost:
/// then rounding once more to fewer bits gives what rounding once would have.
static Value truncateToOdd(OpBuilder &builder, Location loc, Value value) {
  Type f32 = withElementType(value.getType(), builder.getF32Type());
  Type i32 = withElementType(value.getType(), builder.getI32Type());
  Value nearest = arith::TruncFOp::create(builder, loc, f32, value);
  Value back = arith::ExtFOp::create(builder, loc, value.getType(), nearest);
  Value isInexact = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ONE, back, value);
  Value isAbove =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                            math::AbsFOp::create(builder, loc, back),
                            math::AbsFOp::create(builder, loc, value));
  Value bits = arith::BitcastOp::create(builder, loc, i32, nearest);
  Value one = constantLike(builder, loc, i32, 1);
  Value below = arith::SubIOp::create(builder, loc, bits, one);
  Value toZero = arith::SelectOp::create(builder, loc, isAbove, below, bits);
  Value odd = arith::OrIOp::create(builder, loc, toZero, one);
  Value chosen = arith::SelectOp::create(builder, loc, isInexact, odd, bits);
  return arith::BitcastOp::create(builder, loc, f32, chosen);
}

namespace {

/// truncf f32 -> 8 bits  ->  integer arithmetic
struct TruncateToByte : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    if (!pl::isEightBitFloat(to))
      return rewriter.notifyMatchFailure(op, "not to an 8-bit float");
    Type from = getElementTypeOrSelf(op.getIn().getType());
    if (from.isF64())
      return rewriter.notifyMatchFailure(op, "not from FP32 yet");
    Value wide = op.getIn();
    if (!from.isF32())
      wide = arith::ExtFOp::create(
          rewriter, op.getLoc(),
          withElementType(wide.getType(), rewriter.getF32Type()), wide);
    Value bits =
        pl::buildEightBits(rewriter, op.getLoc(), wide, to, pl::Rounding::Rint);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), bits);
    return success();
  }
};

/// extf 8 bits -> any  ->  integer arithmetic, then truncf or extf from f32
struct ExtendFromByte : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType());
    if (!pl::isEightBitFloat(from))
      return rewriter.notifyMatchFailure(op, "not from an 8-bit float");
    Location loc = op.getLoc();
    Value bits = arith::BitcastOp::create(
        rewriter, loc, withElementType(op.getType(), rewriter.getI8Type()),
        op.getIn());
    Value wide = pl::buildFromEightBits(rewriter, loc, bits, from);
    Type to = getElementTypeOrSelf(op.getType());
    if (to.isF64())
      wide = arith::ExtFOp::create(rewriter, loc, op.getType(), wide);
    else if (!to.isF32())
      wide = arith::TruncFOp::create(rewriter, loc, op.getType(), wide);
    rewriter.replaceOp(op, wide);
    return success();
  }
};

/// truncf f64 -> narrow  ->  truncf (to odd f64 -> f32) -> narrow
struct TruncateInSteps : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getType()) ||
        !getElementTypeOrSelf(op.getIn().getType()).isF64())
      return rewriter.notifyMatchFailure(op, "one step already");
    Value middle = truncateToOdd(rewriter, op.getLoc(), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), middle);
    return success();
  }
};

/// extf narrow -> f64  ->  extf (extf narrow -> f32) -> f64
struct ExtendInSteps : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getIn().getType()) ||
        pl::isEightBitFloat(getElementTypeOrSelf(op.getIn().getType())) ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "one step already");
    Type f32 = withElementType(op.getType(), rewriter.getF32Type());
    Value middle =
        arith::ExtFOp::create(rewriter, op.getLoc(), f32, op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), middle);
    return success();
  }
};

/// integer -> narrow  ->  truncf (integer -> f32 or f64, exactly) -> narrow
template <typename Op> struct FromIntegerInSteps : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getType()))
      return rewriter.notifyMatchFailure(op, "not to a narrow float");
    unsigned width =
        getElementTypeOrSelf(op.getIn().getType()).getIntOrFloatBitWidth();
    Type element = width <= 16 ? rewriter.getF32Type() : rewriter.getF64Type();
    Value middle =
        Op::create(rewriter, op.getLoc(),
                   withElementType(op.getType(), element), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), middle);
    return success();
  }
};

/// narrow -> integer  ->  (extf narrow -> f32) -> integer
template <typename Op> struct ToIntegerInSteps : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getIn().getType()))
      return rewriter.notifyMatchFailure(op, "not from a narrow float");
    Type f32 = withElementType(op.getIn().getType(), rewriter.getF32Type());
    Value middle =
        arith::ExtFOp::create(rewriter, op.getLoc(), f32, op.getIn());
    rewriter.replaceOpWithNewOp<Op>(op, op.getType(), middle);
    return success();
  }
};

/// cmpf on narrow floats  ->  cmpf on FP32
struct CompareWide : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getLhs().getType()))
      return rewriter.notifyMatchFailure(op, "not of narrow floats");
    Type f32 = withElementType(op.getLhs().getType(), rewriter.getF32Type());
    Location loc = op.getLoc();
    Value lhs = arith::ExtFOp::create(rewriter, loc, f32, op.getLhs());
    Value rhs = arith::ExtFOp::create(rewriter, loc, f32, op.getRhs());
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, op.getPredicate(), lhs, rhs);
    return success();
  }
};

} // namespace

void tegula::populateNarrowFloatPatterns(RewritePatternSet &patterns) {
  patterns.add<TruncateToByte, ExtendFromByte, TruncateInSteps, ExtendInSteps,
               CompareWide, FromIntegerInSteps<arith::SIToFPOp>,
               FromIntegerInSteps<arith::UIToFPOp>,
               ToIntegerInSteps<arith::FPToSIOp>,
               ToIntegerInSteps<arith::FPToUIOp>>(patterns.getContext());
}
