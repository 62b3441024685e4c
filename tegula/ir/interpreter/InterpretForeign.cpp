// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The func and scf ops on data, and the way to the scalar rules.

#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/PlDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

static LogicalResult setAll(Frame &frame, ValueRange results,
                            RuntimeValues &concrete) {
  for (auto [result, value] : llvm::zip_equal(results, concrete))
    if (failed(frame.set(result, std::move(value))))
      return failure();
  return success();
}

static LogicalResult interpretFor(scf::ForOp loop, Frame &frame) {
  Scalar lower = frame.getScalar(loop.getLowerBound());
  int64_t upper = frame.getIndex(loop.getUpperBound());
  int64_t step = frame.getIndex(loop.getStep());
  if (step <= 0)
    return loop.emitError("step must be positive, got ") << step;
  RuntimeValues carried = frame.get(loop.getInitArgs());
  for (int64_t i = lower.getInteger(); i < upper;) {
    RuntimeValues arguments = {Scalar::ofInteger(lower.getDType(), i)};
    llvm::append_range(arguments, carried);
    FailureOr<RuntimeValues> yielded = frame.run(loop.getRegion(), arguments);
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
    if (llvm::AddOverflow(i, step, i))
      break;
  }
  return setAll(frame, loop.getResults(), carried);
}

static LogicalResult interpretWhile(scf::WhileOp loop, Frame &frame) {
  RuntimeValues carried = frame.get(loop.getInits());
  while (true) {
    FailureOr<RuntimeValues> tested = frame.run(loop.getBefore(), carried);
    if (failed(tested))
      return failure();
    bool goesOn = std::get<Scalar>(tested->front()).isTrue();
    tested->erase(tested->begin());
    if (!goesOn)
      return setAll(frame, loop.getResults(), *tested);
    FailureOr<RuntimeValues> yielded = frame.run(loop.getAfter(), *tested);
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
  }
}

static LogicalResult interpretIf(scf::IfOp branch, Frame &frame) {
  Region &region = frame.getScalar(branch.getCondition()).isTrue()
                       ? branch.getThenRegion()
                       : branch.getElseRegion();
  if (region.empty())
    return success();
  FailureOr<RuntimeValues> yielded = frame.run(region, {});
  if (failed(yielded))
    return failure();
  return setAll(frame, branch.getResults(), *yielded);
}

static LogicalResult interpretCall(func::CallOp op, Frame &frame) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee)
    return op.emitError("function '") << op.getCallee() << "' is not defined";
  FailureOr<RuntimeValues> returned =
      call(callee, frame.get(op.getOperands()), op, frame.getState(), &frame);
  if (failed(returned))
    return failure();
  return setAll(frame, op.getResults(), *returned);
}

/// A branch that only chooses between two tiles or tensors canonicalizes to a
/// select.
static LogicalResult interpretSelect(arith::SelectOp op, Frame &frame) {
  bool isFirst = frame.getScalar(op.getCondition()).isTrue();
  return frame.set(op.getResult(),
                   frame.get(isFirst ? op.getTrueValue() : op.getFalseValue()));
}

static LogicalResult interpretScalar(Operation *op, Frame &frame) {
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return interpretSelect(select, frame);
  ScalarRule rule = findScalarRule(op);
  auto isScalar = [](Type type) { return getDType(type).has_value(); };
  if (!rule || !llvm::all_of(op->getOperandTypes(), isScalar) ||
      !llvm::all_of(op->getResultTypes(), isScalar))
    return op->emitError("the interpreter has no rule for '")
           << op->getName() << "' on these types";
  SmallVector<Scalar, 3> scalars;
  for (Value operand : op->getOperands())
    scalars.push_back(frame.getScalar(operand));
  FailureOr<Scalar> result = rule(op, scalars);
  if (failed(result))
    return failure();
  return frame.set(op->getResult(0), *result);
}

LogicalResult tegula::pl::interpretForeign(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return interpretFor(loop, frame); })
      .Case([&](scf::WhileOp loop) { return interpretWhile(loop, frame); })
      .Case([&](scf::IfOp branch) { return interpretIf(branch, frame); })
      .Case([&](func::CallOp call) { return interpretCall(call, frame); })
      .Default([&](Operation *other) { return interpretScalar(other, frame); });
}
