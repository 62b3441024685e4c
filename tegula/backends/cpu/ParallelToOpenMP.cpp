// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scf.parallel -> OpenMP threads, where the loop is worth it.

#include "tegula/backends/cpu/IndexMath.h"
#include "tegula/backends/cpu/ParallelWork.h"
#include "tegula/backends/cpu/Passes.h"

namespace tegula {
#define GEN_PASS_DEF_CPUPARALLELTOOPENMP
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// True where the loop has enough turns: at least 2, and together at least
/// `leastWork` elements.
static Value paysOff(OpBuilder &builder, scf::ParallelOp loop,
                     int64_t leastWork) {
  int64_t work = 1;
  if (auto known = loop->getAttrOfType<IntegerAttr>(workAttrName))
    work = std::max<int64_t>(1, known.getInt());
  int64_t leastTurns = std::max<int64_t>(2, llvm::divideCeil(leastWork, work));
  IndexMath math(builder, loop.getLoc());
  OpFoldResult length =
      math.sub(loop.getUpperBound().front(), loop.getLowerBound().front());
  OpFoldResult least =
      math.mul(loop.getStep().front(), math.constant(leastTurns - 1));
  return arith::CmpIOp::create(builder, loop.getLoc(),
                               arith::CmpIPredicate::sgt, math.value(length),
                               math.value(least));
}

static void toOpenMP(scf::ParallelOp loop, int64_t leastWork) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  omp::ParallelOperands clauses;
  clauses.ifExpr = paysOff(builder, loop, leastWork);
  auto parallel = omp::ParallelOp::create(builder, loc, clauses);
  builder.createBlock(&parallel.getRegion());
  auto share = omp::WsloopOp::create(builder, loc, omp::WsloopOperands());
  omp::TerminatorOp::create(builder, loc);
  builder.createBlock(&share.getRegion());
  omp::LoopNestOperands bounds;
  bounds.loopLowerBounds = llvm::to_vector(loop.getLowerBound());
  bounds.loopUpperBounds = llvm::to_vector(loop.getUpperBound());
  bounds.loopSteps = llvm::to_vector(loop.getStep());
  auto nest = omp::LoopNestOp::create(builder, loc, bounds);
  Operation *end = loop.getBody()->getTerminator();
  builder.setInsertionPoint(end);
  omp::YieldOp::create(builder, loc, ValueRange());
  end->erase();
  nest.getRegion().takeBody(loop.getRegion());
  loop.erase();
}

namespace {

struct CpuParallelToOpenMPPass
    : tegula::impl::CpuParallelToOpenMPBase<CpuParallelToOpenMPPass> {
  using Parent = tegula::impl::CpuParallelToOpenMPBase<CpuParallelToOpenMPPass>;
  using Parent::Parent;

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
    for (scf::ParallelOp loop : loops)
      toOpenMP(loop, leastWork);
  }
};

} // namespace
