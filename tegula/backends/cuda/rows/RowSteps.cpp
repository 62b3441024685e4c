// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowSteps.h"

#include "tegula/backends/cuda/rows/RowArithmetic.h"
#include "tegula/backends/cuda/rows/RowReader.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/backends/cuda/rows/RowWriter.h"
#include "tegula/backends/cuda/rows/RunByRun.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

void RowSteps::emit(EmitShared emitShared) {
  ArrayRef<Operation *> steps = program.steps;
  if (runByRun.isChosen()) {
    for (Operation *op : steps.drop_back(runByRun.findTail().size()))
      emitStep(op, emitShared);
    return runByRun.emit([&](Operation *op) { emitStep(op, emitShared); });
  }
  // What is read was not written before, so it may be read first.
  auto isEarly = [&](Operation *op) {
    return state.isHurried && isa<pl::LoadOp>(op);
  };
  for (Operation *op : steps)
    if (isEarly(op))
      emitStep(op, emitShared);
  for (Operation *op : steps)
    if (!isEarly(op))
      emitStep(op, emitShared);
}

void RowSteps::emitStep(Operation *op, EmitShared emitShared) {
  if (isa<pl::BindOp>(op))
    return;
  bool isMatmul = program.matmul && op == program.matmul->accumulators;
  if (auto load = dyn_cast<pl::LoadOp>(op); load && !isMatmul)
    return reader.emit(load);
  if (auto store = dyn_cast<pl::StoreOp>(op))
    return writer.emit(store);
  Value result = op->getResult(0);
  SmallVector<Value> made;
  if (auto full = dyn_cast<pl::FullOp>(op))
    made = {values.numbers.lookup(full.getValue())};
  else if (isa<pl::BroadcastOp, pl::RelaxOp, pl::ReshapeOp, pl::TransposeOp,
               pl::WithExtentsOp>(op))
    made = values.elements.lookup(program.resolve(op->getOperand(0)));
  else if (isa<pl::ReduceOp>(op) || isMatmul)
    made = emitShared(op);
  else if (!program.shapes.contains(result))
    return arithmetic.emitNumber(op);
  else
    return arithmetic.emitElements(op);
  values.elements[result] = std::move(made);
}
