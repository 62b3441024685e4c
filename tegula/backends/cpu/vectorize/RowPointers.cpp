// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/RowPointers.h"

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cpu/vectorize/CacheHints.h"
#include "tegula/backends/cpu/vectorize/CollapseContiguous.h"
#include "tegula/backends/cpu/vectorize/NestOperands.h"
#include "tegula/backends/cpu/vectorize/StridedStaging.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

void RowPointers::emitLoop(unsigned position,
                           function_ref<void(ArrayRef<RowPointer>)> emitRow) {
  state.indices[position] = math.value(state.beginOf(position));
  SmallVector<RowPointer> rows = findRows(position);
  SmallVector<Value> first = llvm::map_to_vector(
      rows, [](const RowPointer &row) { return row.pointer; });
  state.loop(state.beginOf(position), state.endOf(position), 1, position, first,
             [&](ValueRange pointers) {
               SmallVector<Value> next;
               for (auto [row, pointer] : llvm::zip(rows, pointers)) {
                 row.pointer = pointer;
                 next.push_back(LLVM::GEPOp::create(
                     builder, loc, pointer.getType(), builder.getI8Type(),
                     pointer, ValueRange{row.step}));
               }
               emitRow(rows);
               return next;
             });
}

SmallVector<RowPointer> RowPointers::findRows(unsigned position) {
  SmallVector<RowPointer> rows;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (lanes == 1 || isUnused(op, operand) || !isStepped(op, operand) ||
        isReadAcross(op, operand) || !map.isFunctionOfDim(position))
      continue;
    Value memory = staged.findMemory(operand);
    auto layout =
        MemoryLayout::of(builder, loc, memory ? memory : operand.get());
    auto axis =
        llvm::find(map.getResults(), builder.getAffineDimExpr(position));
    OpFoldResult stride = layout.strides[axis - map.getResults().begin()];
    if (IndexMath::number(stride))
      continue;
    View start{layout.base,
               getElementTypeOrSelf(operand.get()),
               layout.offset,
               {},
               {}};
    SmallVector<Value> indices = state.indicesOf(operand);
    for (auto [index, distance] :
         llvm::zip(ArrayRef(indices).drop_back(), layout.strides))
      start.offset = math.add(start.offset, math.mul(index, distance));
    Value step = stepOf(stride, start.element, position);
    rows.push_back({&operand, start.asPointer(builder, loc), step,
                    bytesToPrefetched(operand, step, position)});
  }
  return rows;
}

Value RowPointers::bytesToPrefetched(OpOperand &operand, Value step,
                                     unsigned loop) {
  // A quarter of the second cache, which has to hold more meanwhile; and two
  // pages, with less than which rows that begin inside a line got slower.
  constexpr int64_t most = 1 << 18, leastApart = 1 << 13, line = 64;
  if (state.combiner || state.numLoops != 2 || canCollapseLoops(op) ||
      !llvm::is_contained(hints.uncached, &operand))
    return Value();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs,
                     int64_t rhs) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, number(rhs));
  };
  Value rows = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          math.value(state.extents[loop]));
  Value bytes = arith::MulIOp::create(builder, loc, rows, step);
  Value inLine = arith::AndIOp::create(builder, loc, bytes, number(line - 1));
  Value isGood = arith::OrIOp::create(
      builder, loc, compare(arith::CmpIPredicate::eq, inLine, 0),
      compare(arith::CmpIPredicate::uge, bytes, leastApart));
  for (Value other :
       {compare(arith::CmpIPredicate::ule, bytes, most), hints.isOutOfCache})
    isGood = arith::AndIOp::create(builder, loc, isGood, other);
  return arith::SelectOp::create(builder, loc, isGood, bytes, number(0));
}

Value RowPointers::stepOf(OpFoldResult stride, Type element, unsigned loop) {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  // Only this nest has the number then, and a register for it.
  Value isTraversed = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, math.value(state.beginOf(loop)),
      math.value(state.endOf(loop)));
  Value step = arith::SelectOp::create(
      builder, loc, isTraversed,
      math.value(math.mul(stride, math.constant(bytes))),
      math.value(math.constant(0)));
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), step);
}
