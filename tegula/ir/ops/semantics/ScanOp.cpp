// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.scan: its rules, what it means on data, and the loops it is made of;
// pl.running_sum on data.
#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/ir/ops/semantics/ElementLoops.h"
#include "tegula/ir/ops/semantics/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

LogicalResult ScanOp::verify() {
  TensorViewType source = getSource().getType(), target = getTarget().getType();
  if (source.getRank() != target.getRank())
    return emitOpError("both tensors must have one rank, got ")
           << source.getRank() << " and " << target.getRank();
  if (getAxis() >= static_cast<uint64_t>(source.getRank()))
    return emitOpError("axis ")
           << getAxis() << " is out of range for rank " << source.getRank();
  Type element = source.getElementType();
  if (!isNumeric(element) || target.getElementType() != element)
    return emitOpError("both tensors must hold one number type, got ")
           << element << " and " << target.getElementType();
  return success();
}

static char *addressOf(const TensorView &view, ArrayRef<int64_t> coordinates) {
  int64_t offset = 0;
  for (unsigned axis = 0; axis < view.rank; ++axis)
    offset += coordinates[axis] * view.strides[axis];
  return view.getFirstElement() +
         offset * static_cast<int64_t>(getSize(view.dtype));
}

static void scan(Reduction reduction, const TensorView &source,
                 const TensorView &target, uint64_t axis) {
  DType dtype = source.dtype;
  SmallVector<int64_t, 4> outer;
  for (unsigned at = 0; at < source.rank; ++at)
    outer.push_back(std::min(source.sizes[at], target.sizes[at]));
  int64_t length = std::exchange(outer[axis], 1);
  outer.push_back(1); // so that each index is visited on its own
  Combination combine = getCombination(reduction, dtype);
  forEachRow(outer, [&](ArrayRef<int64_t> index, int64_t) {
    SmallVector<int64_t, 4> coordinates(index);
    Slot total = getNeutral(reduction, dtype).getSlot();
    for (int64_t &at = coordinates[axis]; at < length; ++at) {
      Scalar next = Scalar::read(dtype, addressOf(source, coordinates));
      total = combine(total, next.getSlot());
      Scalar rounded = isFloat(dtype) ? Scalar::ofReal(dtype, total.real)
                                      : Scalar::ofInteger(dtype, total.integer);
      rounded.write(addressOf(target, coordinates));
    }
  });
}

template <typename Op> static LogicalResult touchBoth(Op op, Frame &frame) {
  if (failed(frame.touch(op, Touch::Read, frame.getTensor(op.getSource()))))
    return failure();
  return frame.touch(op, Touch::Write, frame.getTensor(op.getTarget()));
}

LogicalResult ScanOp::interpret(Frame &frame) {
  if (failed(touchBoth(*this, frame)))
    return failure();
  scan(getReduction(), frame.getTensor(getSource()),
       frame.getTensor(getTarget()), getAxis());
  return success();
}

LogicalResult RunningSumOp::interpret(Frame &frame) {
  if (failed(touchBoth(*this, frame)))
    return failure();
  scan(Reduction::Sum, frame.getTensor(getSource()),
       frame.getTensor(getTarget()), getAxis());
  return success();
}

/// Builds the loop along the axis, in which the total goes around.
static void scanRow(OpBuilder &builder, ScanOp op, Coordinates coordinates,
                    Value length) {
  Location loc = op.getLoc();
  Type element = op.getSource().getType().getElementType();
  Type wide = isNarrowFloat(element) ? builder.getF32Type() : element;
  auto convert = [&](Value value, Type type) -> Value {
    return value.getType() == type
               ? value
               : CastOp::create(builder, loc, type, value, Rounding::None);
  };
  Value start = buildNumber(
      builder, loc, getNeutral(op.getReduction(), *getDType(wide)), wide);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, length, one, start);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  coordinates[op.getAxis()] = loop.getInductionVar();
  Value next = ReadOp::create(builder, loc, op.getSource(), coordinates);
  Value total = buildCombination(builder, loc, op.getReduction(),
                                 loop.getRegionIterArg(0), convert(next, wide));
  WriteOp::create(builder, loc, convert(total, element), op.getTarget(),
                  coordinates);
  scf::YieldOp::create(builder, loc, total);
}

/// for each row: total = start; for k: total += x[k]; y[k] = total
Value ScanOp::expand(OpBuilder &builder) {
  if (getReduction() == Reduction::Sum &&
      RunningSumOp::isSummed(getSource().getType().getElementType())) {
    RunningSumOp::create(builder, getLoc(), getSource(), getAxis(),
                         getTarget());
    return {};
  }
  Coordinates extents = buildExtents(builder, getLoc(), getSource());
  Coordinates others = buildExtents(builder, getLoc(), getTarget());
  for (auto [extent, other] : llvm::zip(extents, others))
    extent = builder.createOrFold<arith::MinSIOp>(getLoc(), extent, other);
  LoopOrder rows{{}, /*isParallel=*/true};
  for (unsigned axis = 0; axis < extents.size(); ++axis)
    if (axis != getAxis())
      rows.axes.push_back(axis);
  buildElementLoops(
      builder, *this, extents, rows, [&](ArrayRef<Value> coordinates) {
        scanRow(builder, *this, Coordinates(coordinates), extents[getAxis()]);
      });
  return {};
}
