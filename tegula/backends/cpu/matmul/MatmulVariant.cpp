// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/MatmulVariant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

static std::string nameOf(Type type, bool isUnsigned = false) {
  std::string text = isUnsigned ? "u" : "";
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string MatmulVariant::getName(StringRef part) const {
  return ("tegula_" + part + "_" + nameOf(lhs.element, lhs.isUnsigned) + "_" +
          nameOf(rhs.element, rhs.isUnsigned) + "_" + nameOf(sum))
      .str();
}

int64_t MatmulVariant::getGroup() const {
  auto isByte = [](const OperandType &operand) {
    return operand.element.isInteger(8);
  };
  if (options.tuning.hasPairs && sum.isF32() &&
      isa<BFloat16Type>(lhs.element) && isa<BFloat16Type>(rhs.element))
    return 2;
  if (options.tuning.hasFours && sum.isInteger(32) && isByte(lhs) &&
      isByte(rhs) && !rhs.isUnsigned)
    return 4;
  return 1;
}

Type MatmulVariant::getPacked() const {
  return getGroup() > 1 ? IntegerType::get(sum.getContext(), 32) : sum;
}

Value MatmulVariant::multiplyAdd(VectorCode &code, Value lhs, Value rhs,
                                 Value sum) const {
  if (getGroup() == 1)
    return code.multiplyAdd(lhs, rhs, sum);
  bool isPair = getGroup() == 2;
  Type element =
      isPair ? this->lhs.element : Type(IntegerType::get(sum.getContext(), 8));
  auto narrow = VectorType::get(getLanes() * getGroup(), element);
  // An instruction reads its last operand from memory, spread or not; the first
  // of bytes is the unsigned one.
  if (isPair)
    std::swap(lhs, rhs);
  return code.intrinsic(
      isPair ? "llvm.x86.avx512bf16.dpbf16ps.512"
             : "llvm.x86.avx512.vpdpbusd.512",
      sum.getType(),
      {sum, code.reinterpret(lhs, narrow), code.reinterpret(rhs, narrow)});
}

/// LLVM has masks for vectors of integers everywhere, not for narrow floats.
Type MatmulVariant::getStored(const OperandType &operand) const {
  Type element = operand.element;
  unsigned bits = element.getIntOrFloatBitWidth();
  return isa<FloatType>(element) && bits < 32
             ? Type(IntegerType::get(element.getContext(), bits))
             : element;
}

static Type like(Type shaped, Type element) {
  if (auto vector = dyn_cast<VectorType>(shaped))
    return VectorType::get(vector.getShape(), element);
  return element;
}

static Value widen(VectorCode &code, const OperandType &operand, Type sum,
                   Value loaded) {
  OpBuilder &builder = code.builder;
  Type wide = like(loaded.getType(), sum);
  if (operand.element == sum)
    return loaded;
  if (isa<BFloat16Type>(operand.element)) {
    // The upper half of a float.
    Type bits = like(wide, builder.getI32Type());
    Value number = arith::ExtUIOp::create(builder, code.loc, bits, loaded);
    Attribute by = isa<VectorType>(bits)
                       ? Attribute(DenseElementsAttr::get(
                             cast<VectorType>(bits), int32_t(16)))
                       : Attribute(builder.getI32IntegerAttr(16));
    Value half =
        arith::ConstantOp::create(builder, code.loc, cast<TypedAttr>(by));
    Value shifted = arith::ShLIOp::create(builder, code.loc, number, half);
    return arith::BitcastOp::create(builder, code.loc, wide, shifted);
  }
  if (isa<FloatType>(operand.element)) {
    Value half = arith::BitcastOp::create(builder, code.loc,
                                          like(wide, operand.element), loaded);
    return arith::ExtFOp::create(builder, code.loc, wide, half);
  }
  if (isa<FloatType>(sum))
    return operand.isUnsigned
               ? Value(arith::UIToFPOp::create(builder, code.loc, wide, loaded))
               : Value(
                     arith::SIToFPOp::create(builder, code.loc, wide, loaded));
  if (operand.isUnsigned)
    return arith::ExtUIOp::create(builder, code.loc, wide, loaded);
  return arith::ExtSIOp::create(builder, code.loc, wide, loaded);
}

Value MatmulVariant::loadVector(VectorCode &code, const OperandType &operand,
                                Value address, Value mask) const {
  auto type = VectorType::get(getLanes(), getStored(operand));
  Value loaded =
      mask ? code.load(type, address, mask) : code.load(Type(type), address);
  return widen(code, operand, sum, loaded);
}

Value MatmulVariant::loadElement(VectorCode &code, const OperandType &operand,
                                 Value address) const {
  Type type = getStored(operand);
  return widen(code, operand, sum, code.load(type, address));
}

Value MatmulVariant::at(VectorCode &code, const OperandType &operand,
                        Value address, Value index) const {
  return code.at(address, getStored(operand), index);
}
