// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/memory/CarriedTiles.h"

#include "tegula/transforms/memory/CarriedCapacity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

pl::TensorViewType tegula::viewTypeOf(Type type) {
  return pl::TensorViewType::get(type.getContext(), pl::getDims(type),
                                 pl::getElementOrSelf(type));
}

std::optional<OperandRange> tegula::extentsOf(Value value) {
  for (Operation *user : value.getUsers())
    if (auto known = dyn_cast<pl::WithExtentsOp>(user);
        known && known->getBlock() == value.getParentBlock())
      return known.getExtents();
  return std::nullopt;
}

Value tegula::inMemory(OpBuilder &builder, Location loc, Value tile) {
  pl::TensorViewType type = viewTypeOf(tile.getType());
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < type.getRank(); ++axis)
    extents.push_back(pl::buildExtent(builder, loc, tile, axis));
  Value memory = pl::CreateTensorOp::create(builder, loc, type, extents);
  pl::StoreOp::create(builder, loc, tile, memory);
  return memory;
}

void tegula::becomeView(Value value, OpBuilder &builder) {
  Location loc = value.getLoc();
  auto tile = cast<pl::TileType>(value.getType());
  value.setType(viewTypeOf(tile));
  auto load = pl::LoadOp::create(builder, loc, tile, value);
  value.replaceAllUsesExcept(load, load);
}

/// The first `extents` elements of the memory.
static Value partOf(OpBuilder &builder, Location loc, Value memory, Type tile,
                    ValueRange extents) {
  if (llvm::equal(extents,
                  memory.getDefiningOp<pl::CreateTensorOp>().getSizes()))
    return memory;
  SmallVector<Value> offsets(extents.size(),
                             arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<Value> sizes(extents);
  for (auto [dim, size] : llvm::zip_equal(pl::getDims(tile), sizes))
    if (dim.isBounded())
      size = builder.createOrFold<arith::MinSIOp>(
          loc, size,
          arith::ConstantIndexOp::create(builder, loc, dim.getBound()));
  return pl::SliceOp::create(builder, loc, viewTypeOf(tile), memory, offsets,
                             sizes, builder.getDenseI64ArrayAttr({}));
}

void tegula::becomeLoad(Value value, Value memory, ValueRange extents,
                        OpBuilder &builder) {
  Location loc = value.getLoc();
  Value part = partOf(builder, loc, memory, value.getType(), extents);
  Value load = pl::LoadOp::create(builder, loc,
                                  cast<pl::TileType>(value.getType()), part);
  value.replaceAllUsesWith(load);
}

/// The value whose bound is shown by a minimum with a constant.
static Value behindBound(Value extent) {
  auto least = extent.getDefiningOp<arith::MinSIOp>();
  return least && matchPattern(least.getRhs(), m_Constant()) ? least.getLhs()
                                                             : extent;
}

std::optional<SmallVector<Value>>
tegula::renamed(Operation *loop, ValueRange extents,
                const DenseMap<Value, Value> &names) {
  SmallVector<Value> result;
  DominanceInfo dominance;
  for (Value extent : extents) {
    bool isBefore = dominance.properlyDominates(extent, loop);
    result.push_back(isBefore ? extent : names.lookup(behindBound(extent)));
    if (!result.back())
      return std::nullopt;
  }
  return result;
}

/// Memory before the loop for the largest that goes around it with these
/// extents, as an iteration sees them; null if how large that is is not known
/// there.
static Value createMemory(Operation *loop, pl::TileType tile,
                          ValueRange extents) {
  pl::Dims dims(tile.getDims());
  SmallVector<Value> sizes;
  for (auto [dim, extent] : llvm::zip_equal(dims, extents)) {
    bool isOutside = !loop->isAncestor(extent.getParentRegion()->getParentOp());
    sizes.push_back(isOutside ? extent : buildCapacity(extent));
    if (!sizes.back())
      return {};
    if (!isOutside)
      dim = pl::dimOfExtent(sizes.back());
  }
  OpBuilder builder(loop);
  auto type =
      pl::TensorViewType::get(tile.getContext(), dims, tile.getElementType());
  return pl::CreateTensorOp::create(builder, loop->getLoc(), type, sizes);
}

CarriedTile tegula::enterLoop(Operation *loop, OpOperand &init,
                              unsigned position, ArrayRef<Value> sides,
                              const DenseMap<Value, Value> &names) {
  CarriedTile carriedTile{position, {}, {}};
  auto tile = cast<pl::TileType>(init.get().getType());
  for (Value side : sides) {
    std::optional<OperandRange> said = extentsOf(side);
    auto extents = said ? renamed(loop, *said, names) : std::nullopt;
    if (!extents)
      continue;
    carriedTile.extents = *extents;
    carriedTile.memory = createMemory(loop, tile, *extents);
    break;
  }
  OpBuilder builder(loop);
  if (carriedTile.memory)
    pl::StoreOp::create(builder, loop->getLoc(), init.get(),
                        carriedTile.memory);
  else
    init.set(inMemory(builder, loop->getLoc(), init.get()));
  return carriedTile;
}
