// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that order, sum up and move elements of memory: calls of routines on
// rows.

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

/// The rows of the tensors along `axis`, as KernelAbi.h says.
static Value describeRows(TileLowering &lowering, ArrayRef<View> tensors,
                          unsigned axis, Location loc) {
  OpBuilder &builder = lowering.builder;
  Indices numbers;
  unsigned rank = tensors.front().getRank();
  for (unsigned other = 0; other < rank; ++other) {
    if (other == axis)
      continue;
    OpFoldResult least;
    for (const View &tensor : tensors) {
      OpFoldResult size = tensor.sizes[other];
      least = least ? lowering.math(loc).min(least, size) : size;
    }
    numbers.push_back(least);
  }
  for (const View &from : tensors) {
    Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                             from.asPointer(builder, loc));
    numbers.push_back(arith::IndexCastOp::create(
                          builder, loc, builder.getIndexType(), address)
                          .getResult());
    numbers.push_back(from.sizes[axis]);
    for (unsigned other = 0; other < rank; ++other)
      if (other != axis)
        numbers.push_back(from.strides[other]);
    numbers.push_back(from.strides[axis]);
  }
  return lowering.scratch.storeNumbers(numbers, loc);
}

static void callOnRows(TileLowering &lowering, StringRef routine,
                       ArrayRef<View> tensors, unsigned axis,
                       const Indices &numbers, Location loc) {
  OpBuilder &builder = lowering.builder;
  ScratchScope scope(lowering.scratch);
  auto integer = [&](int64_t number, unsigned bits) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, bits);
  };
  OpFoldResult elements = builder.getIndexAttr(1);
  for (OpFoldResult size : tensors.front().sizes)
    elements = lowering.math(loc).mul(elements, size);
  SmallVector<Value> arguments = {describeRows(lowering, tensors, axis, loc),
                                  integer(tensors.front().getRank() - 1, 64)};
  Indices all = {elements};
  llvm::append_range(all, numbers);
  for (OpFoldResult number : all)
    arguments.push_back(builder.createOrFold<arith::IndexCastOp>(
        loc, builder.getI64Type(), lowering.math(loc).value(number)));
  arguments.push_back(integer(lowering.target.getVectorBits(), 64));
  arguments.push_back(lowering.calls.getState());
  arguments.push_back(integer(lowering.calls.siteOf(loc), 32));
  lowering.calls.call(routine, {}, arguments, loc);
}

static int64_t dtypeOf(Value tensor) {
  return static_cast<int64_t>(
      *pl::getDType(pl::getElementOrSelf(tensor.getType())));
}

/// The view with its axes that are there once as long as those of `other`.
static View repeatedTo(const View &view, Value tensor, const View &other,
                       OpBuilder &builder) {
  View repeated = view;
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(tensor.getType())))
    if (dim.isExactly(1)) {
      repeated.sizes[axis] = other.sizes[axis];
      repeated.strides[axis] = builder.getIndexAttr(0);
    }
  return repeated;
}

/// Gathers iterate over the target, scatters over the source.
static void lowerMove(TileLowering &lowering, Operation *op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op->getLoc();
  auto pick = dyn_cast<pl::PickOp>(op);
  auto put = dyn_cast<pl::PutOp>(op);
  Value direct = pick ? Value(pick.getTarget()) : Value(put.getSource());
  Value pointed = pick ? Value(pick.getSource()) : Value(put.getTarget());
  Value index = pick ? Value(pick.getIndex()) : Value(put.getIndex());
  uint64_t axis = pick ? pick.getAxis() : put.getAxis();
  View at =
      repeatedTo(lowering.view(index), index, lowering.view(direct), builder);
  View from = pick ? lowering.view(direct)
                   : repeatedTo(lowering.view(direct), direct,
                                lowering.view(index), builder);
  auto type = static_cast<DType>(dtypeOf(direct));
  bool adds = put && put.getAdd();
  callOnRows(lowering,
             pick   ? routine::tegulaPickRows
             : adds ? routine::tegulaAddRows
                    : routine::tegulaPutRows,
             {from, at, lowering.view(pointed)}, axis,
             {builder.getIndexAttr(adds ? dtypeOf(direct) : getSize(type)),
              builder.getIndexAttr(dtypeOf(index)), builder.getIndexAttr(axis)},
             pl::locationOfIndex(loc, static_cast<int64_t>(axis)));
}

/// The tensor that tells how many elements are looked at.
static Value longestOf(Operation &op) {
  auto put = dyn_cast<pl::PutOp>(op);
  auto isOnce = [](pl::Dim dim) { return dim.isExactly(1); };
  if (put && llvm::all_of(put.getSource().getType().getDims(), isOnce))
    return put.getIndex();
  auto pick = dyn_cast<pl::PickOp>(op);
  return pick ? Value(pick.getTarget()) : op.getOperand(0);
}

static void callRoutine(TileLowering &lowering, pl::ArgReduceOp op,
                        ArrayRef<View> tensors) {
  Builder &builder = lowering.builder;
  bool isMax = op.getReduction() == pl::Reduction::Max;
  callOnRows(lowering, routine::tegulaArgReduce, tensors, op.getAxis(),
             {builder.getIndexAttr(dtypeOf(op.getSource())),
              builder.getIndexAttr(isMax)},
             op.getLoc());
}

static void callRoutine(TileLowering &lowering, pl::SortRowsOp op,
                        ArrayRef<View> tensors) {
  Builder &builder = lowering.builder;
  callOnRows(lowering, routine::tegulaSortRows, tensors, op.getAxis(),
             {builder.getIndexAttr(dtypeOf(op.getSource())),
              builder.getIndexAttr(op.getDescending())},
             op.getLoc());
}

static void callRoutine(TileLowering &lowering, pl::SortRunsOp op,
                        ArrayRef<View> tensors) {
  callOnRows(lowering, routine::tegulaSortRuns, tensors,
             tensors.front().getRank() - 1,
             {lowering.builder.getIndexAttr(op.getRun())}, op.getLoc());
}

static void callRoutine(TileLowering &lowering, pl::RunningSumOp op,
                        ArrayRef<View> tensors) {
  callOnRows(lowering, routine::tegulaScanRows, tensors, op.getAxis(),
             {lowering.builder.getIndexAttr(dtypeOf(op.getSource()))},
             op.getLoc());
}

static void callRoutine(TileLowering &lowering, pl::MergeRunsOp op,
                        ArrayRef<View> tensors) {
  Location loc = op.getLoc();
  IndexMath math = lowering.math(loc);
  OpFoldResult run = math.constant(0);
  if (op.getLength()) {
    Value length = math.value(lowering.indices(op.getLength()).front());
    run = lowering.builder.createOrFold<arith::DivSIOp>(
        loc, length, math.value(math.constant(2)));
  }
  int64_t count = op.getSources().size();
  callOnRows(lowering, routine::tegulaMergeRuns, tensors,
             tensors.front().getRank() - 1, {math.constant(count), run}, loc);
}

static void callRoutine(TileLowering &lowering, pl::PickOp op, ArrayRef<View>) {
  lowerMove(lowering, op);
}

static void callRoutine(TileLowering &lowering, pl::PutOp op, ArrayRef<View>) {
  lowerMove(lowering, op);
}

/// One step: what the routine reads and writes is told before it is called.
template <typename Op> static void lowerRowOp(TileLowering &lowering, Op op) {
  UnitScope unit(lowering.steps, op.getLoc());
  SmallVector<View> tensors;
  for (Value tensor : op->getOperands()) {
    if (!isa<pl::TensorViewType>(tensor.getType()))
      continue;
    const View &memory = tensors.emplace_back(lowering.view(tensor));
    if (hasEffect<MemoryEffects::Write>(op, tensor))
      lowering.steps.write(memory);
    else
      lowering.steps.read(memory);
  }
  lowering.steps.loop(lowering.view(longestOf(*op)).sizes);
  callRoutine(lowering, op, tensors);
}

void tegula::addRowPatterns(TilePatterns &patterns) {
  patterns.add(lowerRowOp<pl::ArgReduceOp>);
  patterns.add(lowerRowOp<pl::SortRowsOp>);
  patterns.add(lowerRowOp<pl::SortRunsOp>);
  patterns.add(lowerRowOp<pl::MergeRunsOp>);
  patterns.add(lowerRowOp<pl::RunningSumOp>);
  patterns.add(lowerRowOp<pl::PickOp>);
  patterns.add(lowerRowOp<pl::PutOp>);
}
