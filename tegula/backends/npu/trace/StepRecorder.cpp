// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/StepRecorder.h"

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

void StepRecorder::loop(ArrayRef<OpFoldResult> extents) {
  loops.emplace_back(extents.begin(), extents.end());
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
    if (!view.slot)
      return;
    OpFoldResult begin = math.add(
        view.slot->bytes, math.mul(view.offset, math.constant(bytesOf(view))));
    ranges.numbers.push_back(math.value(begin));
    ranges.numbers.push_back(math.value(spanOf(math, view)));
    ranges.spaces.push_back(toTraceSpace(view.slot->space));
  };
  for (const View &view : reads)
    add(view);
  ranges.numReads = ranges.spaces.size();
  if (!writes.empty())
    add(writes.front());
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

/// A step that this processor has nothing to do for.
static void makeEmpty(OpBuilder &builder, Operation *step) {
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&step->getRegion(0));
}

Operation *StepRecorder::makeLanes(OpBuilder &builder, Value rows,
                                   Value columns, const ElementWork &work,
                                   const Ranges &ranges) const {
  // What is left of a row in the lanes is combined in a tree; rows follow each
  // other in it.
  int64_t fill = work.combinesRows
                     ? llvm::Log2_64_Ceil(machine.vectorElementsPerCycle)
                     : 0;
  return npu::VectorOp::create(builder, *loc, rows, columns, work.name,
                               work.ops, work.specials, /*rowCycles=*/0, fill,
                               /*iterationElements=*/0, /*iterationCycles=*/0,
                               ranges.numbers, ranges.spaces, ranges.numReads);
}

ElementWork StepRecorder::splitLoops(OpBuilder &builder) {
  std::vector<ElementWork> all = listWork(*code), last;
  // Code that was timed has them in it.
  if (all.size() != loops.size() || !machine.vectorCore.empty())
    return addWork(all);
  for (auto [extents, work] : llvm::zip(loops, all)) {
    if (extents == loops.back()) {
      last.push_back(work);
      continue;
    }
    auto [rows, columns] = toRowsAndColumns(builder, *loc, extents);
    makeEmpty(builder, makeLanes(builder, rows, columns, addWork(work), {}));
  }
  return addWork(last);
}

Operation *StepRecorder::makeRoutine(OpBuilder &builder) {
  for (const View &view : reads)
    makeEmpty(builder, makeTransfer<npu::LoadOp>(builder, view));
  npu::AwaitOp::create(builder, *loc);
  Operation *routine = makeVector(builder);
  npu::AwaitOp::create(builder, *loc);
  for (const View &view : writes)
    makeEmpty(builder, makeTransfer<npu::StoreOp>(builder, view));
  return routine;
}

Operation *StepRecorder::makeForArrays(OpBuilder &builder, Value rows,
                                       Value columns, const Ranges &ranges) {
  auto isOfArrays = [](int64_t space) {
    return space != TegulaTraceVectorScratchpad;
  };
  ArrayRef<int64_t> spaces = ranges.spaces;
  if (spaces.empty() || llvm::none_of(spaces, isOfArrays))
    return nullptr;
  if (llvm::all_of(spaces, isOfArrays))
    return npu::ReadOutOp::create(builder, *loc, rows, columns, ranges.numbers,
                                  ranges.spaces, ranges.numReads);
  assert(ranges.numReads == 1 && spaces.size() == 2 &&
         "only moves go from one side to the other");
  IndexMath math(builder, *loc);
  Value bytes = math.value(math.mul(math.mul(rows, columns),
                                    math.constant(bytesOf(writes.front()))));
  return npu::HandoverOp::create(builder, *loc, bytes, ranges.numbers,
                                 ranges.spaces, ranges.numReads);
}

ArrayRef<OpFoldResult> StepRecorder::getExtents() const {
  return loops.empty() ? ArrayRef<OpFoldResult>() : loops.back();
}

Operation *StepRecorder::makeVector(OpBuilder &builder) {
  ElementWork work = splitLoops(builder);
  auto [rows, columns] = toRowsAndColumns(builder, *loc, getExtents());
  Ranges ranges = makeRanges(builder);
  if (machine.vectorUnitsAreCores)
    if (Operation *step = makeForArrays(builder, rows, columns, ranges))
      return step;
  bool isSum = reads.size() == 1 && reads[0].slot &&
               reads[0].slot->space == pl::MemorySpace::Accumulator;
  if (isSum && work.isCopy)
    return npu::ReadOutOp::create(builder, *loc, rows, columns, ranges.numbers,
                                  ranges.spaces, ranges.numReads);
  return makeLanes(builder, rows, columns, work, ranges);
}

bool StepRecorder::loadWeights(OpBuilder &builder, ArrayRef<Value> extents,
                               const Ranges &ranges) {
  bool canWait = machine.arraysPerCore > 0 && machine.weightSlotsPerArray > 1 &&
                 machine.arrayDataflow == sim::Dataflow::WeightStationary;
  if (!canWait || ranges.numReads != 2)
    return false;
  // The rhs is the second range.
  makeEmpty(builder, npu::WeightsOp::create(
                         builder, *loc, extents[0], extents[1], extents[2],
                         ArrayRef(ranges.numbers).slice(2, 2),
                         ArrayRef(ranges.spaces).slice(1, 1), /*numReads=*/1));
  return true;
}

Operation *StepRecorder::makeStep(OpBuilder &builder) {
  if (isHidden)
    return npu::HostOp::create(builder, *loc);
  if (matmul) {
    IndexMath math(builder, *loc);
    Value rows = math.value(matmul->rows);
    Value columns = math.value(matmul->columns);
    Value inner = math.value(matmul->inner);
    Ranges ranges = makeRanges(builder);
    bool loadsFirst = loadWeights(builder, {rows, columns, inner}, ranges);
    return npu::MultiplyOp::create(
        builder, *loc, rows, columns, inner, matmul->accumulates, loadsFirst,
        ranges.numbers, ranges.spaces, ranges.numReads);
  }
  auto isInMemory = [](const View &view) { return !view.slot; };
  bool isRoutine = !reads.empty() && llvm::all_of(reads, isInMemory) &&
                   !writes.empty() && llvm::all_of(writes, isInMemory);
  if (isRoutine)
    return makeRoutine(builder);
  if (!writes.empty() && isInMemory(writes.front()))
    return makeTransfer<npu::StoreOp>(builder, writes.front());
  for (const View &view : reads)
    if (!view.slot)
      return makeTransfer<npu::LoadOp>(builder, view);
  return makeVector(builder);
}

void StepRecorder::close(OpBuilder &builder) {
  builder.restoreInsertionPoint(before);
  Operation *step = makeStep(builder);
  step->getRegion(0).takeBody(*code);
  code.reset();
  reads.clear();
  writes.clear();
  loops.clear();
  matmul.reset();
  isHidden = false;
}

void StepRecorder::loadElement(OpBuilder &builder, Location where,
                               const View &element) {
  if (element.slot)
    return;
  npu::LoadElementOp::create(builder, where, element.asPointer(builder, where),
                             bytesOf(element));
  npu::AwaitOp::create(builder, where);
}

Value StepRecorder::takeRingSlot(OpBuilder &builder, Location where,
                                 unsigned ring, int64_t copies) {
  return npu::RingSlotOp::create(builder, where, builder.getIndexType(), ring,
                                 copies);
}
