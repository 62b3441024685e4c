// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/programs/Gemm.h"

#include "tegula/sim/cost/ArrayCycles.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

/// Accumulators have four bytes however small the output's elements are.
static int64_t getAccBytes(const GemmShape &shape) {
  return std::max<int64_t>(4, shape.outputBytes);
}

/// A step is staged when this is written; what goes through it is not held.
static constexpr int64_t stagingBytes = 64;

int64_t sim::getGemmScratchpadBytes(const GemmShape &shape,
                                    const GemmTile &tile) {
  int64_t operands =
      shape.leftRows * tile.m * tile.k + shape.taps * tile.k * tile.n;
  return tile.depth * operands * shape.elementBytes +
         tile.outputs * tile.m * tile.n * getAccBytes(shape) + stagingBytes;
}

/// Tensors start at whole megabytes.
static int64_t align(int64_t bytes) {
  return ceilDiv(bytes, int64_t(1) << 20) << 20;
}

Gemm::Gemm(const GemmShape &shape, const GemmTile &tile,
           const GemmVectorWork &work, TegulaTraceSpace sums)
    : Program("gemm"), shape(shape), tile(tile), work(work) {
  ScratchpadLayout layout;
  int64_t e = shape.elementBytes;
  for (int64_t slot = 0; slot < tile.depth; ++slot) {
    left.push_back(layout.take(shape.leftRows * tile.m * tile.k * e));
    right.push_back(layout.take(shape.taps * tile.k * tile.n * e));
  }
  for (int64_t slot = 0; slot < tile.outputs; ++slot)
    output.push_back(layout.take(tile.m * tile.n * getAccBytes(shape), sums));
  if (work.isStaged)
    staging = layout.take(stagingBytes);
  rightBase = align(shape.batch * shape.leftRows * shape.m * shape.k * e);
  outputBase =
      rightBase + align(shape.batch * shape.taps * shape.k * shape.n * e);
  leftTensor = addTensor("left");
  rightTensor = addTensor("right");
  outputTensor = addTensor("output");
  if (work.onLeft)
    leftFormula = addFormula(*work.onLeft);
  if (work.onOperands)
    operandFormula = addFormula(*work.onOperands);
  if (work.onOutput)
    outputFormula = addFormula(*work.onOutput);
}

int64_t Gemm::countItems() const {
  return shape.batch * ceilDiv(shape.m, tile.m) * ceilDiv(shape.n, tile.n);
}

Gemm::OutputTile Gemm::getOutputTile(int64_t item) const {
  int64_t columns = ceilDiv(shape.n, tile.n), rows = ceilDiv(shape.m, tile.m);
  OutputTile at;
  at.column = item % columns * tile.n;
  at.row = item / columns % rows * tile.m;
  at.batch = item / columns / rows;
  at.rows = std::min(tile.m, shape.m - at.row);
  at.columns = std::min(tile.n, shape.n - at.column);
  return at;
}

void Gemm::makeLoadLeft(const OutputTile &at, int64_t k, int64_t slot,
                        TegulaTraceOp &op) const {
  int64_t e = shape.elementBytes, depth = std::min(tile.k, shape.k - k);
  op.kind = TegulaTraceLoad;
  op.tensor = leftTensor;
  int64_t rows = shape.leftRows * at.rows;
  int64_t row = shape.leftRows * (at.batch * shape.m + at.row);
  op.base = (row * shape.k + k) * e;
  op.pitch = shape.k * e;
  op.rows = int32_t(rows);
  op.rowBytes = int32_t(depth * e);
  op.planes = 1;
  addWrite(op, left[slot], rows * depth * e);
}

void Gemm::makeLoadRight(const OutputTile &at, int64_t k, int64_t slot,
                         TegulaTraceOp &op) const {
  int64_t e = shape.elementBytes, depth = std::min(tile.k, shape.k - k);
  op.kind = TegulaTraceLoad;
  op.tensor = rightTensor;
  op.base = rightBase +
            ((at.batch * shape.taps * shape.k + k) * shape.n + at.column) * e;
  op.pitch = shape.n * e;
  op.rows = int32_t(depth);
  op.rowBytes = int32_t(at.columns * e);
  op.planes = int32_t(shape.taps);
  op.planePitch = shape.k * shape.n * e;
  addWrite(op, right[slot], shape.taps * depth * at.columns * e);
}

void Gemm::makeMatmul(const OutputTile &at, int64_t k, int64_t slot,
                      int64_t out, TegulaTraceOp &op) const {
  int64_t e = shape.elementBytes, depth = std::min(tile.k, shape.k - k);
  op.kind = TegulaTraceMultiply;
  op.flags = k > 0 ? TegulaTraceAccumulate : 0;
  op.rows = int32_t(at.rows);
  op.columns = int32_t(at.columns);
  op.depth = int32_t(shape.taps * depth);
  addRead(op, left[slot], shape.leftRows * at.rows * depth * e,
          /*isLast=*/true);
  addRead(op, right[slot], shape.taps * depth * at.columns * e,
          /*isLast=*/true);
  addWrite(op, output[out], at.rows * at.columns * getAccBytes(shape));
  if (work.isStaged)
    addRead(op, staging, stagingBytes, /*isLast=*/true);
}

void Gemm::makeStore(const OutputTile &at, int64_t out,
                     TegulaTraceOp &op) const {
  int64_t e = shape.outputBytes;
  op.kind = TegulaTraceStore;
  op.tensor = outputTensor;
  op.base =
      outputBase + ((at.batch * shape.m + at.row) * shape.n + at.column) * e;
  op.pitch = shape.n * e;
  op.rows = int32_t(at.rows);
  op.rowBytes = int32_t(at.columns * e);
  op.planes = 1;
  addRead(op, output[out], at.rows * at.columns * getAccBytes(shape),
          /*isLast=*/true);
}

void Gemm::makeVector(const TegulaTraceRange &range, int64_t rows,
                      int64_t columns, int64_t bytes, int32_t formula,
                      TegulaTraceOp &op) const {
  op.kind = TegulaTraceVector;
  op.formula = formula;
  op.rows = int32_t(rows);
  op.columns = int32_t(columns);
  addRead(op, range, rows * columns * bytes, /*isLast=*/false);
  addWrite(op, range, rows * columns * bytes);
}

void Gemm::stage(TegulaTraceOp &op) const {
  if (work.isStaged)
    addWrite(op, staging, stagingBytes);
}

namespace {

/// A step loads, works on and multiplies operands; the last one is the output.
enum Step : int64_t { Left, Right, OnLeft, OnRight, Matmul, OnOutput, Store };

} // namespace

int32_t Gemm::getLeftFormula() const {
  return leftFormula >= 0 ? leftFormula : operandFormula;
}

void Gemm::skipIdleSteps(int64_t &state) const {
  if (state == OnLeft && getLeftFormula() < 0)
    ++state;
  if (state == OnRight && operandFormula < 0)
    ++state;
  if (state == OnOutput && outputFormula < 0)
    ++state;
}

bool Gemm::next(int64_t item, TegulaTraceCursor &cursor,
                TegulaTraceOp &op) const {
  int64_t &state = cursor.position[0], &k = cursor.position[1];
  int64_t &step = cursor.kept[0], &tiles = cursor.kept[1];
  int64_t slot = step % tile.depth, out = tiles % tile.outputs;
  int64_t depth = std::min(tile.k, shape.k - k);
  OutputTile at = getOutputTile(item);
  op.tile[0] = int32_t(at.row / tile.m);
  op.tile[1] = int32_t(at.column / tile.n);
  op.tile[2] = int32_t(k / tile.k);
  skipIdleSteps(state);
  switch (state++) {
  case Left:
    makeLoadLeft(at, k, slot, op);
    return true;
  case Right:
    makeLoadRight(at, k, slot, op);
    return true;
  case OnLeft:
    makeVector(left[slot], at.rows, depth, shape.elementBytes, getLeftFormula(),
               op);
    stage(op);
    return true;
  case OnRight:
    makeVector(right[slot], shape.taps * depth, at.columns, shape.elementBytes,
               operandFormula, op);
    stage(op);
    return true;
  case Matmul:
    makeMatmul(at, k, slot, out, op);
    ++step;
    k += tile.k;
    if (k < shape.k)
      state = Left;
    return true;
  case OnOutput:
    makeVector(output[out], at.rows, at.columns, getAccBytes(shape),
               outputFormula, op);
    return true;
  case Store:
    makeStore(at, out, op);
    ++tiles;
    return true;
  default:
    return false;
  }
}
