// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/AxisLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

AxisLoop AxisLoop::of(Operation *op) {
  if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
    return {op, loop.getInductionVar(), loop.getLowerBound(),
            loop.getUpperBound(), loop.getStep()};
  auto loop = dyn_cast_or_null<pl::ParallelOp>(op);
  if (loop && loop.getKind() == pl::LoopKind::AnyOrder)
    return {op, loop.getInductionVar(), loop.getLower(), loop.getUpper(),
            loop.getStep()};
  return {};
}

bool AxisLoop::isRest(Value size) const {
  if (!*this)
    return false;
  if (auto most = size.getDefiningOp<arith::MaxSIOp>())
    if (matchPattern(most.getRhs(), m_Zero()))
      size = most.getLhs();
  auto least = size.getDefiningOp<arith::MinSIOp>();
  if (!least)
    return false;
  for (auto [rest, most] : {std::pair(least.getLhs(), least.getRhs()),
                            std::pair(least.getRhs(), least.getLhs())}) {
    auto difference = rest.getDefiningOp<arith::SubIOp>();
    if (difference && isStep(most) && difference.getRhs() == variable &&
        RowExtent::of(difference.getLhs()) == RowExtent::of(upper))
      return true;
  }
  return false;
}
