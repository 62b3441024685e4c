// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowAccumulators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

SmallVector<Value> tegula::emitAccumulators(RowState &state,
                                            const RowValues &values,
                                            ValueRange sums) {
  OpBuilder &builder = state.builder;
  Location loc = state.loc;
  const auto &matmul = state.program.matmul;
  bool isInteger =
      isa<IntegerType>(pl::getElementOrSelf(matmul->left.getType()));
  SmallVector<Value> found;
  for (auto [i, given] : llvm::enumerate(sums)) {
    Value sum = given;
    if (isInteger)
      sum = arith::BitcastOp::create(builder, loc, builder.getI32Type(), sum);
    if (Value addend = matmul->addend) {
      Value before = values.elementOf(addend, i);
      sum = isInteger
                ? arith::AddIOp::create(builder, loc, before, sum).getResult()
                : arith::AddFOp::create(builder, loc, before, sum).getResult();
    }
    found.push_back(sum);
  }
  return found;
}
