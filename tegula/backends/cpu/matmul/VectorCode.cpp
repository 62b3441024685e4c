// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/VectorCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

Value VectorCode::number(int64_t number) {
  Value &constant = numbers[number];
  if (constant)
    return constant;
  Operation *parent = builder.getBlock()->getParentOp();
  while (!isa<func::FuncOp>(parent))
    parent = parent->getParentOp();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&parent->getRegion(0).front());
  constant = arith::ConstantIndexOp::create(builder, loc, number);
  return constant;
}

Value VectorCode::add(Value lhs, Value rhs) {
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value VectorCode::sub(Value lhs, Value rhs) {
  return builder.createOrFold<arith::SubIOp>(loc, lhs, rhs);
}

Value VectorCode::mul(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

Value VectorCode::min(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
}

Value VectorCode::max(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MaxSIOp>(loc, lhs, rhs);
}

Value VectorCode::quotient(Value number, int64_t by) {
  return quotient(number, this->number(by));
}

Value VectorCode::quotient(Value number, Value by) {
  return builder.createOrFold<arith::DivUIOp>(loc, number, by);
}

Value VectorCode::roundDown(Value number, int64_t multiple) {
  return mul(quotient(number, multiple), multiple);
}

Value VectorCode::roundUp(Value number, int64_t multiple) {
  return roundDown(add(number, multiple - 1), multiple);
}

Value VectorCode::constant(bool truth) {
  return arith::ConstantIntOp::create(builder, loc, truth, 1);
}

static Value compare(VectorCode &code, arith::CmpIPredicate predicate,
                     Value lhs, int64_t rhs) {
  return code.builder.createOrFold<arith::CmpIOp>(code.loc, predicate, lhs,
                                                  code.number(rhs));
}

Value VectorCode::isEqual(Value lhs, int64_t rhs) {
  return compare(*this, arith::CmpIPredicate::eq, lhs, rhs);
}

Value VectorCode::isAtMost(Value lhs, int64_t rhs) {
  return compare(*this, arith::CmpIPredicate::sle, lhs, rhs);
}

Value VectorCode::isAtLeast(Value lhs, int64_t rhs) {
  return compare(*this, arith::CmpIPredicate::sge, lhs, rhs);
}

Value VectorCode::both(Value lhs, Value rhs) {
  return builder.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}

Value VectorCode::either(Value lhs, Value rhs) {
  return builder.createOrFold<arith::OrIOp>(loc, lhs, rhs);
}

Value VectorCode::inverse(Value condition) {
  return builder.createOrFold<arith::XOrIOp>(loc, condition, constant(true));
}

Value VectorCode::select(Value condition, Value yes, Value no) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, yes, no);
}

void VectorCode::loop(Value from, Value to, Value step,
                      function_ref<void(Value)> body) {
  auto nest = scf::ForOp::create(builder, loc, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(nest.getBody());
  body(nest.getInductionVar());
}

void VectorCode::loop(Value from, Value to, int64_t step, Carried &carried,
                      function_ref<void(Value, Carried &)> body) {
  auto nest = scf::ForOp::create(builder, loc, from, to, number(step), carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(nest.getBody());
    Carried inside(nest.getRegionIterArgs());
    body(nest.getInductionVar(), inside);
    scf::YieldOp::create(builder, loc, inside);
  }
  carried.assign(nest.getResults().begin(), nest.getResults().end());
}

void VectorCode::branch(Value condition, function_ref<void()> yes,
                        function_ref<void()> no) {
  auto fork = scf::IfOp::create(builder, loc, condition,
                                /*withElseRegion=*/bool(no));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(fork.thenBlock());
  yes();
  if (!no)
    return;
  builder.setInsertionPointToStart(fork.elseBlock());
  no();
}

VectorCode::Carried VectorCode::choose(Value condition,
                                       function_ref<Carried()> yes,
                                       function_ref<Carried()> no) {
  APInt known;
  if (matchPattern(condition, m_ConstantInt(&known)))
    return known.isZero() ? no() : yes();
  auto emit = [](function_ref<Carried()> body) {
    return [body](OpBuilder &inside, Location loc) {
      scf::YieldOp::create(inside, loc, body());
    };
  };
  auto fork = scf::IfOp::create(builder, loc, condition, emit(yes), emit(no));
  return Carried(fork.getResults());
}

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

void VectorCode::call(func::FuncOp callee, ValueRange arguments) {
  func::CallOp::create(builder, loc, callee, arguments);
}
