// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/VectorCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

Value VectorCode::at(Value address, Type element, Value index) {
  Value offset = builder.createOrFold<arith::IndexCastOp>(
      loc, builder.getI64Type(), index);
  return LLVM::GEPOp::create(builder, loc, address.getType(), element, address,
                             ValueRange{offset});
}

static unsigned alignmentOf(Type type) {
  return std::max(1u, getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8);
}

Value VectorCode::addressAsNumber(Value address) {
  Value bits =
      LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), address);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), bits);
}

Value VectorCode::load(Type type, Value address) {
  return LLVM::LoadOp::create(builder, loc, type, address, alignmentOf(type));
}

void VectorCode::store(Value value, Value address) {
  LLVM::StoreOp::create(builder, loc, value, address,
                        alignmentOf(value.getType()));
}

Value VectorCode::load(VectorType type, Value address, Value mask) {
  return LLVM::MaskedLoadOp::create(builder, loc, type, address, mask,
                                    zero(type), alignmentOf(type));
}

void VectorCode::store(Value value, Value address, Value mask) {
  LLVM::MaskedStoreOp::create(builder, loc, value, address, mask,
                              alignmentOf(value.getType()));
}

void VectorCode::prefetch(Value address) {
  LLVM::Prefetch::create(builder, loc, address, /*rw=*/0, /*hint=*/3,
                         /*cache=*/1);
}

void VectorCode::prefetchForStore(Value address) {
  LLVM::Prefetch::create(builder, loc, address, /*rw=*/1, /*hint=*/3,
                         /*cache=*/1);
}

Value VectorCode::zero(Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Value VectorCode::mask(VectorType type, Value count) {
  // Lanes are counted in 32 bits.
  Value most = number(type.getNumElements());
  return vector::CreateMaskOp::create(
      builder, loc, VectorType::get(type.getNumElements(), builder.getI1Type()),
      min(count, most));
}

Value VectorCode::broadcast(VectorType type, Value scalar) {
  return vector::BroadcastOp::create(builder, loc, type, scalar);
}

Value VectorCode::multiplyAdd(Value lhs, Value rhs, Value sum) {
  if (isa<FloatType>(getElementTypeOrSelf(sum.getType())))
    return vector::FMAOp::create(builder, loc, lhs, rhs, sum);
  Value product = arith::MulIOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, product, sum);
}

Value VectorCode::sum(Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value VectorCode::join(Value lhs, Value rhs) {
  return arith::OrIOp::create(builder, loc, lhs, rhs);
}

Value VectorCode::shiftLeft(Value vector, int64_t bits) {
  auto type = cast<VectorType>(vector.getType());
  auto by = DenseElementsAttr::get(
      type, builder.getIntegerAttr(type.getElementType(), bits));
  return arith::ShLIOp::create(builder, loc, vector,
                               arith::ConstantOp::create(builder, loc, by));
}

Value VectorCode::reinterpret(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return LLVM::BitcastOp::create(builder, loc, type, value);
}

Value VectorCode::intrinsic(StringRef name, Type type, ValueRange arguments) {
  return LLVM::CallIntrinsicOp::create(builder, loc, type,
                                       builder.getStringAttr(name), arguments)
      .getResult(0);
}

Value VectorCode::sumOfLanes(Value vector) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(vector.getType()));
  return vector::ReductionOp::create(
      builder, loc, vector::CombiningKind::ADD, vector,
      isFloat ? arith::FastMathFlags::reassoc : arith::FastMathFlags::none);
}
