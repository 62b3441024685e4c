// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles and tensors in other shapes.

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/memory/TensorMemory.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

static OpFoldResult product(IndexMath math, const Indices &extents) {
  OpFoldResult count = math.constant(1);
  for (OpFoldResult extent : extents)
    count = math.mul(count, extent);
  return count;
}

/// The axes of `from` that the axes of a view are, if all but those of extent 1
/// are the same; nothing for an axis of extent 1.
static std::optional<SmallVector<std::optional<unsigned>>>
matchUnits(const View &from, const Indices &sizes) {
  SmallVector<std::optional<unsigned>> axes;
  unsigned next = 0;
  auto skipUnits = [&] {
    while (next < from.getRank() && IndexMath::number(from.sizes[next]) == 1)
      ++next;
  };
  for (OpFoldResult size : sizes) {
    if (IndexMath::number(size) == 1) {
      axes.push_back(std::nullopt);
      continue;
    }
    skipUnits();
    if (next == from.getRank() || from.sizes[next] != size)
      return std::nullopt;
    axes.push_back(next++);
  }
  skipUnits();
  if (next != from.getRank())
    return std::nullopt;
  return axes;
}

/// A machine that is simulated moves what the routine has copied.
static void traceCopy(TileLowering &lowering, const View &from, const View &to,
                      Location loc) {
  OpBuilder &builder = lowering.builder;
  Value isCopied = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                        to.base, from.asPointer(builder, loc));
  auto branch =
      scf::IfOp::create(builder, loc, isCopied, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  {
    UnitScope unit(lowering.steps, loc);
    lowering.steps.read(from);
  }
  UnitScope unit(lowering.steps, loc);
  lowering.steps.write(to);
}

/// The valid elements are computed one behind the other, so the same memory has
/// the other shape too.
static void lowerReshapeElements(TileLowering &lowering,
                                 pl::ReshapeElementsOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  const Indices from = lowering.tile(op.getSource()).extents;
  const Indices to = lowering.tile(op.getResult()).extents;
  View memory = lowering.scratch.destinationOf(op.getResult(), loc);
  View packed = memory;
  packed.sizes = from;
  packed.strides = packedStrides(lowering.math(loc), from);
  evaluateInto(lowering, op.getSource(), packed, from, loc);
  View shaped = memory;
  shaped.sizes = to;
  shaped.strides = packedStrides(lowering.math(loc), to);
  lowering.values.setMemory(op.getResult(), shaped);
  OpFoldResult have = product(lowering.math(loc), from),
               want = product(lowering.math(loc), to);
  if (have == want)
    return;
  Value differ = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       lowering.math(loc).value(have),
                                       lowering.math(loc).value(want));
  lowering.calls.reportIf(differ, TegulaWrongCount, 0, have, want, loc);
}

/// Where only axes of extent 1 come and go, the strides are known here; else a
/// routine finds them, or copies.
static void lowerView(TileLowering &lowering, pl::ViewOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  const View from = lowering.view(op.getSource());
  ArrayRef<pl::Dim> dims = op.getResult().getType().getDims();
  View result{from.base, from.element, from.offset, {}, {}};
  for (auto [dim, size] : llvm::zip(dims, lowering.indices(op.getSizes())))
    result.sizes.push_back(
        dim.isExact() ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                      : lowering.math(loc).max(size, builder.getIndexAttr(0)));
  if (auto axes = matchUnits(from, result.sizes)) {
    for (std::optional<unsigned> axis : *axes)
      result.strides.push_back(axis ? from.strides[*axis]
                                    : OpFoldResult(builder.getIndexAttr(1)));
    lowering.values.setView(op.getResult(), result);
    return;
  }
  Indices numbers = from.sizes;
  llvm::append_range(numbers, from.strides);
  llvm::append_range(numbers, result.sizes);
  numbers.append(dims.size(), builder.getIndexAttr(0));
  ScratchScope scope(lowering.scratch);
  Value shape = lowering.scratch.storeNumbers(numbers, loc);
  auto integer = [&](int64_t number, unsigned bits) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, bits);
  };
  int64_t bytes =
      from.isHalfBytes() ? 0 : from.element.getIntOrFloatBitWidth() / 8;
  result.base =
      lowering.calls
          .call(routine::tegulaReshapeView, lowering.calls.getState().getType(),
                {from.asPointer(builder, loc), shape,
                 integer(from.getRank(), 64), integer(dims.size(), 64),
                 integer(bytes, 64), integer(op.getAliasing(), 32),
                 lowering.calls.getState(),
                 integer(lowering.calls.siteOf(loc), 32)},
                loc)
          .getResult();
  result.offset = builder.getIndexAttr(0);
  Type i64 = builder.getI64Type();
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    auto position =
        static_cast<int32_t>(2 * from.getRank() + dims.size() + axis);
    Value address =
        LLVM::GEPOp::create(builder, loc, shape.getType(), i64, shape,
                            ArrayRef<LLVM::GEPArg>{position});
    Value stride = LLVM::LoadOp::create(builder, loc, i64, address);
    result.strides.push_back(
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), stride)
            .getResult());
  }
  Value null =
      LLVM::ZeroOp::create(builder, loc, lowering.calls.getState().getType());
  Value isThere = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                       result.base, null);
  lowering.values.setView(op.getResult(),
                          orHarmless(lowering, result, isThere, dims, loc));
  loopsNeed(lowering, isThere);
  if (lowering.steps)
    traceCopy(lowering, from, result, loc);
}

void tegula::addReshapeElementsPatterns(TilePatterns &patterns) {
  patterns.addTile(lowerReshapeElements);
  patterns.add(lowerView);
}
