// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices and steps that are checked while the program runs.
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

using namespace mlir;
using namespace tegula::pl;

LogicalResult CheckIndexOp::interpret(Frame &frame) {
  int64_t index = frame.getIndex(getIndex());
  int64_t extent = frame.getIndex(getExtent());
  if (index < 0 || index >= extent)
    return mlir::emitError(locationOfIndex(getLoc(), getAxis()), "index ")
           << index << " on axis " << getAxis()
           << " is out of range for extent " << extent;
  return frame.set(getResult(), Scalar::ofIndex(index));
}

LogicalResult CheckStepOp::interpret(Frame &frame) {
  int64_t step = frame.getIndex(getStep());
  if (step <= 0)
    return emitError("the step of a loop is ")
           << step << ", it must be positive";
  return frame.set(getResult(), Scalar::ofIndex(frame.getIndex(getUpper())));
}
