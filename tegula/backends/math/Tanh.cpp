// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/Functions.h"

using namespace mlir;
using namespace tegula;

// (tanh(x) - x) / x ** 3, of x ** 2
static constexpr double single[] = {-0x1.555534p-2, 0x1.110762p-3,
                                    -0x1.b8439cp-5, 0x1.52533cp-6,
                                    -0x1.769e5ep-8};
static constexpr double whole[] = {
    -0x1.5555555555503p-2,  0x1.111111110b086p-3,  -0x1.ba1ba1b52e9ddp-5,
    0x1.664f47819ae19p-6,   -0x1.226e16d1fef9cp-7, 0x1.d6cf3bc52e8b6p-9,
    -0x1.7d69628840a94p-10, 0x1.336ab7c15e62dp-11, -0x1.df79383ad129dp-13,
    0x1.43debaacaeafap-14,  -0x1.0e3875a4ec20cp-16};

Value tegula::buildTanhOf(FloatBuilder &on, Value x,
                          llvm::function_ref<Value(Value)> buildLarge) {
  Value a = on.absolute(x);
  Value square = on.mul(a, a);
  Value p = on.polynomial(square, on.isDouble() ? ArrayRef<double>(whole)
                                                : ArrayRef<double>(single));
  Value small = on.fma(on.mul(p, square), a, a);
  Value isSmall = on.compare(FloatBuilder::Compare::OLT, a, on.number(0.625));
  return on.withSign(on.select(isSmall, small, buildLarge(a)), on.signOf(x));
}

Value tegula::buildTanh(FloatBuilder &on, Value x) {
  return buildTanhOf(on, x, [&](Value a) {
    // 1 - 2 / (exp(2 * a) + 1), which is 1 from here on
    Value limited = on.atMost(a, on.isDouble() ? 20 : 10);
    Value e = buildBoundedExp(on, on.add(limited, limited));
    Value one = on.number(1);
    return on.sub(one, on.div(on.number(2), on.add(e, one)));
  });
}
