// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x ** y = exp(y * log(x)), with pairs of numbers in between.

#include "tegula/backends/math/Functions.h"

#include <cmath>

using namespace mlir;
using namespace tegula;
using Compare = FloatBuilder::Compare;

namespace {

/// A sum of two numbers, of which the second is small.
struct Pair {
  Value high;
  Value low;
};

} // namespace

static Pair multiply(FloatBuilder &on, Pair a, Pair b) {
  Value high = on.mul(a.high, b.high);
  Value low = on.fuse(a.high, b.high, on.negate(high));
  low = on.fma(a.high, b.low, low);
  return {high, on.fma(a.low, b.high, low)};
}

/// The sum, where `a` is 0 or not smaller than `b`.
static Pair add(FloatBuilder &on, Pair a, Pair b) {
  Value high = on.add(a.high, b.high);
  Value low = on.sub(b.high, on.sub(high, a.high));
  return {high, on.add(low, on.add(a.low, b.low))};
}

/// (m - 1) / (m + 1)
static Pair divideAroundOne(FloatBuilder &on, Value mantissa) {
  Value one = on.number(1);
  Value above = on.sub(mantissa, one);
  Value below = on.add(mantissa, one);
  Value lost = on.sub(mantissa, on.sub(below, one));
  Value high = on.div(above, below);
  Value rest = on.fuse(on.negate(high), below, above);
  rest = on.fma(on.negate(high), lost, rest);
  return {high, on.div(rest, below)};
}

// (log((1 + s) / (1 - s)) - 2 * s) / s ** 3 - 2 / 3, divided by s ** 2, of that
static constexpr double single[] = {0x1.999998p-2, 0x1.2493acp-2, 0x1.c644a6p-3,
                                    0x1.8fedc4p-3};
static constexpr double whole[] = {0x1.9999999999d09p-2, 0x1.249249243a4c9p-2,
                                   0x1.c71c724a6a2b8p-3, 0x1.745ce216ddaa3p-3,
                                   0x1.3b201798542b6p-3, 0x1.0f685ba621d77p-3,
                                   0x1.0f045126e6dacp-3};

/// log(x) = exponent * ln(2) + 2 * s + s ** 3 * (2 / 3 + ...)
static Pair logPair(FloatBuilder &on, Value x) {
  Parts parts = splitPositive(on, x);
  Pair s = divideAroundOne(on, parts.mantissa);
  Pair square = multiply(on, s, s);
  Pair cube = multiply(on, square, s);
  Value p =
      on.polynomial(square.high, on.isDouble() ? ArrayRef<double>(whole)
                                               : ArrayRef<double>(single));
  // Of FP64, the fit takes what rounding takes from 2 / 3.
  Pair twoThirds = {on.number(0x1.555556p-1, 0x1.5555555555555p-1),
                    on.number(-0x1.555556p-26, 0)};
  Pair factor = add(on, twoThirds, {on.mul(p, square.high), on.number(0)});
  Pair rest = multiply(on, cube, factor);
  // So few bits that the first product is exact.
  Pair exponent = {
      on.mul(parts.exponent, on.number(0x1.62ep-1, 0x1.62e42fefa3p-1)),
      on.mul(parts.exponent, on.number(0x1.0bfbe8p-15, 0x1.3de6af278ece6p-42))};
  Pair twice = {on.add(s.high, s.high), on.add(s.low, s.low)};
  return add(on, add(on, exponent, twice), rest);
}

static Value powPositive(FloatBuilder &on, Value x, Value y) {
  Pair log = logPair(on, x);
  Value logX = on.select(on.compare(Compare::OEQ, x, on.number(0)),
                         on.number(-INFINITY), log.high);
  logX = on.select(on.compare(Compare::OLT, x, on.number(INFINITY)), logX, x);
  Value power = on.mul(y, logX);
  Value low = on.fma(y, log.low, on.fuse(y, logX, on.negate(power)));
  Value isOne = on.compare(Compare::OEQ, x, on.number(1));
  power = on.select(isOne, on.number(0), power);
  // Where nothing is left of the result, nothing is to be added.
  Value isUsual =
      on.compare(Compare::OLT, on.absolute(power), on.number(104, 746));
  low = on.select(isUsual, low, on.number(0));
  low = on.select(isOne, on.number(0), low);
  return buildExpOfSum(on, power, low);
}

/// What depends on y alone is made of y alone: often it is the same for all
/// elements, and is then found once.
Value tegula::buildPow(FloatBuilder &on, Value x, Value y) {
  Value none = on.integer(0), all = on.integer(-1);
  Value half = on.mul(y, on.number(0.5));
  Value whole = math::TruncOp::create(on.getBuilder(), on.getLoc(), y);
  Value wholeHalf = math::TruncOp::create(on.getBuilder(), on.getLoc(), half);
  // Whatever x is, its power of 0 is that of 1.
  Value isZero = on.compare(Compare::OEQ, y, on.number(0));
  Value kept = on.select(isZero, none, all);
  Value one = on.select(isZero, on.integer(on.oneBits()), none);
  x = on.ofBits(on.orBits(on.andBits(on.bitsOf(x), kept), one));
  Value power = powPositive(on, on.absolute(x), y);
  // The sign of x stays where y is odd.
  Value isOdd = on.both(on.compare(Compare::OEQ, whole, y),
                        on.compare(Compare::UNE, wholeHalf, half));
  power =
      on.withSign(power, on.andBits(on.signOf(x), on.select(isOdd, all, none)));
  // A negative number has no power that is not whole.
  Value isNegative = on.both(on.compare(Compare::OLT, x, on.number(0)),
                             on.compare(Compare::OGT, x, on.number(-INFINITY)));
  Value orNone = on.select(on.compare(Compare::UNE, whole, y), on.number(NAN),
                           on.number(-0.0));
  return on.select(isNegative, on.add(power, orNone), power);
}
