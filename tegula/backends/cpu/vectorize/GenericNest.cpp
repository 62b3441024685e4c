// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/GenericNest.h"

#include "tegula/backends/cpu/threads/ParallelWork.h"
#include "tegula/backends/cpu/vectorize/CollapseContiguous.h"
#include "tegula/backends/cpu/vectorize/LoopRanges.h"

using namespace mlir;
using namespace tegula;

void GenericNest::emit() {
  explainSingleElements();
  if (isFolded(state.op)) {
    elements.emit();
  } else {
    chunks.stageRows();
    emitNest();
  }
  state.op.erase();
}

void GenericNest::explainSingleElements() {
  if (state.width.lanes == 1 && state.numLoops != 0)
    state.op.emitRemark("goes element by element: ")
        << (isFolded(state.op) ? "what it adds up is not added up plainly"
                               : "an operand does not lie along the last axis "
                                 "without gaps");
}

void GenericNest::emitNest() {
  OpBuilder &builder = state.builder;
  if (Value there = staged.areThere()) {
    auto branch = scf::IfOp::create(builder, state.loc, there,
                                    /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  flatten();
  state.takeAll();
  if (!streaming.canStream())
    return chunks.emit([&] { emitRows(); });
  scf::IfOp branch =
      createSeldomElse(builder, state.loc, streaming.areStoresNear());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  chunks.emit([&] { emitRows(); });
  builder.setInsertionPointToStart(branch.elseBlock());
  emitStreamed();
}

void GenericNest::flatten() {
  if (state.width.lanes == 1 || !canCollapseLoops(state.op))
    return;
  OpFoldResult &rows = state.extents.end()[-2];
  OpFoldResult &columns = state.extents.end()[-1];
  RowLoops loops =
      flattenRows(state.builder, state.op, {rows, columns}, staged.areDirect());
  rows = loops.rows;
  columns = loops.columns;
}

void GenericNest::emitStreamed() {
  state.takeAll();
  state.width.hasHalves = false;
  staged.assumeDense();
  isStreamed = true;
  access.streamStores();
  emitRows();
}

void GenericNest::emitRows() {
  columns.emit([&] { emitOuter(0); });
}

void GenericNest::emitOuter(unsigned position) {
  if (position + 1 >= state.numLoops)
    return emitRow({});
  if (state.isReduction(position))
    return emitOuter(position + 1);
  if (position + 2 == state.numLoops)
    return pointers.emitLoop(position,
                             [&](ArrayRef<RowPointer> rows) { emitRow(rows); });
  state.loop(state.beginOf(position), state.endOf(position), 1, position,
             [&] { emitOuter(position + 1); });
}

void GenericNest::emitRow(ArrayRef<RowPointer> pointersOfRow) {
  access.beginRow(pointersOfRow);
  if (state.numLoops == 0)
    return emitChunk(Value());
  unsigned innermost = state.getInnermost();
  OpFoldResult from = state.beginOf(innermost), to = state.endOf(innermost);
  if (state.isReduction(innermost))
    rows.emit(from, to);
  else
    emitInner(from, to);
}

void GenericNest::emitInner(OpFoldResult from, OpFoldResult to) {
  auto emitRange = [&](OpFoldResult first, OpFoldResult last) {
    emitVectors(first, last);
  };
  bool isRow = staged.isRow(state.getTarget());
  if (isStreamed) {
    OpFoldResult middle =
        state.math.add(from, aligned.elementsToAlignment(from));
    tails.emit(from, middle, [&](Value mask) { emitChunk(mask); });
    emitVectors(middle, to);
  } else if (state.width.isLight && isRow) {
    state.inHalves([&] { aligned.emit(from, to, emitRange); });
  } else if (isRow && canCollapseLoops(state.op)) {
    aligned.emit(from, to, emitRange);
  } else {
    emitVectors(from, to);
  }
}

void GenericNest::emitVectors(OpFoldResult from, OpFoldResult to) {
  from = columns.emitStrips(from, to);
  int64_t lanes = state.width.lanes;
  OpFoldResult whole = wholeSteps(state.builder, state.loc, from, to, lanes);
  state.loop(from, whole, lanes, state.getInnermost(),
             [&] { emitChunk(Value()); });
  tails.emit(whole, to, [&](Value mask) { emitChunk(mask); });
}

void GenericNest::emitChunk(Value mask) {
  if (!state.combiner)
    return access.write(body.compute(mask), mask);
  Value before = access.read(state.getTarget(), mask);
  Value after = columns.hasFewRows() ? columns.combineFewRows(before, mask)
                                     : body.reduce(before, mask);
  access.write(after, mask);
}
