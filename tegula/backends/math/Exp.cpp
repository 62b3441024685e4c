// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp(x) = 2 ** n * exp(r), with r between -ln(2) / 2 and ln(2) / 2.

#include "tegula/backends/math/Functions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

// (exp(r) - 1 - r) / r ** 2
static constexpr double single[] = {0x1p-1, 0x1.55549p-3, 0x1.5554d8p-5,
                                    0x1.123aaep-7, 0x1.6d5f28p-10};
static constexpr double whole[] = {
    0x1.000000000000cp-1,  0x1.555555555555cp-3,  0x1.555555554fe01p-5,
    0x1.111111110e8a4p-7,  0x1.6c16c18607cd8p-10, 0x1.a01a01b50bf08p-13,
    0x1.a01995baec515p-16, 0x1.71ddec2b7d9aap-19, 0x1.28b0f44abb1f0p-22,
    0x1.af72c3422b682p-26};

namespace {

/// n, n with the shifter added, and exp(r).
struct Reduced {
  Value power;
  Value shifted;
  Value rest;
};

} // namespace

static Reduced reduce(FloatBuilder &on, Value x, Value low) {
  Value shifter = on.shifter();
  Value shifted =
      on.fma(x, on.number(0x1.715476p0, 0x1.71547652b82fep0), shifter);
  Value power = on.sub(shifted, shifter);
  // So few bits that the product with n is exact.
  Value r = on.fma(power, on.number(-0x1.62e4p-1, -0x1.62e42fefa3p-1), x);
  r = on.fma(power, on.number(-0x1.7f7d1cp-20, -0x1.3de6af278ece6p-42), r);
  if (low)
    r = on.add(r, low);
  Value q = on.polynomial(r, on.isDouble() ? ArrayRef<double>(whole)
                                           : ArrayRef<double>(single));
  q = on.fma(on.mul(q, r), r, r);
  return {power, shifted, on.add(q, on.number(1))};
}

/// vscalefps and vscalefpd round once, whatever the result.
static Value scaleWide(FloatBuilder &on, Value value, Value power) {
  OpBuilder &builder = on.getBuilder();
  Location loc = on.getLoc();
  unsigned bits = on.getWideBits(), lanes = bits / (on.isDouble() ? 64 : 32);
  Value all =
      arith::ConstantIntOp::create(builder, loc, -1, std::max(lanes, 8u));
  SmallVector<Value> operands = {value, power, value, all};
  if (bits == 512)
    operands.push_back(
        arith::ConstantIntOp::create(builder, loc, /*rounding=*/4, 32));
  std::string name = "llvm.x86.avx512.mask.scalef.";
  name += on.isDouble() ? "pd." : "ps.";
  name += std::to_string(bits);
  return LLVM::CallIntrinsicOp::create(builder, loc, on.getType(),
                                       builder.getStringAttr(name), operands)
      .getResult(0);
}

/// In two steps, of which the first is exact.
static Value scaleInSteps(FloatBuilder &on, Value value, Value power) {
  Value shifter = on.shifter();
  Value firstShifted = on.fma(power, on.number(0.5), shifter);
  Value first = on.sub(firstShifted, shifter);
  Value secondShifted = on.add(on.sub(power, first), shifter);
  return on.mul(on.mul(value, on.powerOfTwo(firstShifted)),
                on.powerOfTwo(secondShifted));
}

Value tegula::buildExpOfSum(FloatBuilder &on, Value x, Value low) {
  // Beyond, results are 0 and infinity.
  x = on.atLeast(x, on.isDouble() ? -746 : -104);
  x = on.atMost(x, on.isDouble() ? 710 : 89);
  Reduced reduced = reduce(on, x, low);
  return on.hasScale() ? scaleWide(on, reduced.rest, reduced.power)
                       : scaleInSteps(on, reduced.rest, reduced.power);
}

static bool hasPowers(FloatBuilder &on) {
  return !on.getTarget().powerOfTwo.empty() && isa<Float32Type>(on.getType());
}

/// 2 ** n * 2 ** f, where f is x / ln(2) - n; n is within the exponents that
/// normal numbers have, so that only the last product rounds to smaller ones.
/// Infinity and NaN are in f.
static Value buildByPowers(FloatBuilder &on, Value x, bool isBounded) {
  OpBuilder &builder = on.getBuilder();
  Location loc = on.getLoc();
  constexpr double high = 0x1.715476p0, low = 0x1.4ae0c0p-26, most = 126;
  Value power = on.mul(x, on.number(high)), shifter = on.shifter();
  if (!isBounded) {
    power = arith::MaxNumFOp::create(builder, loc, power, on.number(-most));
    power = arith::MinNumFOp::create(builder, loc, power, on.number(most));
  }
  Value shifted = on.add(power, shifter);
  Value rest = on.fma(x, on.number(high), on.sub(shifter, shifted));
  rest = on.fma(x, on.number(low), rest);
  const std::string &name = on.getTarget().powerOfTwo;
  Value raised = LLVM::CallIntrinsicOp::create(builder, loc, on.getType(),
                                               builder.getStringAttr(name),
                                               ValueRange{rest})
                     .getResult(0);
  return on.mul(raised, on.powerOfTwo(shifted));
}

Value tegula::buildExp(FloatBuilder &on, Value x) {
  if (hasPowers(on))
    return buildByPowers(on, x, /*isBounded=*/false);
  return buildExpOfSum(on, x, Value());
}

Value tegula::buildBoundedExp(FloatBuilder &on, Value x) {
  if (hasPowers(on))
    return buildByPowers(on, x, /*isBounded=*/true);
  Reduced reduced = reduce(on, x, Value());
  return on.hasScale() ? scaleWide(on, reduced.rest, reduced.power)
                       : on.mul(reduced.rest, on.powerOfTwo(reduced.shifted));
}
