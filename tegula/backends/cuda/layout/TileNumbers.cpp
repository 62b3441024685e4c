// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates of registers, valid extents of tiles, and shared memory.

#include "tegula/backends/cuda/layout/TileDistributor.h"
#include "tegula/transforms/plan/BufferSize.h"

using namespace mlir;
using namespace tegula;

Value TileDistributor::number(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value TileDistributor::word(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Value TileDistributor::extentWord(OpFoldResult extent) {
  if (std::optional<int64_t> known = IndexMath::number(extent))
    return word(*known);
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                    math().value(extent));
}

Value TileDistributor::both(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

Value TileDistributor::xorBits(ArrayRef<int64_t> values) {
  // Once for the whole loop.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(sharedOp);
  Value sum;
  for (auto [bit, value] : llvm::enumerate(values)) {
    if (!value)
      continue;
    Value part =
        arith::ShRUIOp::create(builder, loc, thread, word(int64_t(bit)));
    part = arith::AndIOp::create(builder, loc, part, word(1));
    part = arith::MulIOp::create(builder, loc, part, word(value));
    sum =
        sum ? arith::XOrIOp::create(builder, loc, sum, part).getResult() : part;
  }
  return sum ? sum : word(0);
}

Value TileDistributor::getThreadPart(const ElementMap &map, unsigned axis) {
  SmallVector<int64_t> steps;
  for (const auto *bits : {&map.lanes, &map.warps})
    for (const Coordinate &step : *bits)
      steps.push_back(step[axis]);
  return xorBits(steps);
}

Value TileDistributor::getCoordinate(const ElementMap &map, int64_t number,
                                     unsigned axis) {
  Value part = getThreadPart(map, axis);
  int64_t offset = map.getOffset(number)[axis];
  return offset ? arith::AddIOp::create(builder, loc, part, word(offset))
                : part;
}

/// How far threads and registers reach along an axis.
static int64_t getReach(const ElementMap &map, unsigned axis) {
  int64_t last = 0;
  for (const auto *bits : {&map.registers, &map.lanes, &map.warps})
    for (const Coordinate &step : *bits)
      last += step[axis];
  return last + 1;
}

Value TileDistributor::isValid(const ElementMap &map, int64_t number,
                               ArrayRef<OpFoldResult> extents) {
  Value valid;
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    std::optional<int64_t> known = IndexMath::number(extent);
    if (known && *known >= getReach(map, axis))
      continue;
    valid = both(valid,
                 arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       getCoordinate(map, number, axis),
                                       extentWord(extent)));
  }
  return valid;
}

Value TileDistributor::isWhole(const ElementMap &map,
                               ArrayRef<OpFoldResult> extents) {
  Value whole;
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    std::optional<int64_t> known = IndexMath::number(extent);
    int64_t reach = getReach(map, axis);
    if (known && *known >= reach)
      continue;
    whole = both(whole,
                 arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       extentWord(extent), word(reach)));
  }
  return whole;
}

SmallVector<Value> TileDistributor::choose(Value condition, Emit then,
                                           Emit otherwise) {
  if (!condition)
    return then();
  // Which types it has is known when one side is there.
  OpBuilder::InsertionGuard guard(builder);
  auto probe = scf::IfOp::create(builder, loc, TypeRange(), condition,
                                 /*withElseRegion=*/true);
  builder.setInsertionPointToStart(probe.thenBlock());
  SmallVector<Value> first = then();
  builder.setInsertionPointToStart(probe.elseBlock());
  SmallVector<Value> second = otherwise();
  if (first.empty())
    return {};
  builder.setInsertionPoint(probe);
  auto branch =
      scf::IfOp::create(builder, loc, ValueRange(first).getTypes(), condition,
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(probe.getThenRegion());
  branch.getElseRegion().takeBody(probe.getElseRegion());
  probe.erase();
  auto setYield = [&](Block *block, ValueRange values) {
    Operation *end = block->getTerminator();
    builder.setInsertionPoint(end);
    scf::YieldOp::create(builder, loc, values);
    end->erase();
  };
  setYield(branch.thenBlock(), first);
  setYield(branch.elseBlock(), second);
  return SmallVector<Value>(branch.getResults());
}

RegisterTile TileDistributor::mask(RegisterTile tile,
                                   ArrayRef<OpFoldResult> extents,
                                   Value other) {
  Value whole = isWhole(tile.map, extents);
  if (!whole)
    return tile;
  SmallVector<Value> used;
  for (int64_t i = 0; i < tile.map.getNumRegisters(); ++i)
    if (tile.registers[i])
      used.push_back(tile.registers[i]);
  SmallVector<Value> masked = choose(
      whole, [&] { return used; },
      [&] {
        SmallVector<Value> found;
        for (int64_t i = 0; i < tile.map.getNumRegisters(); ++i) {
          Value element = tile.registers[i];
          if (!element)
            continue;
          if (Value valid = isValid(tile.map, i, extents))
            element =
                arith::SelectOp::create(builder, loc, valid, element, other);
          found.push_back(element);
        }
        return found;
      });
  size_t next = 0;
  for (Value &element : tile.registers)
    if (element)
      element = masked[next++];
  return tile;
}

Value TileDistributor::takeShared(int64_t bytes, int64_t alignment) {
  bytes = llvm::alignTo(bytes, alignment);
  // A barrier comes before memory is used again.
  int64_t start = llvm::alignTo(sharedTaken, alignment);
  if (start + bytes > limits.most)
    start = llvm::alignTo(sharedKept, alignment);
  sharedTaken = start + bytes;
  sharedOp.setBytes(std::max<int64_t>(sharedOp.getBytes(), sharedTaken));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(sharedOp);
  return LLVM::GEPOp::create(builder, loc, sharedOp.getType(),
                             builder.getI8Type(), sharedOp,
                             ArrayRef<LLVM::GEPArg>{int32_t(start)});
}

Value TileDistributor::getThread() {
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      thread);
}
