// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/FlowCode.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

void FlowCode::loop(Value from, Value to, Value step,
                    function_ref<void(Value)> body) {
  auto nest = scf::ForOp::create(builder, loc, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(nest.getBody());
  body(nest.getInductionVar());
}

void FlowCode::loop(Value from, Value to, int64_t step, Carried &carried,
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

void FlowCode::branch(Value condition, function_ref<void()> yes,
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

FlowCode::Carried FlowCode::choose(Value condition, function_ref<Carried()> yes,
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

void FlowCode::call(func::FuncOp callee, ValueRange arguments) {
  func::CallOp::create(builder, loc, callee, arguments);
}
