// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log(x) = exponent * ln(2) + log(1 + f), with 1 + f between the roots of 1/2
// and of 2.

#include "tegula/backends/math/Functions.h"

#include <cmath>

using namespace mlir;
using namespace tegula;

Parts tegula::splitPositive(FloatBuilder &on, Value x) {
  // Subnormal numbers are made normal first.
  Value least = on.number(0x1p-126, 0x1p-1022);
  Value isSmall = on.compare(FloatBuilder::Compare::OLT, x, least);
  x = on.select(isSmall, on.mul(x, on.number(0x1p23, 0x1p52)), x);
  int64_t rootBits = on.isDouble() ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  // Counted from the root, the upper bits are the exponent plus its bias, and
  // the lower ones how far the mantissa is from the root.
  Value bits = on.addBits(on.bitsOf(x), on.integer(on.oneBits() - rootBits));
  Value biased = arith::ShRUIOp::create(on.getBuilder(), on.getLoc(), bits,
                                        on.integer(on.mantissaBits()));
  Value lower =
      on.andBits(bits, on.integer((int64_t(1) << on.mantissaBits()) - 1));
  Value mantissa = on.ofBits(on.addBits(lower, on.integer(rootBits)));
  // An integer in the lowest bits of 2 ** 23 or 2 ** 52 is added to it.
  int64_t base = on.isDouble() ? int64_t(1075) << 52 : int64_t(150) << 23;
  Value exponent = on.ofBits(on.orBits(biased, on.integer(base)));
  Value bias = on.select(isSmall, on.number(0x1p23 + 150, 0x1p52 + 1075),
                         on.number(0x1p23 + 127, 0x1p52 + 1023));
  return {mantissa, on.sub(exponent, bias)};
}

/// f - f ** 2 / 2 + f ** 3 * p(f), with the products with ln(2) between.
static Value logSingle(FloatBuilder &on, Value exponent, Value f) {
  static constexpr double p[] = {0x1.555546p-2,  -0x1.ffffeep-3, 0x1.99a544p-3,
                                 -0x1.5562e8p-3, 0x1.2332d8p-3,  -0x1.fb420cp-4,
                                 0x1.e64e3ap-4,  -0x1.e2f12p-4,  0x1.1b51f2p-4};
  Value square = on.mul(f, f);
  Value y = on.mul(on.mul(on.polynomial(f, p), f), square);
  y = on.fma(exponent, on.number(0x1.0bfbe8p-15), y);
  y = on.fma(square, on.number(-0.5), y);
  return on.fma(exponent, on.number(0x1.62ep-1), on.add(f, y));
}

/// The same by s = f / (2 + f), of which log(1 + f) is twice the inverse
/// hyperbolic tangent; what is rounded stays small compared with f.
static Value logDouble(FloatBuilder &on, Value exponent, Value f) {
  static constexpr double p[] = {0x1.5555555555555p-1, 0x1.9999999999d09p-2,
                                 0x1.249249243a4c9p-2, 0x1.c71c724a6a2b8p-3,
                                 0x1.745ce216ddaa3p-3, 0x1.3b201798542b6p-3,
                                 0x1.0f685ba621d77p-3, 0x1.0f045126e6dacp-3};
  Value s = on.div(f, on.add(f, on.number(2)));
  Value z = on.mul(s, s);
  Value tail = on.mul(on.polynomial(z, p), z);
  Value half = on.mul(on.mul(f, f), on.number(0.5));
  Value low = on.fma(exponent, on.number(0x1.3de6af278ece6p-42),
                     on.mul(s, on.add(half, tail)));
  return on.fma(exponent, on.number(0x1.62e42fefa3p-1),
                on.sub(f, on.sub(half, low)));
}

Value tegula::buildLog(FloatBuilder &on, Value x) {
  using Compare = FloatBuilder::Compare;
  Parts parts = splitPositive(on, x);
  Value f = on.sub(parts.mantissa, on.number(1));
  Value log = on.isDouble() ? logDouble(on, parts.exponent, f)
                            : logSingle(on, parts.exponent, f);
  Value zero = on.number(0), infinity = on.number(INFINITY);
  // Infinity and NaN are their own logarithms.
  log = on.select(on.compare(Compare::OLT, x, infinity), log, x);
  log = on.select(on.compare(Compare::OEQ, x, zero), on.number(-INFINITY), log);
  return on.select(on.compare(Compare::OLT, x, zero), on.number(NAN), log);
}
