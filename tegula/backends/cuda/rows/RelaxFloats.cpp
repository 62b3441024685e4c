// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RelaxFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tegula;

void tegula::relaxFloats(const RowState &state, Operation *op) {
  auto relaxed = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!state.isNarrow || !relaxed || !relaxed.getFastMathFlagsAttr() ||
      !op->getResult(0).getType().isF32())
    return;
  arith::FastMathFlags flags = relaxed.getFastMathFlagsAttr().getValue();
  if (isa<arith::DivFOp, math::SqrtOp>(op) ||
      (state.program.hasReductions && isa<math::ExpOp>(op)))
    flags = flags | arith::FastMathFlags::afn;
  if (state.program.hasReductions)
    flags = flags | arith::FastMathFlags::contract;
  op->setAttr(relaxed.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op->getContext(), flags));
}
