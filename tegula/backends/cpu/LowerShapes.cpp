// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far tiles are valid, and the ops that put tiles together or apart.

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// The run-time extent that a rule gives.
static OpFoldResult lowerRule(TileLowering &lowering,
                              const pl::ExtentRule &rule, Location loc) {
  using Kind = pl::ExtentRule::Kind;
  IndexMath math = lowering.math(loc);
  ArrayRef<pl::ExtentRule> parts = rule.getParts();
  auto part = [&](unsigned position) {
    return lowerRule(lowering, parts[position], loc);
  };
  auto size = [&](Value value) {
    return math.max(IndexMath::fold(lowering.scalar(value)), math.constant(0));
  };
  switch (rule.getKind()) {
  case Kind::Constant:
    return math.constant(rule.getNumber());
  case Kind::Size:
    return size(rule.getValue());
  case Kind::Extent:
    return IndexMath::fold(lowering.scalar(rule.getValue()));
  case Kind::Axis:
    return isa<pl::TileType>(rule.getValue().getType())
               ? lowering.tile(rule.getValue()).extents[rule.getAxis()]
               : lowering.view(rule.getValue()).sizes[rule.getAxis()];
  case Kind::Sum:
    return math.add(part(0), part(1));
  case Kind::Window: {
    OpFoldResult left = math.sub(part(0), size(rule.getOffset()));
    OpFoldResult length = IndexMath::fold(lowering.scalar(rule.getSize()));
    return math.max(math.min(length, left), math.constant(0));
  }
  case Kind::Repeat:
    return math.mul(size(rule.getValue()), part(0));
  case Kind::Least:
  case Kind::Meet: {
    OpFoldResult least = part(0);
    for (unsigned position = 1; position < parts.size(); ++position)
      least = math.min(least, part(position));
    return least;
  }
  }
  llvm_unreachable("every kind is handled");
}

/// True if the extent is what it would be without a limit to numbers: then it
/// has the bound that its type says.
static bool isExact(pl::ExactArithmetic &arithmetic,
                    const pl::ExtentRule &rule) {
  using Kind = pl::ExtentRule::Kind;
  Kind kind = rule.getKind();
  bool hasSize =
      kind == Kind::Size || kind == Kind::Window || kind == Kind::Repeat;
  if (hasSize && !arithmetic.isExactThroughout(rule.getValue()))
    return false;
  return llvm::all_of(rule.getParts(), [&](const pl::ExtentRule &part) {
    return isExact(arithmetic, part);
  });
}

OpFoldResult TileLowering::withinBound(Operation *op, unsigned axis,
                                       OpFoldResult extent) {
  pl::Dim dim = pl::getDims(op->getResult(0).getType())[axis];
  pl::ExtentRule rule = cast<pl::ExtentsOpInterface>(op).getExtentRule(axis);
  bool isSure = !isa<pl::ReshapeElementsOp>(op) && isExact(arithmetic, rule);
  if (!dim.isBounded() || isSure || IndexMath::number(extent))
    return extent;
  Location loc = op->getLoc();
  OpFoldResult bound = builder.getIndexAttr(dim.getBound());
  // That a reshape does not fit is reported as what it is.
  if (!isa<pl::ReshapeElementsOp>(op)) {
    Value isBeyond =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                              math(loc).value(extent), math(loc).value(bound));
    reportIf(isBeyond, TegulaIndexOutOfRange, axis, extent, bound, loc);
  }
  return math(loc).min(extent, bound);
}

Indices TileLowering::extentsOf(Operation &op) {
  Indices extents;
  auto type = cast<pl::TileType>(op.getResult(0).getType());
  auto rules = cast<pl::ExtentsOpInterface>(op);
  for (auto [axis, dim] : llvm::enumerate(type.getDims())) {
    if (dim.isExact()) {
      extents.push_back(builder.getIndexAttr(dim.getBound()));
      continue;
    }
    OpFoldResult extent =
        lowerRule(*this, rules.getExtentRule(axis), op.getLoc());
    extents.push_back(withinBound(&op, axis, extent));
  }
  return extents;
}

/// The memory of the source seen as the result, if the op only moves axes and
/// the source has memory.
std::optional<View> TileLowering::aliasOf(Operation &op) {
  if (!isa<pl::RelaxOp, pl::TransposeOp>(op) ||
      plan.placement.getBuffer(op.getResult(0)))
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

/// The memory of what the window looks at; computed now if it has none.
View TileLowering::wholeOfWindow(pl::WindowOp op) {
  const Tile source = tile(op.getSource());
  if (source.view)
    return *source.view;
  Location loc = op.getLoc();
  View memory = bufferView(*plan.placement.getBuffer(op.getResult()),
                           boundsOf(op.getSource().getType()), loc);
  evaluateInto(op.getSource(), memory, source.extents, loc);
  return memory.shrink(source.extents);
}

void TileLowering::lowerWindow(pl::WindowOp op) {
  Location loc = op.getLoc();
  Value value = op.getSource();
  View whole = wholeOfWindow(op);
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
            : withinBound(op, axis,
                          math(loc).max(math(loc).min(sizes[axis], left),
                                        builder.getIndexAttr(0))));
  }
  View part = whole.window(math(loc), starts, extents);
  if (isInside)
    part = orHarmless(part, isInside, dims, loc);
  tiles[op.getResult()] = {part.sizes, part};
}

void TileLowering::lowerConcat(pl::ConcatOp op) {
  Location loc = op.getLoc();
  Value result = op.getResult();
  View memory = destinationOf(op.getResult(), loc);
  const Indices extents = tile(result).extents;
  Indices offsets(extents.size(), builder.getIndexAttr(0));
  for (Value part : {Value(op.getLhs()), Value(op.getRhs())}) {
    Indices sizes = extents;
    sizes[op.getAxis()] = tile(part).extents[op.getAxis()];
    storeInto(part, memory.window(math(loc), offsets, sizes), loc);
    offsets[op.getAxis()] = sizes[op.getAxis()];
  }
  tiles[result].view = memory.shrink(extents);
}

void TileLowering::lowerInsert(pl::InsertOp op) {
  Location loc = op.getLoc();
  Value result = op.getResult();
  View memory = destinationOf(op.getResult(), loc);
  const Indices extents = tile(result).extents;
  if (!isComputedIn(op.getTarget(), result))
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
  storeInto(op.getSource(), memory.window(math(loc), starts, sizes), loc);
  tiles[result].view = memory.shrink(extents);
}

void TileLowering::lowerFillPad(pl::FillPadOp op) {
  Location loc = op.getLoc();
  View memory = destinationOf(op.getResult(), loc);
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
  View memory = bufferView(*plan.placement.getBuffer(op.getResult()),
                           boundsOf(op.getSource().getType()), loc);
  evaluateInto(op.getSource(), memory, tile(op.getSource()).extents, loc);
  View shaped = contiguousView(memory.base, memory.element,
                               boundsOf(op.getResult().getType()));
  shaped.slot = memory.slot;
  tiles[op.getResult()].view = shaped;
}
