// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/extents/IterationCount.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_COUNTITERATIONS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// Gives the loop of `counter`, whose bounds these are, bounds that count.
static void countIterations(Operation *loop, BlockArgument counter,
                            OpOperand &lower, OpOperand &upper,
                            OpOperand &step) {
  if (!pl::mayPassGreatest(upper.get(), step.get()))
    return;
  OpBuilder builder(loop);
  Location loc = loop->getLoc();
  Value from = lower.get(), by = step.get();
  upper.set(pl::buildIterationCount(builder, loc, from, upper.get(), by));
  lower.set(arith::ConstantIndexOp::create(builder, loc, 0));
  step.set(arith::ConstantIndexOp::create(builder, loc, 1));
  builder.setInsertionPointToStart(counter.getOwner());
  Value way = arith::MulIOp::create(builder, loc, counter, by);
  Value variable = arith::AddIOp::create(builder, loc, from, way);
  nameValue(variable, nameOfValue(counter));
  counter.replaceAllUsesExcept(variable, way.getDefiningOp());
}

namespace {

struct CountIterationsPass
    : tegula::impl::CountIterationsBase<CountIterationsPass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        countIterations(loop, cast<BlockArgument>(loop.getInductionVar()),
                        loop.getLowerBoundMutable(),
                        loop.getUpperBoundMutable(), loop.getStepMutable());
      else if (auto loop = dyn_cast<pl::ParallelOp>(op))
        countIterations(loop, cast<BlockArgument>(loop.getInductionVar()),
                        loop.getLowerMutable(), loop.getUpperMutable(),
                        loop.getStepMutable());
    });
  }
};

} // namespace
