// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that order elements: calls of routines on rows.

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/PlSortOps.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

/// The rows of the tensors along `axis`, as KernelAbi.h says.
Value TileLowering::describeRows(ValueRange tensors, unsigned axis,
                                 Location loc) {
  Indices numbers;
  unsigned rank = view(tensors.front()).getRank();
  for (unsigned other = 0; other < rank; ++other) {
    if (other == axis)
      continue;
    OpFoldResult least;
    for (Value tensor : tensors) {
      OpFoldResult size = view(tensor).sizes[other];
      least = least ? math(loc).min(least, size) : size;
    }
    numbers.push_back(least);
  }
  for (Value tensor : tensors) {
    const View from = view(tensor);
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

void TileLowering::callOnRows(StringRef routine, ValueRange tensors,
                              unsigned axis, const Indices &numbers,
                              Location loc) {
  ScratchScope scope(currentFrame());
  auto integer = [&](int64_t number, unsigned bits) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, bits);
  };
  SmallVector<Value> arguments = {
      describeRows(tensors, axis, loc),
      integer(view(tensors.front()).getRank() - 1, 64)};
  for (OpFoldResult number : numbers)
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

bool TileLowering::lowerSortOp(Operation &op) {
  if (!isa<pl::ArgReduceOp, pl::SortRowsOp, pl::SortRunsOp, pl::MergeRunsOp>(
          op))
    return false;
  Location loc = op.getLoc();
  UnitScope unit(*this, loc);
  for (Value tensor : op.getOperands())
    if (isa<pl::TensorViewType>(tensor.getType()))
      hasEffect<MemoryEffects::Write>(&op, tensor) ? noteWrite(view(tensor))
                                                   : noteRead(view(tensor));
  noteLoop(view(op.getOperand(0)).sizes);
  auto number = [&](int64_t value) -> OpFoldResult {
    return builder.getIndexAttr(value);
  };
  if (auto reduce = dyn_cast<pl::ArgReduceOp>(op)) {
    callOnRows("tegulaArgReduce", op.getOperands(), reduce.getAxis(),
               {number(dtypeOf(reduce.getSource())),
                number(reduce.getReduction() == pl::Reduction::Max)},
               loc);
  } else if (auto sort = dyn_cast<pl::SortRowsOp>(op)) {
    callOnRows(
        "tegulaSortRows", op.getOperands(), sort.getAxis(),
        {number(dtypeOf(sort.getSource())), number(sort.getDescending())}, loc);
  } else if (auto runs = dyn_cast<pl::SortRunsOp>(op)) {
    unsigned axis = runs.getSource().getType().getRank() - 1;
    callOnRows("tegulaSortRuns", op.getOperands(), axis,
               {number(runs.getRun())}, loc);
  } else {
    auto merge = cast<pl::MergeRunsOp>(op);
    SmallVector<Value> tensors(merge.getSources());
    tensors.push_back(merge.getTarget());
    OpFoldResult run = number(0);
    if (merge.getLength())
      run = builder.createOrFold<arith::DivSIOp>(
          loc, math(loc).value(indices(merge.getLength()).front()),
          math(loc).value(number(2)));
    callOnRows("tegulaMergeRuns", tensors,
               merge.getTarget().getType().getRank() - 1,
               {number(merge.getSources().size()), run}, loc);
  }
  return true;
}
