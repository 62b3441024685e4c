// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/Functions.h"

using namespace mlir;
using namespace tegula;

// erf(x) / x - 1, of x ** 2
static constexpr double nearSingle[] = {0x1.06eba8p-3, -0x1.81272ap-2,
                                        0x1.ce266ap-4, -0x1.b74906p-6,
                                        0x1.4c033ep-8, -0x1.4f9d3cp-11};
static constexpr double nearDouble[] = {
    0x1.06eba8214db68p-3,   -0x1.812746b0379b5p-2,  0x1.ce2f21a040b01p-4,
    -0x1.b82ce311f6fe1p-6,  0x1.565bccf907119p-8,   -0x1.c02db03fb54bbp-11,
    0x1.f9a2bb451d4f5p-14,  -0x1.f4ca5b480d5c3p-17, 0x1.b9807aec3cc2ap-20,
    -0x1.5c0ba8e5c8295p-23, 0x1.d73cbe2ef8e4bp-27,  -0x1.ac1821e56e8dcp-31};

// log(1 - erf(x)), of x and of x - 1
static constexpr double tailSingle[] = {
    0x1.34cddep-13, -0x1.211efep0,  -0x1.446bp-1,   -0x1.ba364ep-4,
    0x1.981b76p-6,  -0x1.0c00e2p-8, 0x1.b58e62p-12, -0x1.489048p-16};
static constexpr double tailDouble[] = {
    -0x1.d97fbf27aa2a1p0,   -0x1.51c9b0006c23bp1,   -0x1.afabc11a2935ep-1,
    -0x1.5477f09c2d4fbp-5,  0x1.48c9d3f112104p-7,   -0x1.033f66375dedp-9,
    0x1.f1b3a99ffe5dap-13,  0x1.b8dbf1ead2b04p-16,  -0x1.c7a26268165a1p-16,
    0x1.425d66fc7af31p-17,  -0x1.143897fc91089p-19, 0x1.2fd5ed89f4888p-23,
    0x1.a67df42a6f902p-24,  -0x1.c21a734a79165p-25, 0x1.022b43867aa47p-26,
    -0x1.8d41c05fa9cfep-29, 0x1.994fe9c2c0e57p-32,  -0x1.00b14cf0e13f5p-35,
    0x1.28bf8b0742bbbp-40};

Value tegula::buildErf(FloatBuilder &on, Value x) {
  bool isDouble = on.isDouble();
  bool isAlone = isa<FloatType>(on.getType()) && on.getTarget().hasAvx512;
  if (!isDouble && (isAlone || on.isWide()))
    return buildErfByTable(on, x);
  Value a = on.absolute(x);
  Value square = on.mul(a, a);
  Value q = on.polynomial(square, isDouble ? ArrayRef<double>(nearDouble)
                                           : ArrayRef<double>(nearSingle));
  Value small = on.fma(q, a, a);
  // Beyond, the result is 1.
  Value limited = on.atMost(a, isDouble ? 6 : 4);
  if (isDouble)
    limited = on.sub(limited, on.number(1));
  Value p = on.polynomial(limited, isDouble ? ArrayRef<double>(tailDouble)
                                            : ArrayRef<double>(tailSingle));
  Value large = on.sub(on.number(1), buildBoundedExp(on, p));
  Value isLarge =
      on.compare(FloatBuilder::Compare::OGT, a, on.number(0x1.aep-1, 1));
  return on.withSign(on.select(isLarge, large, small), on.signOf(x));
}
