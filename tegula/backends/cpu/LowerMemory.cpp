// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of tensors, loads, stores and single elements.

#include "tegula/backends/cpu/ReductionLockNames.h"
#include "tegula/backends/cpu/StreamedStores.h"
#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/AtomicAttribute.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tegula;

/// True if the index is below the extent whatever the sizes are: a loop up to
/// that very extent.
static bool isBelow(TileLowering &lowering, Value index, OpFoldResult extent) {
  std::optional<int64_t> number = IndexMath::number(index);
  std::optional<int64_t> bound = IndexMath::number(extent);
  if (number && bound)
    return *number < *bound;
  auto argument = dyn_cast<BlockArgument>(index);
  if (!argument)
    return false;
  Operation *parent = argument.getOwner()->getParentOp();
  Value upper;
  if (auto loop = dyn_cast<scf::ForOp>(parent);
      loop && index == loop.getInductionVar())
    upper = loop.getUpperBound();
  else if (auto parallel = dyn_cast<pl::ParallelOp>(parent))
    upper = parallel.getUpper();
  return upper && IndexMath::fold(lowering.scalar(upper)) == extent;
}

/// What is left of a view if `isInside` does not hold: one element repeated,
/// and axes of unknown extent empty, so whatever follows is harmless.
View TileLowering::orHarmless(const View &memory, Value isInside,
                              ArrayRef<pl::Dim> dims, Location loc) {
  View single = harmlessElement(memory.element, loc);
  auto orZero = [&](OpFoldResult number) -> OpFoldResult {
    return arith::SelectOp::create(builder, loc, isInside,
                                   math(loc).value(number),
                                   math(loc).value(builder.getIndexAttr(0)))
        .getResult();
  };
  if (memory.isHalfBytes())
    single.base = halfByteAt(builder, loc, single.base);
  View chosen = memory;
  chosen.base = arith::SelectOp::create(
      builder, loc, isInside, memory.asPointer(builder, loc), single.base);
  chosen.offset = builder.getIndexAttr(0);
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    chosen.strides[axis] = orZero(memory.strides[axis]);
    if (!dim.isExact())
      chosen.sizes[axis] = orZero(memory.sizes[axis]);
  }
  return chosen;
}

/// Along an axis that is kept the window is clamped; along one that is dropped
/// there must be an element.
void TileLowering::lowerSlice(pl::SliceOp op) {
  Location loc = op.getLoc();
  const View whole = view(op.getSource());
  Indices starts, extents;
  SmallVector<unsigned> kept;
  Indices sizes = indices(op.getSizes());
  Value isInside;
  for (unsigned axis = 0; axis < whole.getRank(); ++axis) {
    OpFoldResult start = checkedOffset(op.getOffsets()[axis], axis, loc);
    OpFoldResult left = math(loc).sub(whole.sizes[axis], start);
    starts.push_back(start);
    OpFoldResult clamped = math(loc).min(sizes[axis], left);
    bool isWhole = IndexMath::number(start) == 0 && clamped == left;
    extents.push_back(
        isWhole ? left : math(loc).max(clamped, builder.getIndexAttr(0)));
    if (!llvm::is_contained(op.getDrop(), static_cast<int64_t>(axis))) {
      kept.push_back(axis);
    } else if (!isBelow(*this, op.getOffsets()[axis], whole.sizes[axis])) {
      Value isBelowEnd = checkIndex(start, axis, whole.sizes[axis], loc);
      isInside = isInside
                     ? arith::AndIOp::create(builder, loc, isInside, isBelowEnd)
                           .getResult()
                     : isBelowEnd;
    }
  }
  ArrayRef<pl::Dim> dims = op.getResult().getType().getDims();
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (!pl::isProvedExact(op, axis))
      if (Value isThere = checkExact(dim, starts[kept[axis]],
                                     whole.sizes[kept[axis]], kept[axis], loc))
        isInside = isInside
                       ? arith::AndIOp::create(builder, loc, isInside, isThere)
                             .getResult()
                       : isThere;
  View part = whole.window(math(loc), starts, extents);
  View result = part.axes(kept);
  for (auto [axis, dim] : llvm::enumerate(dims))
    result.sizes[axis] =
        dim.isExact() ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                      : withinBound(op, axis, result.sizes[axis]);
  views[op.getResult()] =
      isInside ? orHarmless(result, isInside, dims, loc) : result;
}

void TileLowering::lockReduction(Operation *half, StringRef routine,
                                 Value tensor) {
  // There are no threads outside of frames.
  if (frames.size() < 2 || !half->hasAttr(pl::lockedAttrName))
    return;
  Location loc = half->getLoc();
  const View &root = view(rootOfView(tensor));
  callRuntime(routine, {}, root.asPointer(builder, loc), loc);
}

void TileLowering::lowerLoad(pl::LoadOp op) {
  lockReduction(op, lockReductionName, op.getSource());
  Value result = op.getResult();
  if (!plan.placement.getBuffer(result)) {
    tiles[result].view = view(op.getSource());
    return;
  }
  View memory = destinationOf(result, op.getLoc());
  View source = view(op.getSource());
  if (source.isHalfBytes())
    loadHalfBytes(memory, source.shrink(tile(result).extents),
                  pl::isSigned(op.getSource().getType().getElementType()),
                  op.getLoc());
  else
    evaluateInto(result, memory, tile(result).extents, op.getLoc());
  tiles[result].view = memory.shrink(tile(result).extents);
}

void TileLowering::lowerStore(pl::StoreOp op) {
  auto unlock = llvm::make_scope_exit(
      [&] { lockReduction(op, unlockReductionName, op.getTarget()); });
  Location loc = op.getLoc();
  Value value = op.getTile();
  const Tile source = tile(value);
  ScratchScope scope(currentFrame());
  View target = view(op.getTarget());
  Indices extents;
  for (auto [have, room] : llvm::zip(source.extents, target.sizes))
    extents.push_back(math(loc).min(have, room));
  target = target.shrink(extents);
  if (target.isHalfBytes()) {
    View memory = addressable(op.getTileMutable(), loc);
    storeHalfBytes(target, memory.shrink(extents), loc);
    return;
  }
  SmallVector<int64_t, 4> bounds = boundsOf(op.getTile().getType());
  if (std::optional<BufferId> buffer =
          plan.placement.getBuffer(op.getTileMutable())) {
    View memory = bufferView(*buffer, bounds, loc);
    evaluateInto(value, memory, extents, loc);
    UnitScope unit(*this, loc);
    noteRead(memory.shrink(extents));
    noteWrite(target);
    noteLoop(extents);
    copyStrided("tegulaUnpackTile", target, memory.shrink(extents),
                roomForCopy(target.getRank(), loc), loc);
    return;
  }
  target.streams = isLarge(op);
  storeInto(value, target, loc);
}

/// Whether the tensor that is stored to is so large that stores go past the
/// caches, as an i1; null if they do not at any size.
Value TileLowering::isLarge(pl::StoreOp op) {
  Value tensor = hooks ? Value() : findStreamedTensor(op);
  bool isInMemory = plan.placement.getBuffer(op.getTile()).has_value();
  if (!tensor ||
      (!isInMemory && isComputedSlowly(op.getTile(), plan.placement)))
    return Value();
  auto [known, isNew] = large.try_emplace(tensor);
  if (isNew)
    known->second = exceedsCaches(tensor);
  return known->second;
}

Value TileLowering::isOutOfCache(Value tile) {
  auto load = tile.getDefiningOp<pl::LoadOp>();
  if (hooks || !load)
    return Value();
  auto root = dyn_cast_or_null<BlockArgument>(rootOfView(load.getSource()));
  if (!root || !isa<func::FuncOp>(root.getOwner()->getParentOp()))
    return Value();
  auto [known, isNew] = uncached.try_emplace(root);
  if (isNew)
    known->second = exceedsCaches(root);
  return known->second;
}

Value TileLowering::exceedsCaches(Value argument) {
  const View &whole = view(argument);
  Location loc = argument.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(frames.front()->push);
  OpFoldResult bytes =
      builder.getIndexAttr(whole.element.getIntOrFloatBitWidth() / 8);
  for (OpFoldResult size : whole.sizes)
    bytes = math(loc).mul(bytes, size);
  std::optional<int64_t> number = IndexMath::number(bytes);
  if (number && *number < options.leastStreamed)
    return Value();
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sge, math(loc).value(bytes),
      math(loc).value(builder.getIndexAttr(options.leastStreamed)));
}

/// What went past the caches is there before anything that is written later:
/// others may wait for that.
void TileLowering::waitForStores(Location loc) {
  for (auto [tensor, isLarge] : large) {
    if (!isLarge)
      continue;
    auto branch = scf::IfOp::create(builder, loc, isLarge,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst,
                          /*syncscope=*/"");
  }
}

std::optional<View> TileLowering::findTransposed(Value value) const {
  while (auto relax = value.getDefiningOp<pl::RelaxOp>())
    value = relax.getSource();
  bool isTransposed = value.getDefiningOp<pl::TransposeOp>() != nullptr;
  return isTransposed ? tile(value).view : std::nullopt;
}

void TileLowering::storeInto(Value value, const View &target, Location loc) {
  UnitScope unit(*this, loc);
  noteWrite(target);
  std::optional<View> transposed = hooks ? std::nullopt : findTransposed(value);
  if (transposed && transposed->element == target.element &&
      target.getRank() > 1) {
    copyStrided("tegulaPackTile", target, transposed->shrink(target.sizes),
                roomForCopy(target.getRank(), loc), loc);
    return;
  }
  evaluateInto(value, target, target.sizes, loc);
}

Value TileLowering::checkIndex(OpFoldResult index, int64_t axis,
                               OpFoldResult extent, Location loc) {
  // As unsigned numbers, negative indices are too large as well.
  Value isWithin =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                            math(loc).value(index), math(loc).value(extent));
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value isOutside = arith::XOrIOp::create(builder, loc, isWithin, one);
  reportIf(isOutside, TegulaIndexOutOfRange, axis, index, extent, loc);
  return isWithin;
}

Value TileLowering::checkIndices(ValueRange values, const Indices &extents,
                                 Location loc) {
  Value isInside = arith::ConstantIntOp::create(builder, loc, 1, 1);
  for (auto [axis, index] : llvm::enumerate(indices(values)))
    isInside = arith::AndIOp::create(
        builder, loc, isInside, checkIndex(index, axis, extents[axis], loc));
  return isInside;
}

void TileLowering::lowerRead(pl::ReadOp op) {
  lockReduction(op, lockReductionName, op.getSource());
  Location loc = op.getLoc();
  bool isTile = isa<pl::TileType>(op.getSource().getType());
  View memory =
      isTile ? addressable(op.getSourceMutable(), loc) : view(op.getSource());
  const Indices &extents = isTile ? tile(op.getSource()).extents : memory.sizes;
  Value isInside = checkIndices(op.getIndices(), extents, loc);
  Indices ones(memory.getRank(), builder.getIndexAttr(1));
  View elementView = memory.window(math(loc), indices(op.getIndices()), ones);
  if (hooks)
    hooks->loadElement(builder, loc, elementView);
  Type type = signlessType(op.getResult().getType());
  auto branch = scf::IfOp::create(builder, loc, type, isInside,
                                  /*withElseRegion=*/true);
  scalars.map(op.getResult(), branch.getResult(0));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value element =
      elementView.isHalfBytes()
          ? readHalfByte(builder, loc, elementView.asPointer(builder, loc))
          : memref::LoadOp::create(builder, loc,
                                   elementView.axes({}).asMemRef(builder, loc))
                .getResult();
  scf::YieldOp::create(builder, loc, fromMemory(builder, loc, element, type));
  builder.setInsertionPointToStart(branch.elseBlock());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  scf::YieldOp::create(builder, loc, zero);
}

void TileLowering::lowerWrite(pl::WriteOp op) {
  auto unlock = llvm::make_scope_exit(
      [&] { lockReduction(op, unlockReductionName, op.getTarget()); });
  Location loc = op.getLoc();
  const View memory = view(op.getTarget());
  Value isInside = checkIndices(op.getIndices(), memory.sizes, loc);
  Indices ones(memory.getRank(), builder.getIndexAttr(1));
  View elementView = memory.window(math(loc), indices(op.getIndices()), ones);
  UnitScope unit(*this, loc);
  noteWrite(elementView);
  auto branch = scf::IfOp::create(builder, loc, isInside,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (elementView.isHalfBytes())
    return writeHalfByte(elementView, scalar(op.getValue()), loc);
  Value element = toMemory(builder, loc, scalar(op.getValue()), memory.element,
                           pl::isSigned(op.getValue().getType()));
  memref::StoreOp::create(builder, loc, element,
                          elementView.axes({}).asMemRef(builder, loc));
}
