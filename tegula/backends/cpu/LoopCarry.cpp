// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/LoopCarry.h"

using namespace mlir;
using namespace tegula;

LoopCarry::LoopCarry(TileLowering &lowering, ValueRange arguments,
                     ValueRange next, Location loc)
    : lowering(lowering), arguments(arguments), next(next), loc(loc),
      memories(lowering.allocateFor(arguments.getTypes(), loc)) {}

bool LoopCarry::carriesTensors() const {
  return llvm::any_of(arguments, [](Value value) {
    return isa<pl::TensorViewType>(value.getType());
  });
}

void LoopCarry::enter(ValueRange inits, SmallVectorImpl<Value> &flat) {
  for (auto [init, memory] : llvm::zip(inits, memories)) {
    if (memory)
      lowering.evaluateInto(init, *memory, lowering.tile(init).extents, loc);
    lowering.flatten(init, flat, loc);
  }
}

void LoopCarry::beginTurn(ValueRange flat) {
  for (auto [argument, memory] : llvm::zip(arguments, memories))
    lowering.unflatten(argument, flat, memory);
  chooseDestinations();
}

void LoopCarry::leave(ValueRange results, ValueRange flat) {
  for (auto [result, memory] : llvm::zip(results, memories))
    lowering.unflatten(result, flat, memory);
}

/// A tile the body computes into memory of its own may use the carried buffer,
/// if that is not needed any more by then.
void LoopCarry::chooseDestinations() {
  for (auto [argument, value, memory] : llvm::zip(arguments, next, memories))
    if (memory && !lowering.destinations.count(value) &&
        canReplace(argument, value))
      lowering.destinations.try_emplace(value, *memory);
}

/// True if `tile`, computed where it is read, reads a carried tile; reading
/// `inPlace` element by element is no obstacle.
bool LoopCarry::readsArguments(Value tile, Value inPlace) const {
  return lowering.fusion.anyLeaf(tile, [&](Value leaf, bool isMoved) {
    return llvm::is_contained(arguments, leaf) && (leaf != inPlace || isMoved);
  });
}

/// True if computing `tile` reads `argument` at other places than it writes.
static bool readsMoved(Fusion &fusion, Value tile, Value argument,
                       bool isMoved) {
  return fusion.anyLeaf(
      tile,
      [&](Value leaf, bool leafIsMoved) {
        return leaf == argument && leafIsMoved;
      },
      isMoved);
}

/// A product reads its accumulator in place, and its factors all over.
static bool canComputeInPlace(Fusion &fusion, Operation *op, Value argument) {
  auto matmul = dyn_cast<pl::MatmulOp>(op);
  return llvm::none_of(op->getOperands(), [&](Value operand) {
    bool isMoved =
        isa<pl::ReduceOp>(op) || (matmul && operand != matmul.getAcc());
    return isa<pl::TileType>(operand.getType()) &&
           readsMoved(fusion, operand, argument, isMoved);
  });
}

bool LoopCarry::canReplace(Value argument, Value value) const {
  Fusion &fusion = lowering.fusion;
  Operation *op = value.getDefiningOp();
  Block *body = cast<BlockArgument>(argument).getOwner();
  if (!op || op->getBlock() != body || fusion.isVirtual(op) ||
      !isa<pl::MatmulOp, pl::ReduceOp, pl::ElementwiseOpInterface>(op))
    return false;
  return llvm::all_of(fusion.getReaders(argument), [&](Operation *reader) {
    Operation *ancestor = body->findAncestorOpInBlock(*reader);
    return ancestor == op ? canComputeInPlace(fusion, op, argument)
                          : ancestor->isBeforeInBlock(op);
  });
}

void LoopCarry::endTurn(SmallVectorImpl<Value> &flat) {
  SmallVector<std::pair<View, View>> copies;
  SmallVector<unsigned> direct;
  for (auto [position, value] : llvm::enumerate(next)) {
    lowering.flatten(value, flat, loc);
    if (!memories[position])
      continue;
    auto chosen = lowering.destinations.find(value);
    bool isThere = chosen != lowering.destinations.end() &&
                   chosen->second.base == memories[position]->base;
    if (isThere || value == arguments[position])
      continue;
    if (!readsArguments(value, arguments[position])) {
      direct.push_back(position);
      continue;
    }
    // Another carried tile is read: it must still have its old elements.
    View copy = lowering.allocate(loc, cast<pl::TileType>(value.getType()));
    const Indices extents = lowering.tile(value).extents;
    lowering.evaluateInto(value, copy, extents, loc);
    copies.push_back(
        {copy.shrink(extents), memories[position]->shrink(extents)});
  }
  for (unsigned position : direct)
    lowering.evaluateInto(next[position], *memories[position],
                          lowering.tile(next[position]).extents, loc);
  for (const auto &[from, to] : copies)
    lowering.copyElements(from, to, loc);
}
