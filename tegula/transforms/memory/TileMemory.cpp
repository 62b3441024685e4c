// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/memory/TileMemory.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

static Value createMemory(OpBuilder &builder, Location loc, Type tile,
                          ValueRange extents) {
  auto type = pl::TensorViewType::get(builder.getContext(), pl::getDims(tile),
                                      pl::getElementOrSelf(tile));
  return pl::CreateTensorOp::create(builder, loc, type, extents);
}

Value tegula::createMemoryFor(OpBuilder &builder, Operation *op) {
  auto shape = cast<pl::ExtentsOpInterface>(op);
  Type type = op->getResult(0).getType();
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < pl::getDims(type).size(); ++axis)
    extents.push_back(shape.reifyExtent(builder, axis));
  return createMemory(builder, op->getLoc(), type, extents);
}

Value tegula::memoryOf(OpBuilder &builder, Value tile, Operation *reader) {
  if (auto load = behindExtents(tile).getDefiningOp<pl::LoadOp>())
    if (!mayBeWrittenBetween(load, reader, rootOfView(load.getSource())))
      return load.getSource();
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < pl::getDims(tile.getType()).size(); ++axis)
    extents.push_back(pl::buildExtent(builder, tile.getLoc(), tile, axis));
  Value memory = createMemory(builder, tile.getLoc(), tile.getType(), extents);
  pl::StoreOp::create(builder, tile.getLoc(), tile, memory);
  return memory;
}

Value tegula::behindExtents(Value tile) {
  while (isa_and_nonnull<pl::RelaxOp, pl::WithExtentsOp>(tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  return tile;
}
