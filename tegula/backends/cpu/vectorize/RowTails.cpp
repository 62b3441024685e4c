// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/RowTails.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

void RowTails::emit(OpFoldResult from, OpFoldResult extent,
                    function_ref<void(Value)> emitChunk) {
  if (from == extent || lanes == 1)
    return;
  state.indices[state.getInnermost()] = math.value(from);
  Value left = math.value(math.sub(extent, from));
  Value isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                       left, math.value(math.constant(0)));
  auto branch = scf::IfOp::create(builder, loc, isLeft,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto emitLast = [&] {
    emitChunk(maskUntil(extent));
    return Value();
  };
  inHalvesIfShort(math.sub(extent, from), Type(), emitLast, [&] {
    state.inHalves([&] { emitLast(); });
    return Value();
  });
}

Value RowTails::maskUntil(OpFoldResult to) {
  auto type = VectorType::get(lanes, builder.getI1Type());
  OpFoldResult left = math.sub(to, state.indices[state.getInnermost()]);
  if (!state.width.hasMaskRegisters || lanes < 8 || IndexMath::number(left))
    return vector::CreateMaskOp::create(builder, loc, type, math.value(left));
  // LLVM compares lanes wherever a mask is used, in each row anew. What is made
  // of bits it keeps.
  Type i64 = builder.getI64Type();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value count = arith::IndexCastOp::create(builder, loc, i64, math.value(left));
  Value bits = arith::SubIOp::create(
      builder, loc, arith::ShLIOp::create(builder, loc, number(1), count),
      number(1));
  if (lanes < 64)
    bits = arith::TruncIOp::create(builder, loc, builder.getIntegerType(lanes),
                                   bits);
  return LLVM::BitcastOp::create(builder, loc, type, bits);
}

Value RowTails::inHalvesIfShort(OpFoldResult left, Type type,
                                function_ref<Value()> emitLong,
                                function_ref<Value()> emitShort) {
  std::optional<int64_t> known = IndexMath::number(left);
  bool hasHalves = state.width.hasHalves;
  if (!hasHalves || known)
    return hasHalves && *known <= lanes / 2 ? emitShort() : emitLong();
  Value isShort = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                        math.value(left),
                                        math.value(math.constant(lanes / 2)));
  auto branch = scf::IfOp::create(builder, loc,
                                  type ? TypeRange(type) : TypeRange(), isShort,
                                  /*withElseRegion=*/true);
  auto emitArm = [&](Block *block, function_ref<Value()> emit) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    Value made = emit();
    if (type)
      scf::YieldOp::create(builder, loc, made);
  };
  emitArm(branch.thenBlock(), emitShort);
  emitArm(branch.elseBlock(), emitLong);
  return type ? branch.getResult(0) : Value();
}
