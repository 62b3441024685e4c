// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/loops/LoopCarry.h"

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/loops/RegionValues.h"
#include "tegula/backends/codegen/ops/ZeroAccumulator.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

LoopCarry::LoopCarry(TileLowering &lowering, ValueRange arguments,
                     MutableArrayRef<OpOperand> next, Location loc)
    : lowering(lowering), arguments(arguments), next(next), loc(loc),
      memories(memoriesOf(lowering, arguments, loc)),
      startRows(arguments.size()), rowsBegin(lowering.scratch.getUsed()),
      rowsEnd(rowsBegin) {}

bool LoopCarry::carriesTensors() const {
  return llvm::any_of(arguments, [](Value value) {
    return isa<pl::TensorViewType>(value.getType());
  });
}

bool LoopCarry::canStartAsRow(Value init, Value argument) const {
  // Fewer rows are filled as soon as a row is chosen; longer ones take memory.
  constexpr int64_t leastRows = 4, mostColumns = 1024;
  auto dims = pl::getDims(argument.getType());
  // What is combined where it lies has an axis of one element.
  if (dims.size() != 2 || dims[0].getBound() < leastRows ||
      dims[1].getBound() < 2 || dims[1].getBound() > mostColumns)
    return false;
  while (auto relax = init.getDefiningOp<pl::RelaxOp>())
    init = relax.getSource();
  return init.getDefiningOp<pl::FullOp>() &&
         llvm::all_of(argument.getUsers(),
                      llvm::IsaPred<pl::ElementwiseOpInterface, pl::DimOp>);
}

void LoopCarry::startAsRow(unsigned position, Value init, Value hasIterations) {
  OpBuilder &builder = lowering.builder;
  IndexMath math = lowering.math(loc);
  View start = *memories[position];
  int64_t columns = pl::getDims(arguments[position].getType())[1].getBound();
  startRows[position] =
      lowering.scratch.allocate(loc, start.element, columns).base;
  start.base = arith::SelectOp::create(builder, loc, hasIterations,
                                       startRows[position], start.base);
  Indices extents = lowering.tile(init).extents;
  extents[0] = arith::SelectOp::create(builder, loc, hasIterations,
                                       math.value(math.constant(1)),
                                       math.value(extents[0]))
                   .getResult();
  evaluateInto(lowering, init, start, extents, loc);
}

void LoopCarry::enter(ValueRange inits, SmallVectorImpl<Value> &flat,
                      Value hasIterations) {
  for (auto [position, init] : llvm::enumerate(inits)) {
    Value argument = arguments[position];
    if (memories[position] && !lowering.isComputedIn(init, argument)) {
      UnitScope unit(lowering.steps, loc);
      if (lowering.steps && findZeroAccumulatorLoop(argument))
        lowering.steps->hide();
      if (hasIterations && canStartAsRow(init, argument))
        startAsRow(position, init, hasIterations);
      else
        evaluateInto(lowering, init, *memories[position],
                     lowering.tile(init).extents, loc);
    }
    flatten(lowering, init, flat, loc);
  }
  rowsEnd = lowering.scratch.getUsed();
}

void LoopCarry::beginIteration(ValueRange flat, Value isFirst) {
  OpBuilder &builder = lowering.builder;
  IndexMath math = lowering.math(loc);
  for (auto [argument, memory, row] :
       llvm::zip(arguments, memories, startRows)) {
    unflatten(lowering, argument, flat, memory);
    if (!row)
      continue;
    View view = *lowering.tile(argument).view;
    view.base = arith::SelectOp::create(builder, loc, isFirst, row, view.base);
    view.strides[0] = arith::SelectOp::create(builder, loc, isFirst,
                                              math.value(math.constant(0)),
                                              math.value(view.strides[0]))
                          .getResult();
    lowering.values.setMemory(argument, view);
  }
}

void LoopCarry::leave(ValueRange results, ValueRange flat) {
  for (auto [result, memory] : llvm::zip(results, memories))
    unflatten(lowering, result, flat, memory);
  // What an iteration needs until the frame ends may lie behind them.
  if (lowering.scratch.getUsed() == rowsEnd)
    lowering.scratch.freeTo(rowsBegin);
}

void LoopCarry::endIteration(SmallVectorImpl<Value> &flat) {
  SmallVector<std::pair<View, View>, 0> copies;
  SmallVector<unsigned> direct;
  for (auto [position, operand] : llvm::enumerate(next)) {
    Value value = operand.get();
    flatten(lowering, value, flat, loc);
    if (!memories[position] ||
        lowering.isComputedIn(value, arguments[position]) ||
        lowering.accumulated.contains(value.getDefiningOp()))
      continue;
    std::optional<BufferId> buffer = lowering.plan.placement.getBuffer(operand);
    if (!buffer) {
      direct.push_back(position);
      continue;
    }
    // Another carried tile is read: it must still have its old elements.
    View copy = lowering.scratch.bufferView(
        *buffer, boundsOf(cast<pl::TileType>(value.getType())), loc);
    const Indices extents = lowering.tile(value).extents;
    evaluateInto(lowering, value, copy, extents, loc);
    copies.push_back(
        {copy.shrink(extents), memories[position]->shrink(extents)});
  }
  for (unsigned position : direct) {
    Value value = next[position].get();
    evaluateInto(lowering, value, *memories[position],
                 lowering.tile(value).extents, loc);
  }
  for (const auto &[from, to] : copies)
    copyElements(lowering, from, to, loc);
}
