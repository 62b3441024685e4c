// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Core loops with layouts -> the code of one thread.

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

namespace {

struct CudaDistributeTilesPass
    : tegula::impl::CudaDistributeTilesBase<CudaDistributeTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    auto warps = getOperation()->getAttrOfType<IntegerAttr>(warpsAttrName);
    if (!warps)
      return;
    for (pl::ParallelOp loop : findCoreLoops(getOperation()))
      if (hasLayouts(loop))
        TileDistributor(loop, warps.getInt(), mostShared).run();
  }
};

} // namespace
