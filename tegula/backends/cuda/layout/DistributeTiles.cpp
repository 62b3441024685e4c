// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Core loops with layouts -> the code of one thread.

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/layout/CoreLoops.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"

namespace tegula {
#define GEN_PASS_DEF_CUDADISTRIBUTETILES
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// True if tiles of the loop have layouts: then all have that need one.
static bool hasLayouts(pl::ParallelOp loop) {
  WalkResult found = loop.getBody().walk([](Operation *op) {
    return op->hasAttr(layoutAttrName) || op->hasAttr(layoutsAttrName)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// One iteration is of one block as well: outside of the loop, all threads of
/// all blocks would run what is inside. Loops inside become one with it as long
/// as their bounds are known in front of it.
static void keepLoop(pl::ParallelOp outermost) {
  OpBuilder builder(outermost);
  outermost.getUpperMutable().assign(cuda::LoopBoundOp::create(
      builder, outermost.getLoc(), outermost.getUpper()));
}

namespace {

struct CudaDistributeTilesPass
    : tegula::impl::CudaDistributeTilesBase<CudaDistributeTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    auto warps = getOperation()->getAttrOfType<IntegerAttr>(warpsAttrName);
    if (!warps)
      return;
    for (CoreLoop loop : findCoreLoops(getOperation())) {
      if (!hasLayouts(loop.innermost))
        continue;
      keepLoop(loop.outermost);
      distribute(loop.innermost, warps.getInt());
    }
  }

private:
  /// A tile that passes through shared memory has room there beside what is
  /// prefetched: where it has not, less is.
  void distribute(pl::ParallelOp loop, int64_t warps) {
    for (int64_t mostStaged = mostShared / 2;;) {
      TileDistributor distributor(loop, warps, {mostShared, mostStaged});
      pl::ParallelOp made = distributor.run();
      int64_t missing = distributor.getSharedBytes() - mostShared;
      if (missing <= 0 || mostStaged == 0)
        return loop.erase();
      made.erase();
      mostStaged = std::max<int64_t>(0, mostStaged - missing);
    }
  }
};

} // namespace
