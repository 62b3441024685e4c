// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that order, sum up and move elements of memory: calls of routines on
// rows.

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/ops/IndexLocations.h"
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

/// The rows of the tensors along `axis`, as KernelAbi.h says.
Value TileLowering::describeRows(ArrayRef<View> tensors, unsigned axis,
                                 Location loc) {
  Indices numbers;
  unsigned rank = tensors.front().getRank();
  for (unsigned other = 0; other < rank; ++other) {
    if (other == axis)
      continue;
    OpFoldResult least;
    for (const View &tensor : tensors) {
      OpFoldResult size = tensor.sizes[other];
      least = least ? math(loc).min(least, size) : size;
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
  return storeNumbers(numbers, loc);
}

void TileLowering::callOnRows(StringRef routine, ArrayRef<View> tensors,
                              unsigned axis, const Indices &numbers,
                              Location loc) {
  ScratchScope scope(currentFrame());
  auto integer = [&](int64_t number, unsigned bits) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, bits);
  };
  OpFoldResult elements = builder.getIndexAttr(1);
  for (OpFoldResult size : tensors.front().sizes)
    elements = math(loc).mul(elements, size);
  SmallVector<Value> arguments = {describeRows(tensors, axis, loc),
                                  integer(tensors.front().getRank() - 1, 64)};
  Indices all = {elements};
  llvm::append_range(all, numbers);
  for (OpFoldResult number : all)
    arguments.push_back(builder.createOrFold<arith::IndexCastOp>(
        loc, builder.getI64Type(), math(loc).value(number)));
  arguments.push_back(integer(options.vectorBits, 64));
  arguments.push_back(state);
  arguments.push_back(integer(siteOf(loc), 32));
  callRuntime(routine, {}, arguments, loc);
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

/// Picks walk through the target, puts through the source.
void TileLowering::lowerMove(Operation &op) {
  Location loc = op.getLoc();
  auto pick = dyn_cast<pl::PickOp>(op);
  auto put = dyn_cast<pl::PutOp>(op);
  Value direct = pick ? Value(pick.getTarget()) : Value(put.getSource());
  Value pointed = pick ? Value(pick.getSource()) : Value(put.getTarget());
  Value index = pick ? Value(pick.getIndex()) : Value(put.getIndex());
  uint64_t axis = pick ? pick.getAxis() : put.getAxis();
  View at = repeatedTo(view(index), index, view(direct), builder);
  View from = pick ? view(direct)
                   : repeatedTo(view(direct), direct, view(index), builder);
  auto type = static_cast<DType>(dtypeOf(direct));
  bool adds = put && put.getAdd();
  callOnRows(pick   ? "tegulaPickRows"
             : adds ? "tegulaAddRows"
                    : "tegulaPutRows",
             {from, at, view(pointed)}, axis,
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

bool TileLowering::lowerSortOp(Operation &op) {
  if (!isa<pl::ArgReduceOp, pl::SortRowsOp, pl::SortRunsOp, pl::MergeRunsOp,
           pl::RunningSumOp, pl::PickOp, pl::PutOp>(op))
    return false;
  Location loc = op.getLoc();
  UnitScope unit(*this, loc);
  for (Value tensor : op.getOperands())
    if (isa<pl::TensorViewType>(tensor.getType()))
      hasEffect<MemoryEffects::Write>(&op, tensor) ? noteWrite(view(tensor))
                                                   : noteRead(view(tensor));
  noteLoop(view(longestOf(op)).sizes);
  auto number = [&](int64_t value) -> OpFoldResult {
    return builder.getIndexAttr(value);
  };
  SmallVector<View> tensors;
  for (Value tensor : op.getOperands())
    if (isa<pl::TensorViewType>(tensor.getType()))
      tensors.push_back(view(tensor));
  unsigned last = tensors.front().getRank() - 1;
  if (auto reduce = dyn_cast<pl::ArgReduceOp>(op)) {
    callOnRows("tegulaArgReduce", tensors, reduce.getAxis(),
               {number(dtypeOf(reduce.getSource())),
                number(reduce.getReduction() == pl::Reduction::Max)},
               loc);
  } else if (auto sort = dyn_cast<pl::SortRowsOp>(op)) {
    callOnRows(
        "tegulaSortRows", tensors, sort.getAxis(),
        {number(dtypeOf(sort.getSource())), number(sort.getDescending())}, loc);
  } else if (auto runs = dyn_cast<pl::SortRunsOp>(op)) {
    callOnRows("tegulaSortRuns", tensors, last, {number(runs.getRun())}, loc);
  } else if (auto scan = dyn_cast<pl::RunningSumOp>(op)) {
    callOnRows("tegulaScanRows", tensors, scan.getAxis(),
               {number(dtypeOf(scan.getSource()))}, loc);
  } else if (auto merge = dyn_cast<pl::MergeRunsOp>(op)) {
    OpFoldResult run = number(0);
    if (merge.getLength())
      run = builder.createOrFold<arith::DivSIOp>(
          loc, math(loc).value(indices(merge.getLength()).front()),
          math(loc).value(number(2)));
    callOnRows("tegulaMergeRuns", tensors, last,
               {number(merge.getSources().size()), run}, loc);
  } else {
    lowerMove(op);
  }
  return true;
}
