// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/LoopCarry.h"

#include "tegula/backends/cpu/ZeroSum.h"

using namespace mlir;
using namespace tegula;

LoopCarry::LoopCarry(TileLowering &lowering, ValueRange arguments,
                     MutableArrayRef<OpOperand> next, Location loc)
    : lowering(lowering), arguments(arguments), next(next), loc(loc),
      memories(lowering.memoriesOf(arguments, loc)) {}

bool LoopCarry::carriesTensors() const {
  return llvm::any_of(arguments, [](Value value) {
    return isa<pl::TensorViewType>(value.getType());
  });
}

void LoopCarry::enter(ValueRange inits, SmallVectorImpl<Value> &flat) {
  for (auto [init, argument, memory] : llvm::zip(inits, arguments, memories)) {
    if (memory && !lowering.isComputedIn(init, argument)) {
      UnitScope unit(lowering, loc);
      if (lowering.units && findZeroSumLoop(argument))
        lowering.units->hide();
      lowering.evaluateInto(init, *memory, lowering.tile(init).extents, loc);
    }
    lowering.flatten(init, flat, loc);
  }
}

void LoopCarry::beginTurn(ValueRange flat) {
  for (auto [argument, memory] : llvm::zip(arguments, memories))
    lowering.unflatten(argument, flat, memory);
}

void LoopCarry::leave(ValueRange results, ValueRange flat) {
  for (auto [result, memory] : llvm::zip(results, memories))
    lowering.unflatten(result, flat, memory);
}

void LoopCarry::endTurn(SmallVectorImpl<Value> &flat) {
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
