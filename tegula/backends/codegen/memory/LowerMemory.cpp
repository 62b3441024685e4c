// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of tensors, loads, stores and single elements.

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileExtents.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/memory/HalfByteCopies.h"
#include "tegula/backends/codegen/memory/TensorMemory.h"
#include "tegula/backends/codegen/memory/TileCopies.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"
#include "tegula/transforms/plan/BufferSize.h"

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

static void lockReduction(TileLowering &lowering, Operation *half,
                          StringRef routine, Value tensor) {
  OpBuilder &builder = lowering.builder;
  // There are no threads outside of frames.
  if (!lowering.scratch.isInLoop() || !half->hasAttr(pl::lockedAttrName))
    return;
  Location loc = half->getLoc();
  const View &root = lowering.view(rootOfView(tensor));
  lowering.calls.call(routine, {}, root.asPointer(builder, loc), loc);
}

/// Along an axis that is kept the window is clamped; along one that is dropped
/// there must be an element.
static void lowerSlice(TileLowering &lowering, pl::SliceOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  const View whole = lowering.view(op.getSource());
  Indices starts, extents;
  SmallVector<unsigned> kept;
  Indices sizes = lowering.indices(op.getSizes());
  Value isInside;
  for (unsigned axis = 0; axis < whole.getRank(); ++axis) {
    OpFoldResult start =
        checkedOffset(lowering, op.getOffsets()[axis], axis, loc);
    OpFoldResult left = lowering.math(loc).sub(whole.sizes[axis], start);
    starts.push_back(start);
    OpFoldResult clamped = lowering.math(loc).min(sizes[axis], left);
    bool isWhole = IndexMath::number(start) == 0 && clamped == left;
    extents.push_back(
        isWhole ? left
                : lowering.math(loc).max(clamped, builder.getIndexAttr(0)));
    if (!llvm::is_contained(op.getDrop(), static_cast<int64_t>(axis))) {
      kept.push_back(axis);
    } else if (!isBelow(lowering, op.getOffsets()[axis], whole.sizes[axis])) {
      Value isBelowEnd =
          lowering.calls.checkIndex(start, axis, whole.sizes[axis], loc);
      isInside = isInside
                     ? arith::AndIOp::create(builder, loc, isInside, isBelowEnd)
                           .getResult()
                     : isBelowEnd;
    }
  }
  ArrayRef<pl::Dim> dims = op.getResult().getType().getDims();
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (!pl::isProvedExact(op, axis))
      if (Value isThere = checkExact(lowering, dim, starts[kept[axis]],
                                     whole.sizes[kept[axis]], kept[axis], loc))
        isInside = isInside
                       ? arith::AndIOp::create(builder, loc, isInside, isThere)
                             .getResult()
                       : isThere;
  View part = whole.window(lowering.math(loc), starts, extents);
  View result = part.axes(kept);
  for (auto [axis, dim] : llvm::enumerate(dims))
    result.sizes[axis] =
        dim.isExact() ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                      : withinBound(lowering, op, axis, result.sizes[axis]);
  lowering.values.setView(
      op.getResult(),
      isInside ? orHarmless(lowering, result, isInside, dims, loc) : result);
}

static void lowerLoad(TileLowering &lowering, pl::LoadOp op) {
  lockReduction(lowering, op, routine::tegulaLockReduction, op.getSource());
  Value result = op.getResult();
  if (!lowering.plan.placement.getBuffer(result)) {
    lowering.values.setMemory(result, lowering.view(op.getSource()));
    return;
  }
  View memory = lowering.scratch.destinationOf(result, op.getLoc());
  View source = lowering.view(op.getSource());
  if (source.isHalfBytes())
    loadHalfBytes(
        lowering, memory, source.shrink(lowering.tile(result).extents),
        pl::isSigned(op.getSource().getType().getElementType()), op.getLoc());
  else
    evaluateInto(lowering, result, memory, lowering.tile(result).extents,
                 op.getLoc());
  lowering.values.setMemory(result,
                            memory.shrink(lowering.tile(result).extents));
}

static void lowerStore(TileLowering &lowering, pl::StoreOp op) {
  llvm::scope_exit unlock([&] {
    lockReduction(lowering, op, routine::tegulaUnlockReduction, op.getTarget());
  });
  Location loc = op.getLoc();
  Value value = op.getTile();
  const Tile source = lowering.tile(value);
  ScratchScope scope(lowering.scratch);
  View target = lowering.view(op.getTarget());
  Indices extents;
  for (auto [have, room] : llvm::zip(source.extents, target.sizes))
    extents.push_back(lowering.math(loc).min(have, room));
  target = target.shrink(extents);
  if (target.isHalfBytes()) {
    View memory = addressable(lowering, op.getTileMutable(), loc);
    storeHalfBytes(lowering, target, memory.shrink(extents), loc);
    return;
  }
  SmallVector<int64_t, 4> bounds = boundsOf(op.getTile().getType());
  if (std::optional<BufferId> buffer =
          lowering.plan.placement.getBuffer(op.getTileMutable())) {
    View memory = lowering.scratch.bufferView(*buffer, bounds, loc);
    evaluateInto(lowering, value, memory, extents, loc);
    UnitScope unit(lowering.steps, loc);
    lowering.steps.read(memory.shrink(extents));
    lowering.steps.write(target);
    lowering.steps.loop(extents);
    copyStrided(lowering, routine::tegulaUnpackTile, target,
                memory.shrink(extents),
                roomForCopy(lowering, target.getRank(), loc), loc);
    return;
  }
  target.streams = lowering.outOfCache.isStreamed(op);
  storeInto(lowering, value, target, loc);
}

static void lowerRead(TileLowering &lowering, pl::ReadOp op) {
  OpBuilder &builder = lowering.builder;
  lockReduction(lowering, op, routine::tegulaLockReduction, op.getSource());
  Location loc = op.getLoc();
  bool isTile = isa<pl::TileType>(op.getSource().getType());
  View memory = isTile ? addressable(lowering, op.getSourceMutable(), loc)
                       : lowering.view(op.getSource());
  const Indices &extents =
      isTile ? lowering.tile(op.getSource()).extents : memory.sizes;
  Value isInside = lowering.calls.checkIndices(
      lowering.indices(op.getIndices()), extents, loc);
  Indices ones(memory.getRank(), builder.getIndexAttr(1));
  View elementView = memory.window(lowering.math(loc),
                                   lowering.indices(op.getIndices()), ones);
  if (lowering.steps)
    lowering.steps->loadElement(builder, loc, elementView);
  Type type = signlessType(op.getResult().getType());
  auto branch = scf::IfOp::create(builder, loc, type, isInside,
                                  /*withElseRegion=*/true);
  lowering.values.setScalar(op.getResult(), branch.getResult(0));
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

static void lowerWrite(TileLowering &lowering, pl::WriteOp op) {
  OpBuilder &builder = lowering.builder;
  llvm::scope_exit unlock([&] {
    lockReduction(lowering, op, routine::tegulaUnlockReduction, op.getTarget());
  });
  Location loc = op.getLoc();
  const View memory = lowering.view(op.getTarget());
  Value isInside = lowering.calls.checkIndices(
      lowering.indices(op.getIndices()), memory.sizes, loc);
  Indices ones(memory.getRank(), builder.getIndexAttr(1));
  View elementView = memory.window(lowering.math(loc),
                                   lowering.indices(op.getIndices()), ones);
  UnitScope unit(lowering.steps, loc);
  lowering.steps.write(elementView);
  auto branch = scf::IfOp::create(builder, loc, isInside,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (elementView.isHalfBytes())
    return writeHalfByte(lowering, elementView, lowering.scalar(op.getValue()),
                         loc);
  Value element =
      toMemory(builder, loc, lowering.scalar(op.getValue()), memory.element,
               pl::isSigned(op.getValue().getType()));
  memref::StoreOp::create(builder, loc, element,
                          elementView.axes({}).asMemRef(builder, loc));
}

void tegula::addMemoryPatterns(TilePatterns &patterns) {
  patterns.add(lowerSlice);
  patterns.addTile(lowerLoad);
  patterns.add(lowerStore);
  patterns.add(lowerRead);
  patterns.add(lowerWrite);
}
