// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/SplitStores.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

static Value extentOf(OpBuilder &builder, Location loc, Value tile,
                      unsigned axis) {
  pl::Dim dim = pl::getDims(tile.getType())[axis];
  if (dim.isExact())
    return arith::ConstantIndexOp::create(builder, loc, dim.getBound());
  return pl::DimOp::create(builder, loc, tile, axis);
}

/// How much of both tiles together is valid.
static Value extentOf(OpBuilder &builder, pl::ConcatOp concat, unsigned axis) {
  Location loc = concat.getLoc();
  Value lhs = extentOf(builder, loc, concat.getLhs(), axis);
  Value rhs = extentOf(builder, loc, concat.getRhs(), axis);
  if (axis == concat.getAxis())
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  return arith::MinSIOp::create(builder, loc, lhs, rhs);
}

/// True if the elements are stored only; what else is asked of the tile is
/// answered by its operands.
static bool isOnlyStored(pl::ConcatOp concat) {
  OpBuilder builder(concat);
  for (Operation *user : llvm::make_early_inc_range(concat->getUsers()))
    if (auto dim = dyn_cast<pl::DimOp>(user)) {
      dim.replaceAllUsesWith(extentOf(builder, concat, dim.getAxis()));
      dim.erase();
    }
  return concat->hasOneUse();
}

/// Stores one of the tiles from `start` on along the axis; along others as far
/// as the other one is valid, too.
static pl::StoreOp storeFrom(OpBuilder &builder, pl::ConcatOp concat,
                             Value tile, Value start, Value target) {
  Location loc = concat.getLoc();
  SmallVector<Value> offsets, sizes;
  pl::Dims dims;
  auto bounds = boundsOf(cast<pl::TileType>(tile.getType()));
  for (auto [axis, bound] : llvm::enumerate(bounds)) {
    bool isJoined = axis == concat.getAxis();
    offsets.push_back(
        isJoined ? start
                 : arith::ConstantIndexOp::create(builder, loc, 0).getResult());
    sizes.push_back(isJoined ? extentOf(builder, loc, tile, axis)
                             : extentOf(builder, concat, axis));
    dims.push_back(pl::Dim::atMost(bound));
  }
  Type element = pl::getElementOrSelf(target.getType());
  auto type = pl::TensorViewType::get(builder.getContext(), dims, element);
  Value window = pl::SliceOp::create(builder, loc, type, target, offsets, sizes,
                                     ArrayRef<int64_t>());
  return pl::StoreOp::create(builder, loc, tile, window);
}

/// store(concat(a, b), view)  ->  store(a, slice(view)), store(b, slice(view))
static void splitStore(pl::StoreOp store) {
  auto concat = store.getTile().getDefiningOp<pl::ConcatOp>();
  if (!concat || !isOnlyStored(concat) || !rootOfView(store.getTarget()) ||
      !store->getDiscardableAttrs().empty() ||
      isHalfByteInTensors(store.getTarget().getType().getElementType()))
    return;
  OpBuilder builder(store);
  Location loc = store.getLoc();
  Value start = arith::ConstantIndexOp::create(builder, loc, 0);
  Value middle = extentOf(builder, loc, concat.getLhs(), concat.getAxis());
  pl::StoreOp first =
      storeFrom(builder, concat, concat.getLhs(), start, store.getTarget());
  pl::StoreOp second =
      storeFrom(builder, concat, concat.getRhs(), middle, store.getTarget());
  store.erase();
  concat.erase();
  splitStore(first);
  splitStore(second);
}

void tegula::splitStores(pl::ParallelOp loop) {
  SmallVector<pl::StoreOp> stores;
  loop.getBody().walk([&](pl::StoreOp store) { stores.push_back(store); });
  for (pl::StoreOp store : stores)
    splitStore(store);
}
