// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/attributes/SpaceAttribute.h"

#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

pl::MemorySpaceAttr pl::getSpaceAttr(Operation *op) {
  return op->getAttrOfType<MemorySpaceAttr>(spaceAttrName);
}

void pl::setSpaceAttr(Operation *op, MemorySpaceAttr space) {
  if (space)
    op->setDiscardableAttr(spaceAttrName, space);
  else
    op->removeDiscardableAttr(spaceAttrName);
}

Value pl::keepSpace(OpBuilder &builder, Value like, Value tile) {
  Operation *from = like.getDefiningOp();
  MemorySpaceAttr space = from ? getSpaceAttr(from) : nullptr;
  if (!space)
    return tile;
  Operation *op = tile.getDefiningOp();
  // A moved tile is still where it was, too.
  bool isOwn = op && op->getNumRegions() == 0 && !isa<RelaxOp>(from);
  if (isOwn && (!getSpaceAttr(op) || getSpaceAttr(op) == space)) {
    setSpaceAttr(op, space);
    return tile;
  }
  auto move = RelaxOp::create(builder, from->getLoc(), tile.getType(), tile);
  setSpaceAttr(move, space);
  return move;
}
