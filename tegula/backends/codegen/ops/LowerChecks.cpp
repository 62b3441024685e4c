// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is checked while the kernel runs, printed and asserted.

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/ops/LowerPrints.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// The index, or the extent where it is not below that.
static void lowerCheckIndex(TileLowering &lowering, pl::CheckIndexOp op) {
  Location loc = op.getLoc();
  OpBuilder &builder = lowering.builder;
  Value index = lowering.scalar(op.getIndex());
  Value extent = lowering.scalar(op.getExtent());
  // As unsigned numbers, negative indices are too large as well.
  Value isOutside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::uge, index, extent);
  lowering.calls.reportIf(isOutside, TegulaIndexOutOfRange, op.getAxis(), index,
                          extent, loc);
  lowering.values.setScalar(
      op.getResult(),
      arith::SelectOp::create(builder, loc, isOutside, extent, index));
}

/// The end of the loop, or its start where the step is not positive.
static void lowerCheckStep(TileLowering &lowering, pl::CheckStepOp op) {
  Location loc = op.getLoc();
  OpBuilder &builder = lowering.builder;
  Value step = lowering.scalar(op.getStep());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isWrong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                        step, zero);
  lowering.calls.reportIf(isWrong, TegulaStepNotPositive, /*axis=*/0, step,
                          builder.getIndexAttr(0), loc);
  lowering.values.setScalar(
      op.getResult(), arith::SelectOp::create(builder, loc, isWrong,
                                              lowering.scalar(op.getLower()),
                                              lowering.scalar(op.getUpper())));
}

/// No unit of another machine does it.
template <typename Op, void (*lower)(TileLowering &, Op)>
static void lowerHidden(TileLowering &lowering, Op op) {
  UnitScope unit(lowering.steps, op.getLoc());
  if (lowering.steps)
    lowering.steps->hide();
  lower(lowering, op);
}

void tegula::addCheckPatterns(TilePatterns &patterns) {
  patterns.add(lowerCheckIndex);
  patterns.add(lowerCheckStep);
  patterns.add(lowerHidden<pl::PrintOp, lowerPrint>);
  patterns.add(lowerHidden<pl::AssertOp, lowerAssert>);
}
