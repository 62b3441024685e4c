// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/LowerChecks.h"
#include "tegula/support/KernelAbi.h"

using namespace mlir;
using namespace tegula;

Value tegula::lowerCheck(TileLowering &lowering, pl::CheckIndexOp op) {
  Location loc = op.getLoc();
  OpBuilder &builder = lowering.getBuilder();
  Value index = lowering.scalar(op.getIndex());
  Value extent = lowering.scalar(op.getExtent());
  // As unsigned numbers, negative indices are too large as well.
  Value isOutside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::uge, index, extent);
  lowering.reportIf(isOutside, TegulaIndexOutOfRange, op.getAxis(), index,
                    extent, loc);
  return arith::SelectOp::create(builder, loc, isOutside, extent, index);
}

Value tegula::lowerCheck(TileLowering &lowering, pl::CheckStepOp op) {
  Location loc = op.getLoc();
  OpBuilder &builder = lowering.getBuilder();
  Value step = lowering.scalar(op.getStep());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isWrong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                        step, zero);
  lowering.reportIf(isWrong, TegulaStepNotPositive, /*axis=*/0, step,
                    builder.getIndexAttr(0), loc);
  return arith::SelectOp::create(builder, loc, isWrong,
                                 lowering.scalar(op.getLower()),
                                 lowering.scalar(op.getUpper()));
}
