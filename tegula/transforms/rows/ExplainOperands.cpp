// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/ExplainOperands.h"

#include "tegula/transforms/matmul/AccumulatorLoop.h"

using namespace mlir;
using namespace tegula;

bool tegula::isMultipliedAs(Type element, Type sum) {
  return (element.isInteger(8) && sum.isInteger(32)) ||
         (isa<BFloat16Type, Float16Type, Float32Type, Float8E4M3FNType,
              Float8E5M2Type>(element) &&
          sum.isF32());
}

/// Whether a loop goes on with the accumulator that begins with the matmul.
static bool isGoneOnWith(pl::MatmulOp matmul) {
  return llvm::any_of(matmul->getUsers(), [](Operation *user) {
    auto loop = dyn_cast<scf::ForOp>(user);
    return loop && AccumulatorLoop::isLikely(loop);
  });
}

const char *tegula::explainOperand(pl::MatmulOp matmul, bool isLhs) {
  Value operand = isLhs ? matmul.getLhs() : matmul.getRhs();
  auto load = operand.getDefiningOp<pl::LoadOp>();
  auto slice = load ? load.getSource().getDefiningOp<pl::SliceOp>() : nullptr;
  if (!slice)
    return "an operand is not a whole parameter with two axes, nor the loops' "
           "windows of one: compute it in a kernel before";
  if (isGoneOnWith(matmul))
    return "the sum begins before the loop that goes on with it: let the loop "
           "begin at 0";
  return "an operand is another part of a tensor than the windows of loops "
         "that "
         "go through all of it from 0 on";
}
