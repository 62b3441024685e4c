// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gathers and scatters are made of: loops over elements in memory.
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/ir/ops/semantics/ElementLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;
using pl::Coordinates;
using pl::LoopOrder;

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
  Coordinates extentsOf(Value shaped) {
    return pl::buildExtents(builder, loc, shaped);
  }
  Value createMemory(pl::TileType type, ValueRange extents);
  Value memoryOf(Value tile);
  void forEach(ArrayRef<Value> extents, const LoopOrder &order,
               function_ref<void(ArrayRef<Value>)> body) {
    pl::buildElementLoops(builder, op, extents, order, body);
  }
  /// True if elements of the type are moved, and added up, as they are.
  static bool isMoved(Type element);
  static bool isAdded(Type element);
  /// The axis of a move that is one loop on memory: the op's own, or that of
  /// lists; nothing if it is none.
  static std::optional<int64_t> axisOfMove(std::optional<int64_t> axis,
                                           ArrayRef<Type> shaped);
  Value rowsOf(Value tile, unsigned rank);
  Value upTo(Value tensor, ArrayRef<Value> extents);
  /// An index tile in memory, and how its axes were repeated, if they were.
  struct Indices {
    Value memory;
    pl::BroadcastOp repeated;
  };
  Indices indicesOf(Value tile);
  Value readIndex(const Indices &indices, ArrayRef<Value> coordinates);
  Coordinates resolve(Value index, ArrayRef<Value> coordinates,
                      std::optional<int64_t> axis, Value shaped,
                      ArrayRef<Value> extents);
  void putInto(Value memory, Value source, Value indices, int64_t axis,
               bool adds);
  void scatterInto(Value memory, Value source, Value indices,
                   std::optional<int64_t> axis, bool adds);
  void findInRow(Value mask, Value memory, Coordinates coordinates,
                 Value length, Value columns);

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

bool Expander::isMoved(Type element) {
  return element.getIntOrFloatBitWidth() != 4;
}

bool Expander::isAdded(Type element) {
  return element.isF32() || element.isF64() ||
         (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() >= 8);
}

std::optional<int64_t> Expander::axisOfMove(std::optional<int64_t> axis,
                                            ArrayRef<Type> shaped) {
  bool isMade = llvm::all_of(
      shaped, [](Type type) { return isMoved(pl::getElementOrSelf(type)); });
  bool isList = llvm::all_of(
      shaped, [](Type type) { return pl::getDims(type).size() == 1; });
  if (!isMade)
    return std::nullopt;
  return axis || !isList ? axis : 0;
}

/// True if there is one element to repeat, and not perhaps none.
static bool isThereOnce(pl::BroadcastOp repeated) {
  ArrayRef<pl::Dim> dims = repeated.getSource().getType().getDims();
  return llvm::all_of(
      dims, [](pl::Dim dim) { return !dim.isUnit() || dim.isExactly(1); });
}

/// Memory of `rank` axes for the elements of a tile. What is the same all along
/// an axis is there once.
Value Expander::rowsOf(Value tile, unsigned rank) {
  SmallVector<Value> sizes(rank, one);
  pl::Dims dims(rank, pl::Dim::exactly(1));
  Type element = pl::getElementOrSelf(tile.getType());
  if (auto full = tile.getDefiningOp<pl::FullOp>())
    return memoryOf(pl::FullOp::create(
        builder, loc, pl::TileType::get(builder.getContext(), dims, element),
        full.getValue(), sizes));
  auto repeated = tile.getDefiningOp<pl::BroadcastOp>();
  if (!repeated || !isThereOnce(repeated))
    return memoryOf(tile);
  Value source = repeated.getSource();
  auto type = cast<pl::TileType>(source.getType());
  if (type.getRank() == static_cast<int64_t>(rank))
    return memoryOf(source);
  for (unsigned axis = 0; axis < rank; ++axis)
    if (std::optional<unsigned> from = repeated.getSourceAxis(axis)) {
      sizes[axis] = pl::buildExtent(builder, loc, source, *from);
      dims[axis] = type.getDims()[*from];
    }
  return memoryOf(pl::ReshapeOp::create(
      builder, loc, pl::TileType::get(builder.getContext(), dims, element),
      source, sizes));
}

/// The first of a tensor's elements along each axis, but for those that are
/// there once.
Value Expander::upTo(Value tensor, ArrayRef<Value> extents) {
  Coordinates own = extentsOf(tensor), sizes(own);
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(tensor.getType())))
    if (!dim.isExactly(1))
      sizes[axis] = extents[axis];
  if (llvm::equal(own, sizes))
    return tensor;
  Coordinates offsets(own.size(), zero);
  return pl::SliceOp::create(builder, loc, tensor, offsets, sizes);
}

/// Repeated indices are kept once.
Expander::Indices Expander::indicesOf(Value tile) {
  auto repeated = tile.getDefiningOp<pl::BroadcastOp>();
  return {memoryOf(repeated ? Value(repeated.getSource()) : tile), repeated};
}

Value Expander::readIndex(const Indices &indices, ArrayRef<Value> coordinates) {
  Coordinates kept(coordinates);
  if (pl::BroadcastOp repeated = indices.repeated) {
    kept.assign(repeated.getSource().getType().getRank(), zero);
    for (auto [axis, position] : llvm::enumerate(coordinates))
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

/// Where in `shaped` an index points for the element at `coordinates`. A flat
/// index counts in the static shape where there is one.
Coordinates Expander::resolve(Value index, ArrayRef<Value> coordinates,
                              std::optional<int64_t> axis, Value shaped,
                              ArrayRef<Value> extents) {
  Coordinates found(coordinates);
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

/// What is moved may be read from the tensor it goes to.
static bool reads(Value tile, Value target) {
  if (auto repeated = tile.getDefiningOp<pl::BroadcastOp>())
    tile = repeated.getSource();
  auto load = tile.getDefiningOp<pl::LoadOp>();
  return load && mayShareMemory(load.getSource(), target);
}

Value Expander::expand(pl::GatherOp gather) {
  std::optional<int64_t> axis = gather.getAxis();
  auto type = gather.getResult().getType();
  std::optional<int64_t> along = axisOfMove(
      axis, {gather.getSource().getType(), gather.getIndex().getType()});
  Value source = memoryOf(gather.getSource());
  Coordinates sourceExtents = extentsOf(source), extents;
  for (unsigned at = 0; at < type.getRank(); ++at)
    extents.push_back(gather.reifyExtent(builder, at));
  Value memory = createMemory(type, extents);
  if (along) {
    pl::PickOp::create(builder, loc, source,
                       rowsOf(gather.getIndex(), type.getRank()), *along,
                       memory);
    return pl::LoadOp::create(builder, loc, memory);
  }
  LoopOrder order{llvm::to_vector<4>(llvm::seq<unsigned>(0, type.getRank())),
                  /*isParallel=*/true};
  Indices indices = indicesOf(gather.getIndex());
  forEach(extents, order, [&](ArrayRef<Value> coordinates) {
    Value index = readIndex(indices, coordinates);
    Value element = pl::ReadOp::create(
        builder, loc, source,
        resolve(index, coordinates, axis, gather.getSource(), sourceExtents));
    pl::WriteOp::create(builder, loc, element, memory, coordinates);
  });
  return pl::LoadOp::create(builder, loc, memory);
}

/// Of an axis along which both would be there once nobody would know how long
/// it is, so only one of them is.
void Expander::putInto(Value memory, Value source, Value indices, int64_t axis,
                       bool adds) {
  unsigned rank = pl::getDims(memory.getType()).size();
  Coordinates extents = extentsOf(source), numIndices = extentsOf(indices);
  for (auto [extent, other] : llvm::zip(extents, numIndices))
    extent = builder.createOrFold<arith::MinSIOp>(loc, extent, other);
  bool isIndexOnce =
      isa_and_nonnull<pl::BroadcastOp, pl::FullOp>(indices.getDefiningOp());
  Value from = isIndexOnce ? memoryOf(source) : rowsOf(source, rank);
  Value at = rowsOf(indices, rank);
  pl::PutOp::create(builder, loc, upTo(from, extents), memory,
                    upTo(at, extents), axis, adds);
}

/// Elements with one index are along the axis, so its loop is the innermost, in
/// order.
void Expander::scatterInto(Value memory, Value source, Value indices,
                           std::optional<int64_t> axis, bool adds) {
  if (std::optional<int64_t> along = axisOfMove(
          axis, {memory.getType(), source.getType(), indices.getType()});
      along && (!adds || isAdded(pl::getElementOrSelf(memory.getType()))))
    return putInto(memory, source, indices, *along, adds);
  Coordinates targetExtents = extentsOf(memory), extents = extentsOf(source);
  Coordinates numIndices = extentsOf(indices);
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
  forEach(extents, order, [&](ArrayRef<Value> coordinates) {
    Coordinates to = resolve(readIndex(at, coordinates), coordinates, axis,
                             memory, targetExtents);
    Value element = pl::ReadOp::create(builder, loc, from, coordinates);
    if (adds) {
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
              scatter.getAxis(), /*adds=*/false);
  return pl::LoadOp::create(builder, loc, memory);
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

/// for each column: if the mask holds, write the column at the next index
void Expander::findInRow(Value mask, Value memory, Coordinates coordinates,
                         Value length, Value columns) {
  auto loop =
      scf::ForOp::create(builder, loc, zero, length, one, ValueRange{zero});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value column = loop.getInductionVar(), found = loop.getRegionIterArg(0);
  coordinates.back() = column;
  Value holds = pl::ReadOp::create(builder, loc, mask, coordinates);
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
  coordinates.back() = found;
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), column);
  pl::WriteOp::create(builder, loc, number, memory, coordinates);
}

Value Expander::expand(pl::FindOp find) {
  auto type = find.getResult().getType();
  Value mask = memoryOf(find.getMask());
  Coordinates extents = extentsOf(find.getMask());
  Value length = extents.back(), columns = index(find.getColumns());
  extents.back() = columns;
  Value memory = createMemory(type, extents);
  Value nothing = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value zeros = pl::FullOp::create(builder, loc, type, nothing, extents);
  pl::StoreOp::create(builder, loc, zeros, memory);
  LoopOrder rows{llvm::to_vector<4>(llvm::seq<unsigned>(0, type.getRank() - 1)),
                 /*isParallel=*/true};
  forEach(extents, rows, [&](ArrayRef<Value> coordinates) {
    findInRow(mask, memory, Coordinates(coordinates), length, columns);
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
