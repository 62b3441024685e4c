// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/StepRecorder.h"

#include "tegula/backends/npu/ElementWork.h"
#include "tegula/support/TraceAbi.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace tegula;

void StepRecorder::open(OpBuilder &builder, Location where) {
  before = builder.saveInsertionPoint();
  code = std::make_unique<Region>();
  loc = where;
  builder.createBlock(code.get());
}

void StepRecorder::write(const View &view) {
  if (!written)
    written = view;
}

void StepRecorder::loop(ArrayRef<OpFoldResult> loops) {
  extents.assign(loops.begin(), loops.end());
}

int64_t StepRecorder::toTraceSpace(pl::MemorySpace space) const {
  if (space == pl::MemorySpace::Accumulator)
    return TegulaTraceAccumulator;
  bool isApart = machine.vectorScratchpadBytesPerCore != 0;
  return isApart && space == pl::MemorySpace::Scratchpad
             ? TegulaTraceVectorScratchpad
             : TegulaTraceScratchpad;
}

static int64_t bytesOf(const View &view) {
  return view.element.getIntOrFloatBitWidth() / 8;
}

/// From the first to the last element of a view.
static OpFoldResult spanOf(IndexMath math, const View &view) {
  OpFoldResult span = math.constant(1);
  for (auto [size, stride] : llvm::zip(view.sizes, view.strides))
    span = math.add(span, math.mul(math.sub(size, math.constant(1)), stride));
  return math.mul(math.max(span, math.constant(0)),
                  math.constant(bytesOf(view)));
}

StepRecorder::Ranges StepRecorder::makeRanges(OpBuilder &builder) const {
  Ranges ranges;
  IndexMath math(builder, *loc);
  auto add = [&](const View &view) {
    if (!view.place)
      return;
    OpFoldResult begin = math.add(
        view.place->bytes, math.mul(view.offset, math.constant(bytesOf(view))));
    ranges.numbers.push_back(math.value(begin));
    ranges.numbers.push_back(math.value(spanOf(math, view)));
    ranges.spaces.push_back(toTraceSpace(view.place->space));
  };
  for (const View &view : reads)
    add(view);
  ranges.numReads = ranges.spaces.size();
  if (written)
    add(*written);
  return ranges;
}

template <typename Transfer>
Operation *StepRecorder::makeTransfer(OpBuilder &builder, const View &memory) {
  IndexMath math(builder, *loc);
  SmallVector<Value> sizes, strides;
  for (OpFoldResult size : memory.sizes)
    sizes.push_back(math.value(size));
  for (OpFoldResult stride : memory.strides)
    strides.push_back(math.value(stride));
  Value address = memory.asPointer(builder, *loc);
  Ranges ranges = makeRanges(builder);
  return Transfer::create(builder, *loc, address, sizes, strides,
                          bytesOf(memory), ranges.numbers, ranges.spaces,
                          ranges.numReads);
}

/// The last loop is the columns, the others are rows.
static std::pair<Value, Value> toRowsAndColumns(OpBuilder &builder,
                                                Location loc,
                                                ArrayRef<OpFoldResult> loops) {
  IndexMath math(builder, loc);
  OpFoldResult rows = math.constant(1), columns = math.constant(1);
  if (!loops.empty())
    columns = loops.back();
  for (OpFoldResult extent : loops.drop_back(loops.empty() ? 0 : 1))
    rows = math.mul(rows, extent);
  return {math.value(rows), math.value(columns)};
}

Operation *StepRecorder::makeVector(OpBuilder &builder) {
  auto [rows, columns] = toRowsAndColumns(builder, *loc, extents);
  Ranges ranges = makeRanges(builder);
  ElementWork work = countWork(*code);
  bool isSum = reads.size() == 1 && reads[0].place &&
               reads[0].place->space == pl::MemorySpace::Accumulator;
  if (isSum && work.isCopy)
    return npu::ReadOutOp::create(builder, *loc, rows, columns, ranges.numbers,
                                  ranges.spaces, ranges.numReads);
  return npu::VectorOp::create(builder, *loc, rows, columns, work.name,
                               work.ops, work.specials, /*rowCycles=*/0,
                               /*fillCycles=*/0, /*turnElements=*/0,
                               /*turnCycles=*/0, ranges.numbers, ranges.spaces,
                               ranges.numReads);
}

Operation *StepRecorder::makeStep(OpBuilder &builder) {
  if (isHidden)
    return npu::HostOp::create(builder, *loc);
  if (product) {
    IndexMath math(builder, *loc);
    Value rows = math.value(product->rows);
    Value columns = math.value(product->columns);
    Value inner = math.value(product->inner);
    Ranges ranges = makeRanges(builder);
    return npu::MultiplyOp::create(builder, *loc, rows, columns, inner,
                                   product->accumulates, ranges.numbers,
                                   ranges.spaces, ranges.numReads);
  }
  if (written && !written->place)
    return makeTransfer<npu::StoreOp>(builder, *written);
  for (const View &view : reads)
    if (!view.place)
      return makeTransfer<npu::LoadOp>(builder, view);
  return makeVector(builder);
}

void StepRecorder::close(OpBuilder &builder) {
  builder.restoreInsertionPoint(before);
  Operation *step = makeStep(builder);
  step->getRegion(0).takeBody(*code);
  code.reset();
  reads.clear();
  written.reset();
  extents.clear();
  product.reset();
  isHidden = false;
}

void StepRecorder::fetch(OpBuilder &builder, Location where,
                         const View &element) {
  if (element.place)
    return;
  npu::FetchOp::create(builder, where, element.asPointer(builder, where),
                       bytesOf(element));
}

Value StepRecorder::takeTurn(OpBuilder &builder, Location where, unsigned ring,
                             int64_t copies) {
  return npu::TurnOp::create(builder, where, builder.getIndexType(), ring,
                             copies);
}
