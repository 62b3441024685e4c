// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowAccumulators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

SmallVector<Value> tegula::emitAccumulators(RowState &state, ValueRange sums) {
  OpBuilder &builder = state.builder;
  SmallVector<Value> found(sums);
  Value left = state.program.matmul->left;
  if (isa<IntegerType>(pl::getElementOrSelf(left.getType())))
    for (Value &sum : found)
      sum = arith::BitcastOp::create(builder, state.loc, builder.getI32Type(),
                                     sum);
  return found;
}
