// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/memory/TileCopies.h"

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/support/Routines.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

static Value i64Constant(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIntOp::create(builder, loc, number, 64);
}

/// Rows are described by the arguments of the call.
static constexpr int64_t rankOfRows = 2;

Value tegula::roomForCopy(TileLowering &lowering, int64_t rank, Location loc) {
  return rank > rankOfRows ? lowering.scratch.allocateNumbers(3 * rank, loc)
                           : Value();
}

static void copyRows(TileLowering &lowering, const View &target,
                     const View &origin, Location loc) {
  OpBuilder &builder = lowering.builder;
  auto pad = [&](const Indices &numbers, int64_t first) {
    Indices padded(rankOfRows - numbers.size(), builder.getIndexAttr(first));
    llvm::append_range(padded, numbers);
    return padded;
  };
  Indices numbers = pad(origin.sizes, 1);
  llvm::append_range(numbers, pad(target.strides, 0));
  llvm::append_range(numbers, pad(origin.strides, 0));
  numbers.push_back(
      builder.getIndexAttr(origin.element.getIntOrFloatBitWidth() / 8));
  SmallVector<Value> arguments = {target.asPointer(builder, loc),
                                  origin.asPointer(builder, loc)};
  for (OpFoldResult number : numbers)
    if (std::optional<int64_t> constant = IndexMath::number(number))
      arguments.push_back(i64Constant(builder, loc, *constant));
    else
      arguments.push_back(
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                     lowering.math(loc).value(number)));
  if (!target.streams) {
    lowering.calls.call(routine::tegulaCopyRows, {}, arguments, loc);
    return;
  }
  arguments.push_back(arith::ExtUIOp::create(builder, loc, builder.getI32Type(),
                                             target.streams));
  lowering.calls.call(routine::tegulaTransposeRows, {}, arguments, loc);
}

void tegula::copyStrided(TileLowering &lowering, StringRef routine,
                         const View &target, const View &origin, Value room,
                         Location loc) {
  OpBuilder &builder = lowering.builder;
  int64_t rank = target.getRank();
  if (rank <= rankOfRows)
    return copyRows(lowering, target, origin, loc);
  Indices numbers = origin.sizes;
  llvm::append_range(numbers, target.strides);
  llvm::append_range(numbers, origin.strides);
  lowering.scratch.storeNumbers(numbers, room, loc);
  int64_t bytes = origin.element.getIntOrFloatBitWidth() / 8;
  lowering.calls.call(
      routine, {},
      {target.asPointer(builder, loc), origin.asPointer(builder, loc),
       i64Constant(builder, loc, rank), room, i64Constant(builder, loc, bytes)},
      loc);
}

View tegula::addressable(TileLowering &lowering, OpOperand &operand,
                         Location loc) {
  const Tile known = lowering.tile(operand.get());
  if (known.view)
    return *known.view;
  View memory = lowering.scratch.bufferView(
      *lowering.plan.placement.getBuffer(operand),
      boundsOf(cast<pl::TileType>(operand.get().getType())), loc);
  evaluateInto(lowering, operand.get(), memory, known.extents, loc);
  return memory.shrink(known.extents);
}

/// True where the elements of the last axis are contiguous, or there is at
/// most one of them.
static Value isContiguousInside(OpBuilder &builder, Location loc,
                                const View &view) {
  Value stride = IndexMath(builder, loc).value(view.strides.back());
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, stride,
                               one);
}

View tegula::withUnitInnerStride(TileLowering &lowering, const View &view,
                                 ArrayRef<int64_t> bounds, Location loc) {
  OpBuilder &builder = lowering.builder;
  if (view.hasUnitInnerStride())
    return view;
  View packed =
      lowering.scratch.allocate(loc, view.element, bounds).shrink(view.sizes);
  Value isUnit = isContiguousInside(builder, loc, view);
  Value address = view.asPointer(builder, loc);
  View chosen = view;
  chosen.offset = builder.getIndexAttr(0);
  for (auto [axis, stride] : llvm::enumerate(chosen.strides))
    stride =
        arith::SelectOp::create(builder, loc, isUnit,
                                lowering.math(loc).value(view.strides[axis]),
                                lowering.math(loc).value(packed.strides[axis]))
            .getResult();
  chosen.strides.back() = builder.getIndexAttr(1);
  Value room = roomForCopy(lowering, view.getRank(), loc);
  auto branch = scf::IfOp::create(builder, loc, address.getType(), isUnit,
                                  /*withElseRegion=*/true);
  chosen.base = branch.getResult(0);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, address);
  builder.setInsertionPointToStart(branch.elseBlock());
  copyStrided(lowering, routine::tegulaPackTile, packed, view, room, loc);
  scf::YieldOp::create(builder, loc, packed.base);
  return chosen;
}

std::optional<View> tegula::findTransposed(TileLowering &lowering,
                                           Value value) {
  while (auto relax = value.getDefiningOp<pl::RelaxOp>())
    value = relax.getSource();
  bool isTransposed = value.getDefiningOp<pl::TransposeOp>() != nullptr;
  return isTransposed ? lowering.tile(value).view : std::nullopt;
}

void tegula::storeInto(TileLowering &lowering, Value value, const View &target,
                       Location loc) {
  UnitScope unit(lowering.steps, loc);
  lowering.steps.write(target);
  std::optional<View> transposed =
      lowering.steps ? std::nullopt : findTransposed(lowering, value);
  if (transposed && transposed->element == target.element &&
      target.getRank() > 1) {
    copyStrided(lowering, routine::tegulaPackTile, target,
                transposed->shrink(target.sizes),
                roomForCopy(lowering, target.getRank(), loc), loc);
    return;
  }
  evaluateInto(lowering, value, target, target.sizes, loc);
}
