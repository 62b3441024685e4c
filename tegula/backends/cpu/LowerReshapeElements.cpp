// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles and tensors in other shapes.

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// Row-major strides of run-time extents.
static Indices packedStrides(IndexMath math, const Indices &extents) {
  Indices strides(extents.size());
  OpFoldResult stride = math.constant(1);
  for (size_t axis = extents.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride = math.mul(stride, extents[axis]);
  }
  return strides;
}

static OpFoldResult product(IndexMath math, const Indices &extents) {
  OpFoldResult count = math.constant(1);
  for (OpFoldResult extent : extents)
    count = math.mul(count, extent);
  return count;
}

/// The valid elements are computed one behind the other, so the same memory has
/// the other shape too.
void TileLowering::lowerReshapeElements(pl::ReshapeElementsOp op) {
  Location loc = op.getLoc();
  const Indices from = tile(op.getSource()).extents;
  const Indices to = tile(op.getResult()).extents;
  View memory = destinationOf(op.getResult(), loc);
  View packed = memory;
  packed.sizes = from;
  packed.strides = packedStrides(math(loc), from);
  evaluateInto(op.getSource(), packed, from, loc);
  View shaped = memory;
  shaped.sizes = to;
  shaped.strides = packedStrides(math(loc), to);
  tiles[op.getResult()].view = shaped;
  OpFoldResult have = product(math(loc), from), want = product(math(loc), to);
  if (have == want)
    return;
  Value differ =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                            math(loc).value(have), math(loc).value(want));
  reportIf(differ, TegulaWrongCount, 0, have, want, loc);
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

Value TileLowering::allocateNumbers(size_t count, Location loc) {
  return allocate(loc, builder.getI64Type(), std::max<int64_t>(1, count)).base;
}

Value TileLowering::storeNumbers(const Indices &numbers, Location loc) {
  Value memory = allocateNumbers(numbers.size(), loc);
  storeNumbers(numbers, memory, loc);
  return memory;
}

void TileLowering::storeNumbers(const Indices &numbers, Value memory,
                                Location loc) {
  Type i64 = builder.getI64Type();
  for (auto [position, number] : llvm::enumerate(numbers)) {
    Value address = LLVM::GEPOp::create(
        builder, loc, memory.getType(), i64, memory,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    Value wide =
        arith::IndexCastOp::create(builder, loc, i64, math(loc).value(number));
    LLVM::StoreOp::create(builder, loc, wide, address);
  }
}

/// A machine that is simulated moves what the routine has copied.
static void traceCopy(TileLowering &lowering, const View &from, const View &to,
                      Location loc) {
  OpBuilder &builder = lowering.getBuilder();
  Value isCopied = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                        to.base, from.asPointer(builder, loc));
  auto branch =
      scf::IfOp::create(builder, loc, isCopied, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  {
    UnitScope unit(lowering, loc);
    lowering.noteRead(from);
  }
  UnitScope unit(lowering, loc);
  lowering.noteWrite(to);
}

/// Where only axes of extent 1 come and go, the strides are known here; else a
/// routine finds them, or copies.
void TileLowering::lowerView(pl::ViewOp op) {
  Location loc = op.getLoc();
  const View from = view(op.getSource());
  ArrayRef<pl::Dim> dims = op.getResult().getType().getDims();
  View result{from.base, from.element, from.offset, {}, {}};
  for (auto [dim, size] : llvm::zip(dims, indices(op.getSizes())))
    result.sizes.push_back(
        dim.isExact() ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                      : math(loc).max(size, builder.getIndexAttr(0)));
  if (auto axes = matchUnits(from, result.sizes)) {
    for (std::optional<unsigned> axis : *axes)
      result.strides.push_back(axis ? from.strides[*axis]
                                    : OpFoldResult(builder.getIndexAttr(1)));
    views[op.getResult()] = result;
    return;
  }
  Indices numbers = from.sizes;
  llvm::append_range(numbers, from.strides);
  llvm::append_range(numbers, result.sizes);
  numbers.append(dims.size(), builder.getIndexAttr(0));
  ScratchScope scope(currentFrame());
  Value shape = storeNumbers(numbers, loc);
  auto integer = [&](int64_t number, unsigned bits) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, bits);
  };
  int64_t bytes =
      from.isHalfBytes() ? 0 : from.element.getIntOrFloatBitWidth() / 8;
  result.base =
      callRuntime("tegulaReshapeView", state.getType(),
                  {from.asPointer(builder, loc), shape,
                   integer(from.getRank(), 64), integer(dims.size(), 64),
                   integer(bytes, 64), integer(op.getAliasing(), 32), state,
                   integer(siteOf(loc), 32)},
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
  Value null = LLVM::ZeroOp::create(builder, loc, state.getType());
  Value isThere = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                       result.base, null);
  views[op.getResult()] = orHarmless(result, isThere, dims, loc);
  loopsNeed(isThere);
  if (hooks)
    traceCopy(*this, from, result, loc);
}
