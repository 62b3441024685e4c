// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowQuotients.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tegula/backends/cuda/rows/RelaxFloats.h"

using namespace mlir;
using namespace tegula;

/// The power of a sum 1 + exp(power), or null.
static Value powerOfOnePlusExp(Value sum) {
  auto add = sum.getDefiningOp<arith::AddFOp>();
  if (!add)
    return {};
  for (auto [one, other] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())})
    if (auto exp = other.getDefiningOp<math::ExpOp>();
        exp && matchPattern(one, m_OneFloat()))
      return exp.getOperand();
  return {};
}

Value RowQuotients::callIntrinsic(StringRef name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(builder, loc, operands.front().getType(),
                                       builder.getStringAttr(name), operands)
      .getResult(0);
}

Value RowQuotients::numberOf(float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

/// The power of two that exp(power) is.
Value RowQuotients::emitPowerOfTwo(Value power) {
  constexpr float perBit = 0x1.715476p0F;
  return arith::MulFOp::create(builder, loc, power, numberOf(perBit));
}

Value RowQuotients::emitByOnePlusExp(Value dividend, Value divisor) {
  Value power = powerOfOnePlusExp(divisor);
  if (!power || !state.isNarrow || !power.getType().isF32())
    return {};
  Value raised =
      callIntrinsic("llvm.nvvm.ex2.approx.ftz.f32", emitPowerOfTwo(power));
  Value inverse = callIntrinsic(
      "llvm.nvvm.rcp.approx.ftz.f",
      arith::AddFOp::create(builder, loc, raised, numberOf(1)).getResult());
  return arith::MulFOp::create(builder, loc, dividend, inverse);
}

/// Whether it is x / (1 + exp(-x)).
static bool isSilu(ArrayRef<Value> operands) {
  Value power = powerOfOnePlusExp(operands[1]);
  auto negated = power ? power.getDefiningOp<arith::NegFOp>() : nullptr;
  return negated && negated.getOperand() == operands[0] &&
         power.getType().isF32();
}

/// Their divisors a and b share one inverse, 1 / a = b * (1 / ab), which
/// takes half as long. One of them is scaled by 2^-64, so ab is infinite only
/// where both are above 2^63 or so, and then results are 0. No divisor is above
/// 2^127, or NaN, which would spoil the neighbour: what is 0 or NaN comes from
/// x, times an inverse below the normal numbers, which is 0.
SmallVector<Value> RowQuotients::emitTwoSilu(ArrayRef<Value> first,
                                             ArrayRef<Value> second) {
  if (!isSilu(first) || !isSilu(second))
    return {};
  auto raise = [&](ArrayRef<Value> operands) {
    constexpr float most = 127;
    Value power = arith::MinNumFOp::create(
        builder, loc, emitPowerOfTwo(powerOfOnePlusExp(operands[1])),
        numberOf(most));
    return callIntrinsic("llvm.nvvm.ex2.approx.ftz.f32", power);
  };
  auto scale = [&](Value power) -> Value {
    Value multiplier = numberOf(0x1p-64F);
    return math::FmaOp::create(builder, loc, power, multiplier, multiplier);
  };
  auto times = [&](Value lhs, Value rhs) -> Value {
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  };
  auto timesFlushed = [&](Value lhs, Value rhs) {
    return callIntrinsic("llvm.nvvm.mul.rn.ftz.f", {lhs, rhs});
  };
  Value one = raise(first), other = raise(second);
  Value divisor = arith::AddFOp::create(builder, loc, one, numberOf(1));
  Value scaled = scale(other);
  Value inverse =
      callIntrinsic("llvm.nvvm.rcp.approx.ftz.f", times(divisor, scaled));
  return {times(first[0], timesFlushed(scaled, inverse)),
          times(second[0], timesFlushed(scale(one), inverse))};
}

/// x / y for all elements of a row, which share y: x * (1 / y). Where 1 / y has
/// fewer bits or is none, both are scaled.
SmallVector<Value> RowQuotients::emitQuotients(ArrayRef<Value> dividends,
                                               Value divisor) {
  auto pick = [&](arith::CmpFPredicate predicate, float limit, float multiplier,
                  Value otherwise) -> Value {
    Value isIt = arith::CmpFOp::create(
        builder, loc, predicate, math::AbsFOp::create(builder, loc, divisor),
        numberOf(limit));
    return arith::SelectOp::create(builder, loc, isIt, numberOf(multiplier),
                                   otherwise);
  };
  Value scale =
      pick(arith::CmpFPredicate::OLT, 0x1p-126f, 0x1p24f, numberOf(1));
  scale = pick(arith::CmpFPredicate::OGT, 0x1p126f, 0x1p-2f, scale);
  Value scaled = arith::MulFOp::create(builder, loc, divisor, scale);
  auto inverse = arith::DivFOp::create(builder, loc, numberOf(1), scaled);
  relaxFloats(state, inverse);
  return llvm::map_to_vector(dividends, [&](Value dividend) -> Value {
    Value part = arith::MulFOp::create(builder, loc, dividend, scale);
    Value quotient = arith::MulFOp::create(builder, loc, part, inverse);
    return state.isNarrow ? quotient
                          : correctQuotient(part, scaled, inverse, quotient);
  });
}

/// A quotient with what is missing, which rounds it correctly, but for tiny
/// ones; infinite ones and signs of 0 are right already.
Value RowQuotients::correctQuotient(Value dividend, Value divisor,
                                    Value inverse, Value quotient) {
  Value negated = arith::NegFOp::create(builder, loc, quotient);
  Value rest = math::FmaOp::create(builder, loc, negated, divisor, dividend);
  Value corrected = math::FmaOp::create(builder, loc, rest, inverse, quotient);
  Value isLess =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                            math::AbsFOp::create(builder, loc, rest),
                            math::AbsFOp::create(builder, loc, dividend));
  return arith::SelectOp::create(builder, loc, isLess, corrected, quotient);
}
