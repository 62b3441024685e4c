// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/memory/TensorMemory.h"

#include "tegula/backends/codegen/TileExtents.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

Value tegula::denseBytes(TileLowering &lowering, const View &memory,
                         Location loc) {
  OpBuilder &builder = lowering.builder;
  Type i64 = builder.getI64Type();
  auto i64Constant = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 64);
  };
  bool isHalves = memory.isHalfBytes();
  Value bytes =
      i64Constant(isHalves ? 1 : memory.element.getIntOrFloatBitWidth() / 8);
  Value hasOverflow = arith::ConstantIntOp::create(builder, loc, 0, 1);
  for (OpFoldResult size : memory.sizes) {
    Value operand = arith::IndexCastOp::create(builder, loc, i64,
                                               lowering.math(loc).value(size));
    auto matmul = arith::MulSIExtendedOp::create(builder, loc, bytes, operand);
    bytes = matmul.getLow();
    Value sign = arith::ShRSIOp::create(builder, loc, bytes, i64Constant(63));
    Value isLost = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         matmul.getHigh(), sign);
    hasOverflow = arith::OrIOp::create(builder, loc, hasOverflow, isLost);
  }
  if (isHalves) {
    Value one = i64Constant(1);
    Value pairs = arith::ShRUIOp::create(builder, loc, bytes, one);
    Value odd = arith::AndIOp::create(builder, loc, bytes, one);
    bytes = arith::AddIOp::create(builder, loc, pairs, odd);
  }
  return arith::SelectOp::create(builder, loc, hasOverflow, i64Constant(-1),
                                 bytes);
}

Indices tegula::packedStrides(IndexMath math, const Indices &extents) {
  Indices strides(extents.size());
  OpFoldResult stride = math.constant(1);
  for (size_t axis = extents.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride = math.mul(stride, extents[axis]);
  }
  return strides;
}

View tegula::rowsFrom(TileLowering &lowering, Value base, Operation *op,
                      pl::TensorViewType type, ValueRange sizes) {
  OpBuilder &builder = lowering.builder;
  Location loc = op->getLoc();
  View memory{base,
              tensorElement(type.getElementType()),
              builder.getIndexAttr(0),
              {},
              {}};
  for (auto [axis, size] : llvm::enumerate(lowering.indices(sizes)))
    memory.sizes.push_back(
        withinBound(lowering, op, axis,
                    lowering.math(loc).max(size, builder.getIndexAttr(0))));
  memory.strides = packedStrides(lowering.math(loc), memory.sizes);
  return memory;
}

View tegula::orHarmless(TileLowering &lowering, const View &memory,
                        Value isInside, ArrayRef<pl::Dim> dims, Location loc) {
  OpBuilder &builder = lowering.builder;
  View single = lowering.scratch.harmlessElement(memory.element, loc);
  auto orZero = [&](OpFoldResult number) -> OpFoldResult {
    return arith::SelectOp::create(
               builder, loc, isInside, lowering.math(loc).value(number),
               lowering.math(loc).value(builder.getIndexAttr(0)))
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

void tegula::loopsNeed(TileLowering &lowering, Value isThere) {
  OpBuilder &builder = lowering.builder;
  lowering.isMemoryThere =
      lowering.isMemoryThere
          ? arith::AndIOp::create(builder, isThere.getLoc(),
                                  lowering.isMemoryThere, isThere)
                .getResult()
          : isThere;
}
