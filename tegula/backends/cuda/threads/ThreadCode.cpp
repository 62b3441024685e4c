// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/threads/ThreadCode.h"

#include "tegula/backends/codegen/CallRoutine.h"
#include "tegula/support/Routines.h"

using namespace mlir;
using namespace tegula;

Value ThreadCode::number(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value ThreadCode::call(StringRef name, Type result, ValueRange arguments) {
  auto made = callRoutine(values.module, name, result, arguments, builder, loc);
  return result ? made.getResult() : Value();
}

void ThreadCode::wait(Level level) {
  if (level == Level::Grid)
    call(routine::tegulaGpuGridBarrier, {}, values.gridBarrier);
  else
    call(routine::tegulaGpuBarrier, {}, {});
}

Value ThreadCode::isBelow(Value index, Value extent) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index,
                               extent);
}

static Value isFirst(ThreadCode &code, Value index) {
  return arith::CmpIOp::create(code.builder, code.loc, arith::CmpIPredicate::eq,
                               index, code.number(0));
}

void ThreadCode::emitIf(Value condition, llvm::function_ref<void()> body,
                        llvm::function_ref<void()> otherwise) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

void ThreadCode::onFirst(Level level, llvm::function_ref<void()> body) {
  Value condition = isFirst(*this, values.thread);
  if (level == Level::Grid)
    condition = arith::AndIOp::create(builder, loc, condition,
                                      isFirst(*this, values.block));
  emitIf(condition, body);
}

void ThreadCode::onFirstBlock(Level level, llvm::function_ref<void()> body) {
  if (level == Level::Block)
    return body();
  emitIf(isFirst(*this, values.block), body);
}

void ThreadCode::loop(Value from, Value to, Value step,
                      llvm::function_ref<void(Value)> body) {
  auto made = scf::ForOp::create(builder, loc, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  body(made.getInductionVar());
}
