// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/NumberCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tegula;

Value NumberCode::number(int64_t number) {
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

Value NumberCode::add(Value lhs, Value rhs) {
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value NumberCode::sub(Value lhs, Value rhs) {
  return builder.createOrFold<arith::SubIOp>(loc, lhs, rhs);
}

Value NumberCode::mul(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

Value NumberCode::min(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
}

Value NumberCode::max(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MaxSIOp>(loc, lhs, rhs);
}

Value NumberCode::quotient(Value number, int64_t by) {
  return quotient(number, this->number(by));
}

Value NumberCode::quotient(Value number, Value by) {
  return builder.createOrFold<arith::DivUIOp>(loc, number, by);
}

Value NumberCode::roundDown(Value number, int64_t multiple) {
  return mul(quotient(number, multiple), multiple);
}

Value NumberCode::roundUp(Value number, int64_t multiple) {
  return roundDown(add(number, multiple - 1), multiple);
}

Value NumberCode::constant(bool truth) {
  return arith::ConstantIntOp::create(builder, loc, truth, 1);
}

static Value compare(NumberCode &code, arith::CmpIPredicate predicate,
                     Value lhs, int64_t rhs) {
  return code.builder.createOrFold<arith::CmpIOp>(code.loc, predicate, lhs,
                                                  code.number(rhs));
}

Value NumberCode::isEqual(Value lhs, int64_t rhs) {
  return compare(*this, arith::CmpIPredicate::eq, lhs, rhs);
}

Value NumberCode::isAtMost(Value lhs, int64_t rhs) {
  return compare(*this, arith::CmpIPredicate::sle, lhs, rhs);
}

Value NumberCode::isAtLeast(Value lhs, int64_t rhs) {
  return compare(*this, arith::CmpIPredicate::sge, lhs, rhs);
}

Value NumberCode::both(Value lhs, Value rhs) {
  return builder.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}

Value NumberCode::either(Value lhs, Value rhs) {
  return builder.createOrFold<arith::OrIOp>(loc, lhs, rhs);
}

Value NumberCode::inverse(Value condition) {
  return builder.createOrFold<arith::XOrIOp>(loc, condition, constant(true));
}

Value NumberCode::select(Value condition, Value yes, Value no) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, yes, no);
}
