// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/HalfConversions.h"

#include "tegula/backends/math/FloatBuilder.h"

using namespace mlir;
using namespace tegula;
using Integers = arith::CmpIPredicate;

/// Bits of FP32 below those of an FP16 of the same exponent, and by how much
/// exponents are shifted.
static constexpr int64_t lost = 13, shift = 112;

static Value compareBits(FloatBuilder &on, Integers predicate, Value lhs,
                         int64_t rhs) {
  return arith::CmpIOp::create(on.getBuilder(), on.getLoc(), predicate, lhs,
                               on.integer(rhs));
}

static Type withBits(FloatBuilder &on, unsigned bits) {
  Type element = on.getBuilder().getIntegerType(bits);
  auto shaped = dyn_cast<ShapedType>(on.getType());
  return shaped ? Type(shaped.clone(element)) : element;
}

/// The FP32 of an FP16.
static Value extend(FloatBuilder &on, Value half) {
  OpBuilder &builder = on.getBuilder();
  Value narrow =
      arith::BitcastOp::create(builder, on.getLoc(), withBits(on, 16), half);
  Value bits =
      arith::ExtUIOp::create(builder, on.getLoc(), withBits(on, 32), narrow);
  Value magnitude = on.andBits(bits, on.integer(0x7fff));
  Value sign = on.shiftLeft(on.xorBits(bits, magnitude), 16);
  // As FP32 it is too small by a power of two, subnormal numbers included.
  Value small = on.ofBits(on.shiftLeft(magnitude, lost));
  Value value = on.mul(small, on.number(0x1p112));
  Value isFinite = compareBits(on, Integers::ult, magnitude, 0x7c00);
  Value beyond = on.select(isFinite, on.integer(0), on.integer(0x7f800000));
  return on.ofBits(on.orBits(on.orBits(on.bitsOf(value), beyond), sign));
}

/// The FP16 nearest to an FP32, the even one of two.
static Value truncate(FloatBuilder &on, Type type, Value value) {
  OpBuilder &builder = on.getBuilder();
  Value bits = on.bitsOf(value);
  Value sign = on.signOf(value);
  Value magnitude = on.xorBits(bits, sign);
  // Half of what is lost, rounded up where the last bit that stays is set.
  Value last = on.andBits(on.shiftRight(magnitude, lost), on.integer(1));
  Value rounded = on.addBits(on.addBits(magnitude, on.integer(0xfff)), last);
  Value normal = on.shiftRight(
      on.subBits(rounded, on.integer(shift << on.mantissaBits())), lost);
  // Next to 0.5 the last bit of an FP32 is that of a subnormal FP16.
  Value raised = on.add(on.ofBits(magnitude), on.number(0.5));
  Value subnormal = on.subBits(on.bitsOf(raised), on.integer(0x3f000000));
  Value isSmall = compareBits(on, Integers::ult, magnitude, 0x38800000);
  Value half = on.select(isSmall, subnormal, normal);
  Value isLarge = compareBits(on, Integers::uge, magnitude, 0x477ff000);
  half = on.select(isLarge, on.integer(0x7c00), half);
  Value isNaN = compareBits(on, Integers::ugt, magnitude, 0x7f800000);
  half = on.select(isNaN, on.integer(0x7e00), half);
  half = on.orBits(half, on.shiftRight(sign, 16));
  Value narrow =
      arith::TruncIOp::create(builder, on.getLoc(), withBits(on, 16), half);
  return arith::BitcastOp::create(builder, on.getLoc(), type, narrow);
}

namespace {

struct ExtendHalf : OpRewritePattern<arith::ExtFOp> {
  ExtendHalf(MLIRContext *context, const MathTarget &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isF16() ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not from FP16 to FP32");
    FloatBuilder on(rewriter, op.getLoc(), op.getType(), target);
    rewriter.replaceOp(op, extend(on, op.getIn()));
    return success();
  }

  MathTarget target;
};

struct TruncateToHalf : OpRewritePattern<arith::TruncFOp> {
  TruncateToHalf(MLIRContext *context, const MathTarget &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isF16())
      return rewriter.notifyMatchFailure(op, "not from FP32 to FP16");
    FloatBuilder on(rewriter, op.getLoc(), op.getIn().getType(), target);
    rewriter.replaceOp(op, truncate(on, op.getType(), op.getIn()));
    return success();
  }

  MathTarget target;
};

} // namespace

void tegula::populateHalfConversions(RewritePatternSet &patterns,
                                     const MathTarget &target) {
  patterns.add<ExtendHalf, TruncateToHalf>(patterns.getContext(), target);
}
