// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far tiles are valid, and the ops that put tiles together or apart.

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/Matmul.h"
#include "tegula/ir/PlShapeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;

/// Axes of `to` that are not units, paired with those of `from` in order.
static SmallVector<std::optional<unsigned>, 4> matchAxes(pl::TileType from,
                                                         pl::TileType to) {
  SmallVector<std::optional<unsigned>, 4> axes;
  unsigned next = 0;
  for (pl::Dim dim : to.getDims()) {
    if (dim.isExactly(1)) {
      axes.push_back(std::nullopt);
      continue;
    }
    while (from.getDims()[next].isExactly(1))
      ++next;
    axes.push_back(next++);
  }
  return axes;
}

/// The run-time extent of the result of `op` along an axis, from its operands.
static OpFoldResult extentOf(TileLowering &lowering, Operation *op,
                             unsigned axis) {
  IndexMath math = lowering.math(op->getLoc());
  auto of = [&](Value tile, unsigned from) {
    return lowering.tile(tile).extents[from];
  };
  auto sized = [&](OperandRange sizes) {
    return math.max(IndexMath::fold(lowering.scalar(sizes[axis])),
                    math.constant(0));
  };
  return llvm::TypeSwitch<Operation *, OpFoldResult>(op)
      .Case([&](pl::LoadOp load) {
        return lowering.view(load.getSource()).sizes[axis];
      })
      .Case([&](pl::FullOp full) { return sized(full.getSizes()); })
      .Case([&](pl::ArangeOp arange) { return sized(arange.getSizes()); })
      .Case([&](pl::BroadcastOp broadcast) {
        if (std::optional<unsigned> from = broadcast.getSourceAxis(axis))
          return of(broadcast.getSource(), *from);
        OpFoldResult size = sized(broadcast.getSizes());
        std::optional<unsigned> optional = broadcast.getOptionalAxis(axis);
        return optional ? math.mul(size, of(broadcast.getSource(), *optional))
                        : size;
      })
      .Case([&](pl::MatmulOp matmul) {
        OpFoldResult least;
        for (auto [operand, from] : getExtentSources(matmul, axis))
          least =
              least ? math.min(least, of(operand, from)) : of(operand, from);
        return least;
      })
      .Case([&](pl::RegroupOp regroup) { return sized(regroup.getSizes()); })
      .Case([&](pl::ReshapeOp reshape) {
        return of(reshape.getSource(),
                  *matchAxes(reshape.getSource().getType(),
                             reshape.getResult().getType())[axis]);
      })
      .Case([&](pl::TransposeOp transpose) {
        return of(transpose.getSource(), transpose.getPermutation()[axis]);
      })
      .Case([&](pl::ConcatOp concat) {
        OpFoldResult lhs = of(concat.getLhs(), axis);
        OpFoldResult rhs = of(concat.getRhs(), axis);
        return axis == concat.getAxis() ? math.add(lhs, rhs)
                                        : math.min(lhs, rhs);
      })
      .Case([&](pl::InsertOp insert) { return of(insert.getTarget(), axis); })
      .Default([&](Operation *other) {
        OpFoldResult least;
        for (Value operand : other->getOperands()) {
          if (!isa<pl::TileType>(operand.getType()))
            continue;
          OpFoldResult extent = of(operand, axis);
          least = least ? math.min(least, extent) : extent;
        }
        return least;
      });
}

Indices TileLowering::extentsOf(Operation &op) {
  Indices extents;
  auto type = cast<pl::TileType>(op.getResult(0).getType());
  for (auto [axis, dim] : llvm::enumerate(type.getDims()))
    extents.push_back(dim.isExact()
                          ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                          : extentOf(*this, &op, axis));
  return extents;
}

/// The memory of the source seen as the result, if the op only moves axes and
/// the source has memory.
std::optional<View> TileLowering::aliasOf(Operation &op) {
  if (!isa<pl::RelaxOp, pl::TransposeOp>(op))
    return std::nullopt;
  const Tile &from = tile(op.getOperand(0));
  if (!from.view)
    return std::nullopt;
  const Indices &extents = tile(op.getResult(0)).extents;
  auto transpose = dyn_cast<pl::TransposeOp>(op);
  if (!transpose)
    return from.view->shrink(extents);
  SmallVector<unsigned> order(transpose.getPermutation());
  return from.view->axes(order).shrink(extents);
}

/// A window that is exactly `dim` long must lie inside: that it does, or null
/// if nothing can be wrong. That it does not is an error of the call.
Value TileLowering::checkExact(pl::Dim dim, OpFoldResult start,
                               OpFoldResult whole, int64_t axis, Location loc) {
  if (!dim.isExact() || dim.getBound() == 0)
    return {};
  OpFoldResult last =
      math(loc).add(start, builder.getIndexAttr(dim.getBound() - 1));
  std::optional<int64_t> number = IndexMath::number(last);
  std::optional<int64_t> bound = IndexMath::number(whole);
  if (number && bound && *number < *bound)
    return {};
  return checkIndex(last, axis, whole, loc);
}

void TileLowering::lowerWindow(pl::WindowOp op) {
  Location loc = op.getLoc();
  Value value = op.getSource();
  View whole = addressable(value, loc);
  Indices starts, extents;
  Indices sizes = indices(op.getSizes());
  ArrayRef<pl::Dim> dims = op.getResult().getType().getDims();
  Value isInside;
  for (auto [axis, offset] : llvm::enumerate(op.getOffsets())) {
    OpFoldResult start = checkedOffset(offset, axis, loc);
    OpFoldResult whole = tile(value).extents[axis];
    OpFoldResult left = math(loc).sub(whole, start);
    starts.push_back(start);
    if (Value isFull = checkExact(dims[axis], start, whole, axis, loc))
      isInside = isInside
                     ? arith::AndIOp::create(builder, loc, isInside, isFull)
                           .getResult()
                     : isFull;
    extents.push_back(
        dims[axis].isExact()
            ? OpFoldResult(builder.getIndexAttr(dims[axis].getBound()))
            : math(loc).max(math(loc).min(sizes[axis], left),
                            builder.getIndexAttr(0)));
  }
  View part = whole.window(math(loc), starts, extents);
  if (isInside)
    part = orHarmless(part, isInside, dims, loc);
  tiles[op.getResult()] = {part.sizes, part};
}

void TileLowering::lowerConcat(pl::ConcatOp op) {
  Location loc = op.getLoc();
  Value result = op.getResult();
  View memory = allocate(loc, op.getResult().getType());
  const Indices extents = tile(result).extents;
  Indices offsets(extents.size(), builder.getIndexAttr(0));
  for (Value part : {Value(op.getLhs()), Value(op.getRhs())}) {
    Indices sizes = extents;
    sizes[op.getAxis()] = tile(part).extents[op.getAxis()];
    storeInto(part, memory.window(math(loc), offsets, sizes),
              boundsOf(cast<pl::TileType>(part.getType())), loc);
    offsets[op.getAxis()] = sizes[op.getAxis()];
  }
  tiles[result].view = memory.shrink(extents);
}

void TileLowering::lowerInsert(pl::InsertOp op) {
  Location loc = op.getLoc();
  Value result = op.getResult();
  View memory = allocate(loc, op.getResult().getType());
  const Indices extents = tile(result).extents;
  evaluateInto(op.getTarget(), memory, extents, loc);
  Indices starts, sizes;
  for (auto [axis, offset] : llvm::enumerate(op.getOffsets())) {
    OpFoldResult start = checkedOffset(offset, axis, loc);
    OpFoldResult left = math(loc).sub(extents[axis], start);
    starts.push_back(start);
    sizes.push_back(
        math(loc).max(math(loc).min(tile(op.getSource()).extents[axis], left),
                      builder.getIndexAttr(0)));
  }
  storeInto(op.getSource(), memory.window(math(loc), starts, sizes),
            boundsOf(op.getSource().getType()), loc);
  tiles[result].view = memory.shrink(extents);
}

void TileLowering::lowerFillPad(pl::FillPadOp op) {
  Location loc = op.getLoc();
  View memory = allocate(loc, op.getResult().getType());
  fill(memory, scalar(op.getValue()), pl::isSigned(op.getValue().getType()),
       loc);
  evaluateInto(op.getSource(), memory, tile(op.getSource()).extents, loc);
  tiles[op.getResult()].view = memory;
}

/// With exact extents a buffer has no gaps, so the same memory has the other
/// shape too.
void TileLowering::lowerReshape(pl::ReshapeOp op) {
  if (isUnitReshape(op))
    return materialize(*op);
  Location loc = op.getLoc();
  View memory = allocate(loc, op.getSource().getType());
  evaluateInto(op.getSource(), memory, tile(op.getSource()).extents, loc);
  tiles[op.getResult()].view = contiguousView(
      memory.base, memory.element, boundsOf(op.getResult().getType()));
}
