// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.print and pl.assert: their rules, and what they mean on data.
#include "tegula/ir/extents/LoopVariables.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/InterpretedRanks.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/semantics/CheckedOps.h"
#include "tegula/ir/ops/semantics/PrintFormat.h"
#include "tegula/support/PrintRecord.h"
#include "tegula/support/PrintSink.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

LogicalResult PrintOp::verify() {
  size_t placeholders = countPlaceholders(getFormat());
  if (placeholders != getValues().size())
    return emitOpError("has ") << placeholders << " placeholders for "
                               << getValues().size() << " values";
  return verifyNames(*this, getNames(), getIterations());
}

void PrintOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), ConsoleResource::get());
  for (OpOperand &value : getValuesMutable())
    if (isa<TensorViewType>(value.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &value);
}

LogicalResult AssertOp::verify() {
  return verifyNames(*this, getNames(), getIterations());
}

std::string AssertOp::describe() {
  std::string text = "assertion failed in '" + getFunction().str() + "'";
  return getText().empty() ? text : text + ": " + getText().str();
}

namespace {

/// In which iteration of a loop something happens.
struct Iteration {
  std::string name;
  int64_t number;
};

} // namespace

/// From the outermost loop on, in the run that called this one first.
static void addIterations(Operation *op, const Frame &frame,
                          SmallVectorImpl<Iteration> &iterations) {
  if (const Frame *caller = frame.getCaller())
    addIterations(frame.getCall(), *caller, iterations);
  for (const LoopVariable &loop : listLoopVariables(op))
    iterations.push_back({loop.name, frame.getIndex(loop.value)});
}

/// The iterations as text; empty if no loop is around the op.
template <typename Op>
static std::string iterationsOf(Op op, Frame &frame, StringRef is,
                                StringRef between) {
  SmallVector<Iteration> iterations;
  if (!op.getLabelled())
    addIterations(op, frame, iterations);
  for (auto [name, iteration] : llvm::zip(op.getNames(), op.getIterations()))
    iterations.push_back(
        {cast<StringAttr>(name).str(), frame.getIndex(iteration)});
  std::string text;
  for (const Iteration &iteration : iterations)
    text += (text.empty() ? "" : between.str()) + iteration.name + is.str() +
            std::to_string(iteration.number);
  return text;
}

/// Adds what a record has of a value.
static void addValue(const RuntimeValue &concrete,
                     std::vector<int64_t> &record) {
  if (auto *number = std::get_if<Scalar>(&concrete)) {
    llvm::append_values(record, static_cast<int64_t>(number->getDType()), -1,
                        static_cast<int64_t>(number->getBits()));
    return;
  }
  const TensorView &view = std::get<Memory>(concrete).view;
  llvm::append_values(record, static_cast<int64_t>(view.dtype),
                      static_cast<int64_t>(view.rank),
                      reinterpret_cast<int64_t>(view.getFirstElement()));
  llvm::append_range(record, view.getSizes());
  llvm::append_range(record, view.getStrides());
}

LogicalResult PrintOp::interpret(Frame &frame) {
  std::string label = iterationsOf(*this, frame, "=", ", ");
  std::string text =
      (label.empty() ? "" : "[" + label + "] ") + getFormat().str();
  if (frame.getState().ranks)
    text = "[rank " + std::to_string(frame.getState().rank) + "] " + text;
  std::vector<int64_t> record = encodeText(text);
  for (Value value : getValues()) {
    if (isa<TensorViewType>(value.getType()) &&
        failed(frame.touch(*this, Touch::Read, frame.getTensor(value))))
      return failure();
    addValue(frame.get(value), record);
  }
  printLine(formatRecord(record.data()));
  return success();
}

LogicalResult AssertOp::interpret(Frame &frame) {
  if (frame.getScalar(getCondition()).isTrue())
    return success();
  std::string iterations = iterationsOf(*this, frame, " is ", " and ");
  InFlightDiagnostic error = emitError(describe());
  if (!iterations.empty())
    error << ", where " << iterations;
  return error;
}

void AssertOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<DropTrueCheck<AssertOp>>(context);
}
