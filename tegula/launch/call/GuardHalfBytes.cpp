// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tensors of half bytes must be.

#include "tegula/launch/call/Guard.h"

using namespace tegula;

int64_t Guard::findColumns(unsigned index, const int64_t *symbolValues) const {
  const ParameterCheck &check = checks[index];
  if (check.rank == 0)
    return -1;
  const AxisCheck &last = axes[check.firstAxis + check.rank - 1];
  if (last.extent >= 0)
    return last.extent;
  return last.isFirst ? -1 : symbolValues[last.symbol];
}

Problem Guard::checkHalfBytes(unsigned index, const TensorView &view) const {
  for (unsigned axis = 0; axis < view.rank; ++axis) {
    bool isLast = axis + 1 == view.rank;
    int64_t stride = view.strides[axis];
    if (view.sizes[axis] <= 1 || (isLast ? stride == 1 : stride % 2 == 0))
      continue;
    return makeCallProblem("argument '{0}': elements of {1} lie two to a byte, "
                           "so the stride along axis {2} must be {3}, got {4}",
                           signature.parameters[index].name,
                           getName(view.dtype), axis, isLast ? "1" : "even",
                           stride);
  }
  return {};
}
