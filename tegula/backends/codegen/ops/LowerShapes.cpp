// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that put tiles together or apart.

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileExtents.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/memory/TensorMemory.h"
#include "tegula/backends/codegen/memory/TileCopies.h"
#include "tegula/backends/codegen/ops/LowerElements.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// The memory of what the window looks at; computed now if it has none.
static View wholeOfWindow(TileLowering &lowering, pl::WindowOp op) {
  const Tile source = lowering.tile(op.getSource());
  if (source.view)
    return *source.view;
  Location loc = op.getLoc();
  View memory = lowering.scratch.bufferView(
      *lowering.plan.placement.getBuffer(op.getResult()),
      boundsOf(op.getSource().getType()), loc);
  evaluateInto(lowering, op.getSource(), memory, source.extents, loc);
  return memory.shrink(source.extents);
}

static void lowerWindow(TileLowering &lowering, pl::WindowOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value value = op.getSource();
  View whole = wholeOfWindow(lowering, op);
  Indices starts, extents;
  Indices sizes = lowering.indices(op.getSizes());
  ArrayRef<pl::Dim> dims = op.getResult().getType().getDims();
  Value isInside;
  for (auto [axis, offset] : llvm::enumerate(op.getOffsets())) {
    OpFoldResult start = checkedOffset(lowering, offset, axis, loc);
    OpFoldResult whole = lowering.tile(value).extents[axis];
    OpFoldResult left = lowering.math(loc).sub(whole, start);
    starts.push_back(start);
    if (Value isFull =
            checkExact(lowering, dims[axis], start, whole, axis, loc))
      isInside = isInside
                     ? arith::AndIOp::create(builder, loc, isInside, isFull)
                           .getResult()
                     : isFull;
    extents.push_back(
        dims[axis].isExact()
            ? OpFoldResult(builder.getIndexAttr(dims[axis].getBound()))
            : withinBound(lowering, op, axis,
                          lowering.math(loc).max(
                              lowering.math(loc).min(sizes[axis], left),
                              builder.getIndexAttr(0))));
  }
  View part = whole.window(lowering.math(loc), starts, extents);
  if (isInside)
    part = orHarmless(lowering, part, isInside, dims, loc);
  lowering.values.setTile(op.getResult(), {part.sizes, part});
}

static void lowerConcat(TileLowering &lowering, pl::ConcatOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value result = op.getResult();
  View memory = lowering.scratch.destinationOf(op.getResult(), loc);
  const Indices extents = lowering.tile(result).extents;
  Indices offsets(extents.size(), builder.getIndexAttr(0));
  for (Value part : {Value(op.getLhs()), Value(op.getRhs())}) {
    Indices sizes = extents;
    sizes[op.getAxis()] = lowering.tile(part).extents[op.getAxis()];
    storeInto(lowering, part, memory.window(lowering.math(loc), offsets, sizes),
              loc);
    offsets[op.getAxis()] = sizes[op.getAxis()];
  }
  lowering.values.setMemory(result, memory.shrink(extents));
}

static void lowerInsert(TileLowering &lowering, pl::InsertOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value result = op.getResult();
  View memory = lowering.scratch.destinationOf(op.getResult(), loc);
  const Indices extents = lowering.tile(result).extents;
  if (!lowering.isComputedIn(op.getTarget(), result))
    evaluateInto(lowering, op.getTarget(), memory, extents, loc);
  Indices starts, sizes;
  for (auto [axis, offset] : llvm::enumerate(op.getOffsets())) {
    OpFoldResult start = checkedOffset(lowering, offset, axis, loc);
    OpFoldResult left = lowering.math(loc).sub(extents[axis], start);
    starts.push_back(start);
    sizes.push_back(lowering.math(loc).max(
        lowering.math(loc).min(lowering.tile(op.getSource()).extents[axis],
                               left),
        builder.getIndexAttr(0)));
  }
  storeInto(lowering, op.getSource(),
            memory.window(lowering.math(loc), starts, sizes), loc);
  lowering.values.setMemory(result, memory.shrink(extents));
}

static void lowerFillPad(TileLowering &lowering, pl::FillPadOp op) {
  Location loc = op.getLoc();
  View memory = lowering.scratch.destinationOf(op.getResult(), loc);
  fill(lowering, memory, lowering.scalar(op.getValue()),
       pl::isSigned(op.getValue().getType()), loc);
  evaluateInto(lowering, op.getSource(), memory,
               lowering.tile(op.getSource()).extents, loc);
  lowering.values.setMemory(op.getResult(), memory);
}

/// With exact extents a buffer has no gaps, so the same memory has the other
/// shape too.
static void lowerReshape(TileLowering &lowering, pl::ReshapeOp op) {
  if (isUnitReshape(op))
    return materialize(lowering, *op);
  Location loc = op.getLoc();
  View memory = lowering.scratch.bufferView(
      *lowering.plan.placement.getBuffer(op.getResult()),
      boundsOf(op.getSource().getType()), loc);
  evaluateInto(lowering, op.getSource(), memory,
               lowering.tile(op.getSource()).extents, loc);
  View shaped = contiguousView(memory.base, memory.element,
                               boundsOf(op.getResult().getType()));
  shaped.slot = memory.slot;
  lowering.values.setMemory(op.getResult(), shaped);
}

/// The extent of a tile or a tensor, which is known where it is made.
static void lowerDim(TileLowering &lowering, pl::DimOp op) {
  Value source = op.getSource();
  OpFoldResult extent = isa<pl::TileType>(source.getType())
                            ? lowering.tile(source).extents[op.getAxis()]
                            : lowering.view(source).sizes[op.getAxis()];
  lowering.values.setScalar(op.getExtent(),
                            lowering.math(op.getLoc()).value(extent));
}

void tegula::addShapePatterns(TilePatterns &patterns) {
  patterns.add(lowerDim);
  patterns.add(lowerWindow);
  patterns.addTile(lowerConcat);
  patterns.addTile(lowerInsert);
  patterns.addTile(lowerFillPad);
  patterns.addTile(lowerReshape);
}
