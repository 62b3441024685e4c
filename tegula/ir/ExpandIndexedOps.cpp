// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gathers and scatters are made of: loops over elements in memory.
#include "tegula/ir/ElementLoops.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/PlIndexOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;
using pl::LoopOrder;
using pl::Places;

namespace {

/// Builds the loops of one op in front of it.
class Expander {
public:
  Expander(OpBuilder &builder, Operation *op)
      : builder(builder), op(op), loc(op->getLoc()), zero(index(0)),
        one(index(1)) {}

  Value expand(pl::GatherOp gather);
  Value expand(pl::ScatterOp scatter);
  void expand(pl::ScatterStoreOp scatter);
  Value expand(pl::FindOp find);

private:
  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  Places extentsOf(Value shaped) {
    return pl::buildExtents(builder, loc, shaped);
  }
  Value createMemory(pl::TileType type, ValueRange extents);
  Value memoryOf(Value tile);
  void forEach(ArrayRef<Value> extents, const LoopOrder &order,
               function_ref<void(ArrayRef<Value>)> body) {
    pl::forEachPlace(builder, op, extents, order, body);
  }
  /// An index tile in memory, and how its axes were repeated, if they were.
  struct Indices {
    Value memory;
    pl::BroadcastOp repeated;
  };
  Indices indicesOf(Value tile);
  Value readIndex(const Indices &indices, ArrayRef<Value> place);
  Places resolve(Value index, ArrayRef<Value> place,
                 std::optional<int64_t> axis, Value shaped,
                 ArrayRef<Value> extents);
  void scatterInto(Value memory, Value source, Value indices,
                   std::optional<int64_t> axis, bool isAdded);
  void findInRow(Value mask, Value memory, Places place, Value length,
                 Value columns);

  OpBuilder &builder;
  Operation *op;
  Location loc;
  Value zero, one;
};

} // namespace

Value Expander::createMemory(pl::TileType type, ValueRange extents) {
  auto memory = pl::TensorViewType::get(builder.getContext(), type.getDims(),
                                        type.getElementType());
  return pl::CreateTensorOp::create(builder, loc, memory, extents);
}

/// Where the elements of a tile lie: what it was loaded from, unless that was
/// written since, or else memory of its own.
Value Expander::memoryOf(Value tile) {
  if (auto load = tile.getDefiningOp<pl::LoadOp>())
    if (!mayBeWrittenBetween(load, op, rootOfView(load.getSource())))
      return load.getSource();
  Value memory =
      createMemory(cast<pl::TileType>(tile.getType()), extentsOf(tile));
  pl::StoreOp::create(builder, loc, tile, memory);
  return memory;
}

/// Repeated indices are kept once.
Expander::Indices Expander::indicesOf(Value tile) {
  auto repeated = tile.getDefiningOp<pl::BroadcastOp>();
  return {memoryOf(repeated ? Value(repeated.getSource()) : tile), repeated};
}

Value Expander::readIndex(const Indices &indices, ArrayRef<Value> place) {
  Places kept(place);
  if (pl::BroadcastOp repeated = indices.repeated) {
    kept.assign(repeated.getSource().getType().getRank(), zero);
    for (auto [axis, position] : llvm::enumerate(place))
      if (std::optional<unsigned> from = repeated.getSourceAxis(axis))
        kept[*from] = position;
  }
  Value number = pl::ReadOp::create(builder, loc, indices.memory, kept);
  Type wide = builder.getI64Type();
  if (number.getType() != wide)
    number = pl::CastOp::create(builder, loc, wide, number, pl::Rounding::None);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    number);
}

/// The place of `shaped` that an index means for the element at `place`. A flat
/// index counts in the static shape where there is one.
Places Expander::resolve(Value index, ArrayRef<Value> place,
                         std::optional<int64_t> axis, Value shaped,
                         ArrayRef<Value> extents) {
  Places found(place);
  if (axis) {
    found[*axis] = index;
    return found;
  }
  ArrayRef<pl::Dim> dims = pl::getDims(shaped.getType());
  found.assign(dims.size(), zero);
  for (unsigned at = dims.size(); at-- > 1;) {
    Value pitch = dims[at].hasBound()
                      ? this->index(std::max<int64_t>(1, dims[at].getBound()))
                      : arith::MaxSIOp::create(builder, loc, extents[at], one)
                            .getResult();
    Value rows = arith::FloorDivSIOp::create(builder, loc, index, pitch);
    Value before = arith::MulIOp::create(builder, loc, rows, pitch);
    found[at] = arith::SubIOp::create(builder, loc, index, before);
    index = rows;
  }
  if (!found.empty())
    found.front() = index;
  return found;
}

Value Expander::expand(pl::GatherOp gather) {
  std::optional<int64_t> axis = gather.getAxis();
  Value source = memoryOf(gather.getSource());
  Indices indices = indicesOf(gather.getIndex());
  Places sourceExtents = extentsOf(source), extents;
  auto type = gather.getResult().getType();
  for (unsigned at = 0; at < type.getRank(); ++at)
    extents.push_back(gather.reifyExtent(builder, at));
  Value memory = createMemory(type, extents);
  LoopOrder order{llvm::to_vector<4>(llvm::seq<unsigned>(0, type.getRank())),
                  /*isParallel=*/true};
  forEach(extents, order, [&](ArrayRef<Value> place) {
    Value index = readIndex(indices, place);
    Value element = pl::ReadOp::create(
        builder, loc, source,
        resolve(index, place, axis, gather.getSource(), sourceExtents));
    pl::WriteOp::create(builder, loc, element, memory, place);
  });
  return pl::LoadOp::create(builder, loc, memory);
}

/// Elements that meet do so along the axis, so that is walked last, in order.
void Expander::scatterInto(Value memory, Value source, Value indices,
                           std::optional<int64_t> axis, bool isAdded) {
  Places targetExtents = extentsOf(memory), extents = extentsOf(source);
  Places numIndices = extentsOf(indices);
  LoopOrder order{{}, /*isParallel=*/axis.has_value()};
  for (unsigned at = 0; at < extents.size(); ++at) {
    extents[at] =
        builder.createOrFold<arith::MinSIOp>(loc, extents[at], numIndices[at]);
    if (axis && at != *axis) {
      extents[at] = builder.createOrFold<arith::MinSIOp>(loc, extents[at],
                                                         targetExtents[at]);
    }
    if (!axis || at != *axis)
      order.axes.push_back(at);
  }
  if (axis) {
    order.isParallel = llvm::any_of(order.axes, [&](unsigned at) {
      return !pl::dimOfExtent(extents[at]).isExactly(1);
    });
    order.axes.push_back(*axis);
  }
  Value from = memoryOf(source);
  Indices at = indicesOf(indices);
  forEach(extents, order, [&](ArrayRef<Value> place) {
    Places to =
        resolve(readIndex(at, place), place, axis, memory, targetExtents);
    Value element = pl::ReadOp::create(builder, loc, from, place);
    if (isAdded) {
      Value old = pl::ReadOp::create(builder, loc, memory, to);
      element = pl::AddOp::create(builder, loc, old, element);
    }
    pl::WriteOp::create(builder, loc, element, memory, to);
  });
}

Value Expander::expand(pl::ScatterOp scatter) {
  Value target = scatter.getTarget();
  Value memory = createMemory(scatter.getResult().getType(), extentsOf(target));
  pl::StoreOp::create(builder, loc, target, memory);
  scatterInto(memory, scatter.getSource(), scatter.getIndex(),
              scatter.getAxis(), /*isAdded=*/false);
  return pl::LoadOp::create(builder, loc, memory);
}

/// What is scattered may be read from the tensor it goes to.
static bool reads(Value tile, Value target) {
  if (auto repeated = tile.getDefiningOp<pl::BroadcastOp>())
    tile = repeated.getSource();
  auto load = tile.getDefiningOp<pl::LoadOp>();
  return load && mayShareMemory(load.getSource(), target);
}

void Expander::expand(pl::ScatterStoreOp scatter) {
  auto apart = [&](Value tile) -> Value {
    if (!reads(tile, scatter.getTarget()))
      return tile;
    Value copy =
        createMemory(cast<pl::TileType>(tile.getType()), extentsOf(tile));
    pl::StoreOp::create(builder, loc, tile, copy);
    return pl::LoadOp::create(builder, loc, copy);
  };
  Value source = apart(scatter.getSource()),
        indices = apart(scatter.getIndex());
  scatterInto(scatter.getTarget(), source, indices, scatter.getAxis(),
              scatter.getAdd());
}

/// for each column: if the mask holds, write the column at the next place
void Expander::findInRow(Value mask, Value memory, Places place, Value length,
                         Value columns) {
  auto loop =
      scf::ForOp::create(builder, loc, zero, length, one, ValueRange{zero});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value column = loop.getInductionVar(), found = loop.getRegionIterArg(0);
  place.back() = column;
  Value holds = pl::ReadOp::create(builder, loc, mask, place);
  Value hasRoom = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        found, columns);
  Value isTaken = arith::AndIOp::create(builder, loc, holds, hasRoom);
  auto branch = scf::IfOp::create(builder, loc, isTaken,
                                  /*withElseRegion=*/false);
  Value next = arith::SelectOp::create(
      builder, loc, isTaken, arith::AddIOp::create(builder, loc, found, one),
      found);
  scf::YieldOp::create(builder, loc, next);
  builder.setInsertionPointToStart(branch.thenBlock());
  place.back() = found;
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), column);
  pl::WriteOp::create(builder, loc, number, memory, place);
}

Value Expander::expand(pl::FindOp find) {
  auto type = find.getResult().getType();
  Value mask = memoryOf(find.getMask());
  Places extents = extentsOf(find.getMask());
  Value length = extents.back(), columns = index(find.getColumns());
  extents.back() = columns;
  Value memory = createMemory(type, extents);
  Value nothing = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value zeros = pl::FullOp::create(builder, loc, type, nothing, extents);
  pl::StoreOp::create(builder, loc, zeros, memory);
  LoopOrder rows{llvm::to_vector<4>(llvm::seq<unsigned>(0, type.getRank() - 1)),
                 /*isParallel=*/true};
  forEach(extents, rows, [&](ArrayRef<Value> place) {
    findInRow(mask, memory, Places(place), length, columns);
  });
  return pl::LoadOp::create(builder, loc, memory);
}

Value pl::GatherOp::expand(OpBuilder &builder) {
  return Expander(builder, *this).expand(*this);
}

Value pl::ScatterOp::expand(OpBuilder &builder) {
  return Expander(builder, *this).expand(*this);
}

Value pl::ScatterStoreOp::expand(OpBuilder &builder) {
  Expander(builder, *this).expand(*this);
  return {};
}

Value pl::FindOp::expand(OpBuilder &builder) {
  return Expander(builder, *this).expand(*this);
}
