// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/MatmulTypes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

Type tegula::getSignlessElement(Value shaped) {
  Type element = pl::getElementOrSelf(shaped.getType());
  auto integer = dyn_cast<IntegerType>(element);
  return integer ? IntegerType::get(element.getContext(), integer.getWidth())
                 : element;
}

bool tegula::isWidenedExactly(Type operand, Type accumulator) {
  if (operand.isInteger(8))
    return accumulator.isF32() || accumulator.isInteger(32);
  return accumulator.isF32() &&
         isa<Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(
             operand);
}

Value tegula::beforeWidening(Value operand) {
  auto cast = operand.getDefiningOp<pl::CastOp>();
  return cast && isWidenedExactly(getSignlessElement(cast.getOperand()),
                                  getSignlessElement(operand))
             ? cast.getOperand()
             : operand;
}

bool tegula::sumsPairsUnasked(pl::MatmulOp matmul, Value lhs, Value rhs) {
  auto isHalf = [](Value shaped) {
    return pl::getElementOrSelf(shaped.getType()).isBF16();
  };
  return isHalf(lhs) && isHalf(rhs) &&
         !(isHalf(matmul.getLhs()) && isHalf(matmul.getRhs()));
}

bool tegula::isZeroTile(Value tile) {
  while (isa_and_present<pl::RelaxOp, pl::WithExtentsOp>(tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  auto full = tile.getDefiningOp<pl::FullOp>();
  return full && (matchPattern(full.getValue(), m_AnyZeroFloat()) ||
                  matchPattern(full.getValue(), m_Zero()));
}

bool tegula::isMultipliedAs(Type element, Type sum) {
  return (element.isInteger(8) && sum.isInteger(32)) ||
         (isa<BFloat16Type, Float16Type, Float32Type, Float8E4M3FNType,
              Float8E5M2Type>(element) &&
          sum.isF32());
}

bool tegula::isMultipliedWhole(Type lhs, Type rhs, Type accumulator) {
  auto isPlain = [](Type type) {
    return type.isF32() || type.isF64() || type.isInteger(16) ||
           type.isInteger(32) || type.isInteger(64);
  };
  auto fits = [&](Type operand) {
    return operand == accumulator || isWidenedExactly(operand, accumulator);
  };
  return isPlain(accumulator) && fits(lhs) && fits(rhs);
}
