// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/memory/ConcatInMemory.h"

#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

void tegula::concatInMemory(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  auto tile = cast<pl::TileType>(result.getType());
  SmallVector<Value> extents;
  auto shape = cast<pl::ExtentsOpInterface>(op);
  for (unsigned axis = 0; axis < tile.getRank(); ++axis)
    extents.push_back(shape.reifyExtent(builder, axis));
  auto type = pl::TensorViewType::get(op->getContext(), tile.getDims(),
                                      tile.getElementType());
  Value memory = pl::CreateTensorOp::create(builder, loc, type, extents);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  auto put = [&](Value part, ArrayRef<Value> offsets) {
    SmallVector<Value> sizes;
    for (unsigned axis = 0; axis < tile.getRank(); ++axis)
      sizes.push_back(pl::buildExtent(builder, loc, part, axis));
    Value view = pl::SliceOp::create(builder, loc, memory, offsets, sizes);
    pl::StoreOp::create(builder, loc, part, view);
  };
  SmallVector<Value> start(tile.getRank(), zero);
  if (auto concat = dyn_cast<pl::ConcatOp>(op)) {
    put(concat.getLhs(), start);
    start[concat.getAxis()] =
        pl::buildExtent(builder, loc, concat.getLhs(), concat.getAxis());
    put(concat.getRhs(), start);
  } else {
    auto insert = cast<pl::InsertOp>(op);
    put(insert.getTarget(), start);
    put(insert.getSource(), llvm::to_vector(insert.getOffsets()));
  }
  Value load =
      pl::keepSpace(builder, result, pl::LoadOp::create(builder, loc, memory));
  result.replaceAllUsesWith(load);
  op->erase();
}
