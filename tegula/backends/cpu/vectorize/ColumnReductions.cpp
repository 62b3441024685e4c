// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/ColumnReductions.h"

#include "tegula/backends/cpu/vectorize/CacheHints.h"
#include "tegula/backends/cpu/vectorize/ElementAccess.h"
#include "tegula/backends/cpu/vectorize/LoopRanges.h"
#include "tegula/backends/cpu/vectorize/NestBody.h"
#include "tegula/backends/cpu/vectorize/NestOperands.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tegula;

bool ColumnReductions::isWrittenOut() const {
  return isQuick(op, /*mostInstructions=*/8);
}

void ColumnReductions::emit(function_ref<void()> emitRows) {
  constexpr int64_t few = 4;
  if (!combinesRows())
    return emitRows();
  OpFoldResult zero = math.constant(0), rows = state.extents[0];
  if (IndexMath::number(rows).value_or(few + 1) <= few)
    return emitRows();
  // What is left of long rows, or all of short ones.
  OpFoldResult rest =
      rowsTakenFew(builder, loc, rows, state.extents[1], lanes, few);
  if (isWrittenOut()) {
    emitFewRows(rest, few, emitRows);
  } else {
    state.loop(zero, rest, few, 0, [&] {
      OpFoldResult first = state.indices[0];
      state.ranges[0] = {first, math.add(first, math.constant(few))};
      emitRows();
    });
  }
  emitRest(rest, rows, emitRows);
  state.ranges[0] = {zero, rows};
}

void ColumnReductions::emitRest(OpFoldResult from, OpFoldResult to,
                                function_ref<void()> emitRows) {
  if (from == to)
    return;
  state.ranges[0] = {from, to};
  Value isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       math.value(from), math.value(to));
  auto branch =
      scf::IfOp::create(builder, loc, isLeft, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitRows();
}

void ColumnReductions::emitFewRows(OpFoldResult to, int64_t count,
                                   function_ref<void()> emitRows) {
  rowsPerIteration = count;
  auto emitIterations = [&] {
    state.loop(math.constant(0), to, count, 0, emitRows);
  };
  if (hints.isOutOfCache) {
    auto branch = scf::IfOp::create(builder, loc, hints.isOutOfCache,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    prefetchesNextRows = true;
    emitIterations();
    prefetchesNextRows = false;
    builder.setInsertionPointToStart(branch.elseBlock());
    emitIterations();
  } else {
    emitIterations();
  }
  rowsPerIteration = 0;
}

OpFoldResult ColumnReductions::emitStrips(OpFoldResult from, OpFoldResult to) {
  constexpr int64_t count = 4;
  if (!combinesRows() || hasFewRows() || !isWrittenOut())
    return from;
  std::optional<int64_t> known = IndexMath::number(math.sub(to, from));
  if (known && *known < count * lanes)
    return from;
  OpFoldResult end = wholeSteps(builder, loc, from, to, count * lanes);
  state.loop(from, end, count * lanes, 1, [&] { emitStrip(count); });
  return end;
}

void ColumnReductions::emitStrip(int64_t count) {
  OpFoldResult first = state.indices[1];
  SmallVector<Value> before;
  auto forEach = [&](function_ref<void(int64_t)> emit) {
    for (int64_t block = 0; block < count; ++block) {
      state.indices[1] =
          math.value(math.add(first, math.constant(block * lanes)));
      emit(block);
    }
  };
  forEach([&](int64_t) {
    before.push_back(access.read(state.getTarget(), Value()));
  });
  auto rows = state.loop(
      state.beginOf(0), state.endOf(0), 1, 0, before, [&](ValueRange carried) {
        SmallVector<Value> next;
        forEach([&](int64_t block) {
          next.push_back(body.combine(carried[block], Value()));
        });
        return next;
      });
  forEach([&](int64_t block) { access.write(rows.getResult(block), Value()); });
}

Value ColumnReductions::combineFewRows(Value before, Value mask) {
  if (prefetchesNextRows)
    prefetchNextRows();
  Value first = state.indices[0];
  for (int64_t row = 0; row < rowsPerIteration; ++row) {
    state.indices[0] = math.value(math.add(first, math.constant(row)));
    before = body.combine(before, mask);
  }
  state.indices[0] = first;
  return before;
}

void ColumnReductions::prefetchNextRows() {
  // The nearest cache has enough to do with the rows of this iteration.
  constexpr unsigned secondCache = 2;
  Value first = state.indices[0];
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (isUnused(op, *operand) || !isStepped(op, *operand) ||
        !isReadAcross(op, *operand))
      continue;
    for (int64_t row = 0; row < rowsPerIteration; ++row) {
      state.indices[0] =
          math.value(math.add(first, math.constant(rowsPerIteration + row)));
      memref::PrefetchOp::create(builder, loc, operand->get(),
                                 state.indicesOf(*operand), /*isWrite=*/false,
                                 secondCache, /*isDataCache=*/true);
    }
  }
  state.indices[0] = first;
}
