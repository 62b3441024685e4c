// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Angles less a multiple of pi / 2, and a polynomial of what is left.

#include "tegula/backends/math/Functions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula;

// (sin(r) - r) / r ** 3, of r ** 2
static constexpr double sineSingle[] = {-0x1.555544p-3, 0x1.1106cep-7,
                                        -0x1.991fdp-13};
static constexpr double sineDouble[] = {
    -0x1.5555555555549p-3, 0x1.111111110f8ap-7,    -0x1.a01a019c14c61p-13,
    0x1.71de35798e3edp-19, -0x1.ae5e67245f364p-26, 0x1.5d9325f510873p-33};
// (cos(r) - 1 + r ** 2 / 2) / r ** 4, of r ** 2
static constexpr double cosineSingle[] = {0x1.55554ap-5, -0x1.6c0c1cp-10,
                                          0x1.99e1d8p-16};
static constexpr double cosineDouble[] = {
    0x1.555555555554cp-5,   -0x1.6c16c16c1521fp-10, 0x1.a01a019cbf351p-16,
    -0x1.27e4f8126aadcp-22, 0x1.1ee9f10088faep-29,  -0x1.8fb0f6fc421d4p-37};

/// x less n times pi / 2. It is given in three parts: n times the first
/// leaves no error, since what is left is a short multiple of its last bit.
static ReducedAngle reduceSmallAngle(FloatBuilder &on, Value x) {
  Value shifter = on.shifter();
  Value shifted =
      on.fma(x, on.number(0x1.45f306p-1, 0x1.45f306dc9c883p-1), shifter);
  Value n = on.sub(shifted, shifter);
  Value r = on.fuse(n, on.number(-0x1.921fb6p0, -0x1.921fb54442d18p0), x);
  r = on.fuse(n, on.number(0x1.777a5cp-25, -0x1.1a62633145c07p-54), r);
  r = on.fuse(n, on.number(0x1.ee59dap-50, 0x1.f1976b7ed8fb8p-110), r);
  return {r, on.bitsOf(shifted)};
}

/// The same of any angle.
static ReducedAngle reduceAngle(FloatBuilder &on, Value x) {
  OpBuilder &builder = on.getBuilder();
  Location loc = on.getLoc();
  Value isLarge =
      on.compare(FloatBuilder::Compare::OGT, x, on.number(0x1p17, 0x1p23));
  ReducedAngle small = reduceSmallAngle(on, x);
  Value any = isLarge;
  if (isa<VectorType>(on.getType()))
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                      isLarge);
  auto branch = scf::IfOp::create(
      builder, loc, TypeRange{on.getType(), small.quarter.getType()}, any,
      /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  ReducedAngle large = reduceLargeAngle(on, x);
  // NaN of an infinite angle.
  Value rest = on.add(large.rest, on.sub(x, x));
  scf::YieldOp::create(builder, loc,
                       {on.select(isLarge, rest, small.rest),
                        on.select(isLarge, large.quarter, small.quarter)});
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, {small.rest, small.quarter});
  return {branch.getResult(0), branch.getResult(1)};
}

/// Every second quarter the other function, every second half the other sign.
static Value buildQuarter(FloatBuilder &on, const ReducedAngle &angle,
                          Value sign, bool isCosine) {
  bool isDouble = on.isDouble();
  Value r = angle.rest;
  Value square = on.mul(r, r);
  Value sine = on.polynomial(square, isDouble ? ArrayRef<double>(sineDouble)
                                              : ArrayRef<double>(sineSingle));
  sine = on.fma(on.mul(sine, square), r, r);
  Value cosine =
      on.polynomial(square, isDouble ? ArrayRef<double>(cosineDouble)
                                     : ArrayRef<double>(cosineSingle));
  cosine = on.fma(cosine, square, on.number(-0.5));
  cosine = on.fma(cosine, square, on.number(1));
  Value quarter = angle.quarter;
  if (isCosine)
    quarter = on.addBits(quarter, on.integer(1));
  Value isOdd = arith::CmpIOp::create(
      on.getBuilder(), on.getLoc(), arith::CmpIPredicate::ne,
      on.andBits(quarter, on.integer(1)), on.integer(0));
  Value value = on.select(isOdd, cosine, sine);
  Value half =
      on.shiftLeft(on.andBits(quarter, on.integer(2)), isDouble ? 62 : 30);
  if (!isCosine)
    half = on.xorBits(half, sign);
  return on.ofBits(on.xorBits(on.bitsOf(value), half));
}

Value tegula::buildSine(FloatBuilder &on, Value x, bool isCosine) {
  Value a = on.absolute(x);
  ReducedAngle angle = on.getTarget().knowsLargeAngles
                           ? reduceAngle(on, a)
                           : reduceSmallAngle(on, a);
  return buildQuarter(on, angle, on.signOf(x), isCosine);
}
