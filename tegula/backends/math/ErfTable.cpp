// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/Functions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

/// One number for each of the ranges around 0, 1 / ranges, 2 / ranges, ...
using Row = float[16];
static constexpr float ranges = 3.875;

// Near the middle of each range, where erf(x) / x is all but an FP32.
static constexpr Row middles = {
    0x1.0634dep-8, 0x1.084b9p-2, 0x1.082b5p-1, 0x1.8c50d8p-1,
    0x1.083fcp0,   0x1.4a5064p0, 0x1.8c5428p0, 0x1.ce7fccp0,
    0x1.0836d8p1,  0x1.294bf2p1, 0x1.4a5934p1, 0x1.6b5956p1,
    0x1.8c68a8p1,  0x1.ad6c1ap1, 0x1.ce74c4p1, 0x1.ef7ee6p1};

// erf(x) / x, of x less the middle.
static constexpr Row coefficients[] = {
    {0x1.20dd1p0, 0x1.1a93bp0, 0x1.0927ecp0, 0x1.e070d8p-1, 0x1.a86ac8p-1,
     0x1.71cfbcp-1, 0x1.4144aap-1, 0x1.1863cap-1, 0x1.ee575ep-2, 0x1.b86decp-2,
     0x1.8caa32p-2, 0x1.68b62cp-2, 0x1.4aa506p-2, 0x1.313a62p-2, 0x1.1b6cfcp-2,
     0x1.0886eap-2},
    {-0x1.8a7ccp-9, -0x1.7e1caap-3, -0x1.539a42p-2, -0x1.a5710ep-2,
     -0x1.b4a34cp-2, -0x1.93c68p-2, -0x1.5b1bc4p-2, -0x1.1df1bep-2,
     -0x1.cf2ccap-3, -0x1.76bb82p-3, -0x1.323eb2p-3, -0x1.fbc4acp-4,
     -0x1.aaf50ep-4, -0x1.6be7ccp-4, -0x1.39c976p-4, -0x1.115672p-4},
    {-0x1.812454p-2, -0x1.54c19ep-2, -0x1.c667cep-3, -0x1.68d128p-4,
     0x1.8e118p-6, 0x1.793076p-4, 0x1.dc331ap-4, 0x1.c85fp-4, 0x1.7f8fp-4,
     0x1.2db148p-4, 0x1.cecf4ap-5, 0x1.62d358p-5, 0x1.1318acp-5, 0x1.b1a518p-6,
     0x1.5b5d24p-6, 0x1.1a6fb6p-6},
    {0x1.d08abcp-10, 0x1.b8a81ep-4, 0x1.59c74p-3, 0x1.55782ep-3, 0x1.e5338p-4,
     0x1.d40888p-5, 0x1.1fd4c4p-7, -0x1.216fb4p-6, -0x1.aa66dcp-6,
     -0x1.91a0a4p-6, -0x1.40fc9p-6, -0x1.df36ep-7, -0x1.5e5e66p-7,
     -0x1.017ea8p-7, -0x1.8035eap-8, -0x1.23c91ap-8},
    {0x1.d1939ap-4, 0x1.652322p-4, 0x1.d12ae8p-6, -0x1.dab4c2p-6,
     -0x1.dbf986p-5, -0x1.c95e52p-5, -0x1.29ed1ep-5, -0x1.00c772p-6,
     -0x1.16c544p-9, 0x1.f90fa4p-9, 0x1.4d63b8p-8, 0x1.1e3f9p-8, 0x1.a98ffep-9,
     0x1.2d2ad4p-9, 0x1.a7860ep-10, 0x1.2d780cp-10},
    {-0x1.1d74a6p-7, -0x1.2c0248p-5, -0x1.97e0b8p-5, -0x1.2349e2p-5,
     -0x1.301052p-7, 0x1.6218bp-7, 0x1.1adad6p-6, 0x1.c2677ep-7, 0x1.de06c6p-8,
     0x1.3563fp-9, -0x1.7669eap-14, -0x1.b77104p-11, -0x1.b555f6p-11,
     -0x1.4a3a52p-11, -0x1.c85d16p-12, -0x1.36bce8p-12}};

/// A number of the row in each lane, by the lowest four bits of its index.
static Value pick(FloatBuilder &on, const Row &row, Value index) {
  OpBuilder &builder = on.getBuilder();
  auto type = cast<ShapedType>(on.getType());
  Value table = arith::ConstantOp::create(
      builder, on.getLoc(), DenseElementsAttr::get(type, ArrayRef(row)));
  return LLVM::CallIntrinsicOp::create(
             builder, on.getLoc(), type,
             builder.getStringAttr("llvm.x86.avx512.permvar.sf.512"),
             ValueRange{table, index})
      .getResult(0);
}

/// In the first lane of a register, so that an element is the same wherever it
/// is.
static Value buildInLane(FloatBuilder &on, Value x) {
  OpBuilder &builder = on.getBuilder();
  FloatBuilder wide = on.withType(VectorType::get(16, on.getType()));
  Value first = arith::ConstantIntOp::create(builder, on.getLoc(), 0, 32);
  Value lanes = LLVM::InsertElementOp::create(builder, on.getLoc(),
                                              wide.number(0), x, first);
  return LLVM::ExtractElementOp::create(builder, on.getLoc(),
                                        buildErfByTable(wide, lanes), first);
}

Value tegula::buildErfByTable(FloatBuilder &on, Value x) {
  if (isa<FloatType>(on.getType()))
    return buildInLane(on, x);
  // Beyond, the result is 1.
  Value a = on.atMost(on.absolute(x), 0x1.ffp1);
  Value index = on.bitsOf(on.fma(a, on.number(ranges), on.shifter()));
  Value rest = on.sub(a, pick(on, middles, index));
  ArrayRef<Row> rows = coefficients;
  Value quotient = pick(on, rows.back(), index);
  for (const Row &row : llvm::reverse(rows.drop_back()))
    quotient = on.fma(quotient, rest, pick(on, row, index));
  return on.withSign(on.mul(a, quotient), on.signOf(x));
}
