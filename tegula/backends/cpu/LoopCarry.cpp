// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/LoopCarry.h"

#include "tegula/backends/cpu/ZeroAccumulator.h"

using namespace mlir;
using namespace tegula;

LoopCarry::LoopCarry(TileLowering &lowering, ValueRange arguments,
                     MutableArrayRef<OpOperand> next, Location loc)
    : lowering(lowering), arguments(arguments), next(next), loc(loc),
      memories(lowering.memoriesOf(arguments, loc)),
      startRows(arguments.size()), rowsBegin(lowering.currentFrame().bytes),
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
  OpBuilder &builder = lowering.getBuilder();
  IndexMath math = lowering.math(loc);
  View start = *memories[position];
  int64_t columns = pl::getDims(arguments[position].getType())[1].getBound();
  startRows[position] = lowering.allocate(loc, start.element, columns).base;
  start.base = arith::SelectOp::create(builder, loc, hasIterations,
                                       startRows[position], start.base);
  Indices extents = lowering.tile(init).extents;
  extents[0] = arith::SelectOp::create(builder, loc, hasIterations,
                                       math.value(math.constant(1)),
                                       math.value(extents[0]))
                   .getResult();
  lowering.evaluateInto(init, start, extents, loc);
}

void LoopCarry::enter(ValueRange inits, SmallVectorImpl<Value> &flat,
                      Value hasIterations) {
  for (auto [position, init] : llvm::enumerate(inits)) {
    Value argument = arguments[position];
    if (memories[position] && !lowering.isComputedIn(init, argument)) {
      UnitScope unit(lowering, loc);
      if (lowering.hooks && findZeroAccumulatorLoop(argument))
        lowering.hooks->hide();
      if (hasIterations && canStartAsRow(init, argument))
        startAsRow(position, init, hasIterations);
      else
        lowering.evaluateInto(init, *memories[position],
                              lowering.tile(init).extents, loc);
    }
    lowering.flatten(init, flat, loc);
  }
  rowsEnd = lowering.currentFrame().bytes;
}

void LoopCarry::beginIteration(ValueRange flat, Value isFirst) {
  OpBuilder &builder = lowering.getBuilder();
  IndexMath math = lowering.math(loc);
  for (auto [argument, memory, row] :
       llvm::zip(arguments, memories, startRows)) {
    lowering.unflatten(argument, flat, memory);
    if (!row)
      continue;
    View &view = *lowering.tiles[argument].view;
    view.base = arith::SelectOp::create(builder, loc, isFirst, row, view.base);
    view.strides[0] = arith::SelectOp::create(builder, loc, isFirst,
                                              math.value(math.constant(0)),
                                              math.value(view.strides[0]))
                          .getResult();
  }
}

void LoopCarry::leave(ValueRange results, ValueRange flat) {
  for (auto [result, memory] : llvm::zip(results, memories))
    lowering.unflatten(result, flat, memory);
  // What an iteration needs until the frame ends may lie behind them.
  ScratchFrame &frame = lowering.currentFrame();
  if (frame.bytes == rowsEnd)
    frame.bytes = rowsBegin;
}

void LoopCarry::endIteration(SmallVectorImpl<Value> &flat) {
  SmallVector<std::pair<View, View>, 0> copies;
  SmallVector<unsigned> direct;
  for (auto [position, operand] : llvm::enumerate(next)) {
    Value value = operand.get();
    lowering.flatten(value, flat, loc);
    if (!memories[position] ||
        lowering.isComputedIn(value, arguments[position]) ||
        lowering.accumulated.contains(value.getDefiningOp()))
      continue;
    std::optional<BufferId> buffer = lowering.getPlacement().getBuffer(operand);
    if (!buffer) {
      direct.push_back(position);
      continue;
    }
    // Another carried tile is read: it must still have its old elements.
    View copy = lowering.bufferView(
        *buffer, boundsOf(cast<pl::TileType>(value.getType())), loc);
    const Indices extents = lowering.tile(value).extents;
    lowering.evaluateInto(value, copy, extents, loc);
    copies.push_back(
        {copy.shrink(extents), memories[position]->shrink(extents)});
  }
  for (unsigned position : direct) {
    Value value = next[position].get();
    lowering.evaluateInto(value, *memories[position],
                          lowering.tile(value).extents, loc);
  }
  for (const auto &[from, to] : copies)
    lowering.copyElements(from, to, loc);
}
