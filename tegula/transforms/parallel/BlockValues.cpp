// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/parallel/BlockValues.h"

#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/transforms/memory/CarriedCapacity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;
using pl::Dim;

/// True for an op that gives the same wherever it is done, for little: numbers
/// and views. Tiles are not computed twice.
static bool isCheap(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         isMemoryEffectFree(op) &&
         (isa<pl::FullOp, pl::ArangeOp>(op) ||
          !isa<pl::TileType>(op->getResult(0).getType())) &&
         llvm::none_of(op->getOperandTypes(), [&](Type type) {
           return isa<pl::TileType>(type) && !isa<pl::DimOp>(op);
         });
}

/// Maps the operands of an op to what `get` gives for them.
static LogicalResult
mapOperands(Operation *op, IRMapping &mapping,
            llvm::function_ref<FailureOr<Value>(Value)> get) {
  for (Value operand : op->getOperands()) {
    FailureOr<Value> other = get(operand);
    if (failed(other))
      return failure();
    mapping.map(operand, *other);
  }
  return success();
}

/// The type in which a scalar is kept.
static Type storedType(Type type) {
  return type.isIndex() ? IntegerType::get(type.getContext(), 64) : type;
}

void BlockValues::enter(Value number) {
  here = IRMapping();
  block = number;
  here.map(grid.getInductionVar(), number);
}

OpBuilder BlockValues::beforeAll() {
  OpBuilder builder(grid.getContext());
  if (before)
    builder.setInsertionPointAfter(before);
  else
    builder.setInsertionPointToStart(grid->getBlock());
  return builder;
}

FailureOr<Value> BlockValues::getBeforeAll(Value value) {
  if (isOutside(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op || !isCheap(op))
    return failure();
  IRMapping mapping;
  if (failed(mapOperands(op, mapping,
                         [&](Value part) { return getBeforeAll(part); })))
    return failure();
  OpBuilder builder = beforeAll();
  Operation *copy = builder.clone(*op, mapping);
  before = copy;
  return copy->getResult(0);
}

Value BlockValues::makeMemory(Location loc, ValueRange sizes,
                              ArrayRef<Dim> dims, Type element) {
  OpBuilder builder = beforeAll();
  SmallVector<Value> all = {grid.getUpper()};
  llvm::append_range(all, sizes);
  SmallVector<Dim> allDims = {Dim::any()};
  llvm::append_range(allDims, dims);
  auto type = pl::TensorViewType::get(grid.getContext(), allDims, element);
  auto memory = pl::CreateTensorOp::create(builder, loc, type, all);
  before = memory;
  return memory;
}

Value BlockValues::partOf(Value memory, ValueRange sizes, ArrayRef<Dim> dims,
                          Location loc, OpBuilder &builder) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> offsets(dims.size() + 1, zero), all = {one};
  offsets[0] = block;
  llvm::append_range(all, sizes);
  Type element = pl::getElementOrSelf(memory.getType());
  auto type = pl::TensorViewType::get(grid.getContext(), dims, element);
  return pl::SliceOp::create(builder, loc, type, memory, offsets, all,
                             ArrayRef<int64_t>{0});
}

/// Index values of which the least is the extent of an unbounded axis; none if
/// it is not that simple.
static SmallVector<Value> extentsOf(Value value, unsigned axis) {
  // What goes around a loop is said to be as long as it is.
  for (Operation *user : value.getUsers())
    if (auto named = dyn_cast<pl::WithExtentsOp>(user))
      return {named.getExtents()[axis]};
  SmallVector<Value> extents;
  for (const pl::ExtentRoot &root : pl::rootsOfExtent(value, axis))
    if (auto extent = dyn_cast_if_present<Value>(root.value))
      extents.push_back(extent);
    else
      return {};
  return extents;
}

FailureOr<Value> BlockValues::sizeBeforeAll(Value value, unsigned axis, Dim dim,
                                            bool &isExact) {
  isExact = !dim.isBounded();
  if (!dim.hasBound()) {
    SmallVector<Value> extents = extentsOf(value, axis);
    for (Value extent : extents) {
      FailureOr<Value> size = getBeforeAll(extent);
      isExact = succeeded(size) && extents.size() == 1;
      Value most = succeeded(size) ? Value() : buildCapacity(extent);
      if (most)
        size = getBeforeAll(most);
      if (succeeded(size))
        return size;
    }
    return failure();
  }
  OpBuilder builder = beforeAll();
  auto constant =
      arith::ConstantIndexOp::create(builder, value.getLoc(), dim.getBound());
  before = constant;
  return Value(constant);
}

FailureOr<BlockValues::Slot *> BlockValues::slotOf(Value value) {
  auto found = slots.find(value);
  if (found != slots.end())
    return &found->second;
  Location loc = value.getLoc();
  Slot slot;
  auto tile = dyn_cast<pl::TileType>(value.getType());
  if (!tile) {
    if (!pl::isScalarType(value.getType()))
      return emitError(loc, "a tensor that one part of a block makes cannot "
                            "be used behind a barrier");
    slot.memory = makeMemory(loc, {}, {}, storedType(value.getType()));
    return &(slots[value] = std::move(slot));
  }
  SmallVector<Dim> dims;
  for (auto [axis, dim] : llvm::enumerate(tile.getDims())) {
    bool isExact;
    FailureOr<Value> size = sizeBeforeAll(value, axis, dim, isExact);
    if (failed(size))
      return emitError(loc, "a value of unknown length is needed behind a "
                            "barrier; write it to a tensor, or give it a tile "
                            "shape");
    slot.sizes.push_back(*size);
    dims.push_back(dim.hasBound() ? Dim::exactly(dim.getBound()) : dim);
    slot.extents.push_back(
        isExact
            ? Value()
            : makeMemory(loc, {}, {}, IntegerType::get(tile.getContext(), 64)));
  }
  slot.memory = makeMemory(loc, slot.sizes, dims, tile.getElementType());
  return &(slots[value] = std::move(slot));
}

void BlockValues::write(const Slot &slot, Value value, OpBuilder &builder) {
  Location loc = value.getLoc();
  auto writeNumber = [&](Value number, Value memory) {
    if (number.getType().isIndex())
      number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          number);
    pl::WriteOp::create(builder, loc, number, memory, block);
  };
  auto tile = dyn_cast<pl::TileType>(value.getType());
  if (!tile)
    return writeNumber(value, slot.memory);
  SmallVector<Value> sizes;
  for (auto [axis, memory] : llvm::enumerate(slot.extents)) {
    sizes.push_back(pl::buildExtent(builder, loc, value, axis));
    if (memory)
      writeNumber(sizes.back(), memory);
  }
  pl::StoreOp::create(builder, loc, value,
                      partOf(slot.memory, sizes, tile.getDims(), loc, builder));
}

Value BlockValues::read(const Slot &slot, Value like, OpBuilder &builder) {
  Location loc = like.getLoc();
  auto readNumber = [&](Value memory, Type type) -> Value {
    Value number = pl::ReadOp::create(builder, loc, memory, block);
    return type.isIndex()
               ? arith::IndexCastOp::create(builder, loc, type, number)
               : number;
  };
  auto tile = dyn_cast<pl::TileType>(like.getType());
  if (!tile)
    return readNumber(slot.memory, like.getType());
  SmallVector<Value> sizes;
  for (auto [size, memory] : llvm::zip(slot.sizes, slot.extents)) {
    sizes.push_back(size);
    if (memory)
      sizes.back() = arith::MinSIOp::create(
          builder, loc, readNumber(memory, builder.getIndexType()), size);
  }
  Value part = partOf(slot.memory, sizes, tile.getDims(), loc, builder);
  return pl::keepSpace(builder, like, pl::LoadOp::create(builder, loc, part));
}

/// A tensor that a block makes for itself is part of one that all of them have.
FailureOr<Value> BlockValues::getOfAllBlocks(pl::CreateTensorOp created,
                                             OpBuilder &builder) {
  Location loc = created.getLoc();
  pl::TensorViewType type = created.getResult().getType();
  Value &memory = tensors[created.getResult()];
  SmallVector<Value> sizes;
  for (Value size : created.getSizes()) {
    FailureOr<Value> same = getBeforeAll(size);
    if (failed(same))
      return created.emitError("a tensor that each block makes for itself, and "
                               "that lives across a barrier, must be equally "
                               "large in all of them");
    sizes.push_back(*same);
  }
  if (!memory)
    memory = makeMemory(loc, sizes, type.getDims(), type.getElementType());
  return partOf(memory, sizes, type.getDims(), loc, builder);
}

FailureOr<Value> BlockValues::get(Value value, OpBuilder &builder) {
  if (Value known = here.lookupOrNull(value))
    return known;
  if (Value known = shared.lookupOrNull(value))
    return known;
  if (isOutside(value))
    return value;
  auto renamed = names.find(value);
  if (renamed != names.end())
    return get(renamed->second, builder);
  Operation *op = value.getDefiningOp();
  if (auto created = dyn_cast_or_null<pl::CreateTensorOp>(op)) {
    FailureOr<Value> part = getOfAllBlocks(created, builder);
    if (succeeded(part))
      here.map(value, *part);
    return part;
  }
  if (op && isCheap(op)) {
    if (failed(clone(op, builder)))
      return failure();
    return here.lookup(value);
  }
  FailureOr<Slot *> slot = slotOf(value);
  if (failed(slot))
    return failure();
  // Kept where it was computed, once.
  if (Value source = made.lookup(value)) {
    OpBuilder after(grid.getContext());
    after.setInsertionPointAfterValue(source);
    Value outer = std::exchange(block, madeIn.lookup(value));
    write(**slot, source, after);
    block = outer;
    made.erase(value);
  }
  Value result = read(**slot, value, builder);
  here.map(value, result);
  return result;
}

LogicalResult BlockValues::set(Value name, Value value, OpBuilder &builder) {
  FailureOr<Slot *> slot = slotOf(name);
  if (failed(slot))
    return failure();
  write(**slot, value, builder);
  return success();
}

LogicalResult BlockValues::clone(Operation *op, OpBuilder &builder) {
  // A tensor that each block makes is looked at when it is used.
  if (isa<pl::CreateTensorOp>(op) || here.contains(op))
    return success();
  bool isRight = true;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Region *region = operand.getParentRegion();
      if (op->isAncestor(region->getParentOp()))
        continue;
      FailureOr<Value> known = get(operand, builder);
      isRight &= succeeded(known);
      if (succeeded(known))
        here.map(operand, *known);
    }
  });
  if (!isRight)
    return failure();
  Operation *copy = builder.clone(*op, here);
  here.map(op, copy);
  for (auto [result, copied] : llvm::zip(op->getResults(), copy->getResults()))
    if (!made.count(result)) {
      made[result] = copied;
      madeIn[result] = block;
    }
  return success();
}

FailureOr<Value> BlockValues::getForAll(Value value, OpBuilder &builder) {
  if (Value known = shared.lookupOrNull(value))
    return known;
  if (isOutside(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op || !isCheap(op))
    return failure();
  IRMapping mapping;
  if (failed(mapOperands(op, mapping,
                         [&](Value part) { return getForAll(part, builder); })))
    return failure();
  return builder.clone(*op, mapping)->getResult(0);
}
