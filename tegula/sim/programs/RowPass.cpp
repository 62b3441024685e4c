// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/programs/RowPass.h"

#include "tegula/sim/cost/ArrayCycles.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

RowPass::RowPass(const RowPassShape &shape)
    : Program(shape.formula.name), shape(shape) {
  ScratchpadLayout layout;
  int64_t e = shape.elementBytes;
  int64_t outputColumns = shape.writes ? shape.columns : 1;
  for (int64_t slot = 0; slot < shape.depth; ++slot) {
    inputs.push_back(layout.take(shape.tileRows * shape.columns * e));
    outputs.push_back(layout.take(shape.tileRows * outputColumns * e));
  }
  outputBase = ceilDiv(shape.rows * shape.columns * e, 1 << 20) << 20;
  inputTensor = addTensor("input");
  outputTensor = addTensor("output");
  addFormula(shape.formula);
}

int64_t RowPass::countItems() const {
  return ceilDiv(shape.rows, shape.tileRows);
}

bool RowPass::next(int64_t item, TegulaTraceCursor &cursor,
                   TegulaTraceOp &op) const {
  int64_t slot = cursor.kept[0] % shape.depth;
  int64_t row = item * shape.tileRows;
  int64_t rows = std::min(shape.tileRows, shape.rows - row);
  int64_t e = shape.elementBytes;
  int64_t outputColumns = shape.writes ? shape.columns : 1;
  op.tile[0] = int32_t(item);
  op.rows = int32_t(rows);
  op.planes = 1;
  switch (cursor.position[0]++) {
  case 0:
    op.kind = TegulaTraceLoad;
    op.tensor = inputTensor;
    op.base = row * shape.columns * e;
    op.pitch = op.rowBytes = int32_t(shape.columns * e);
    addWrite(op, inputs[slot], rows * shape.columns * e);
    return true;
  case 1:
    op.kind = TegulaTraceVector;
    op.columns = int32_t(shape.columns);
    addRead(op, inputs[slot], rows * shape.columns * e, /*isLast=*/true);
    addWrite(op, outputs[slot], rows * outputColumns * e);
    return true;
  case 2:
    op.kind = TegulaTraceStore;
    op.tensor = outputTensor;
    op.base = outputBase + row * outputColumns * e;
    op.rows = 1;
    op.pitch = op.rowBytes = int32_t(rows * outputColumns * e);
    addRead(op, outputs[slot], rows * outputColumns * e, /*isLast=*/true);
    ++cursor.kept[0];
    return true;
  default:
    return false;
  }
}
