// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Core loops with layouts -> the code of one thread.

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/layout/CoreLoops.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Math/IR/Math.h"

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

/// The 32-bit registers of a thread that accumulators of matmuls take.
static int64_t countAccumulators(pl::ParallelOp loop, int64_t warps) {
  constexpr int64_t lanesOfWarp = 32;
  int64_t words = 0;
  loop.getBody().walk([&](pl::MatmulOp matmul) {
    int64_t elements = 1;
    for (int64_t bound : boundsOf(matmul.getResult().getType()))
      elements *= int64_t(llvm::PowerOf2Ceil(bound));
    words += elements;
  });
  return words / (lanesOfWarp * warps);
}

/// Blocks that run on a multiprocessor at once, each thread with 128 registers
/// where accumulators leave half of them, else with twice as many. Reductions
/// between matmuls have more alive. Rows of several widths, each in a loop of
/// its own, have 80, or 64 where nothing is reduced: they wait for memory most
/// of the time.
static int64_t countResidentBlocks(pl::ParallelOp loop, int64_t warps,
                                   bool isAlone) {
  constexpr int64_t warpsOfHalf = 16, warpsOfAll = 8, warpsOfRows = 24,
                    warpsOfElements = 32, half = 64;
  bool hasReductions = false;
  loop.getBody().walk([&](pl::ReduceOp) { hasReductions = true; });
  int64_t accumulators = countAccumulators(loop, warps);
  if (!accumulators && !isAlone)
    return std::max<int64_t>(
        1, (hasReductions ? warpsOfRows : warpsOfElements) / warps);
  bool isHalf = !hasReductions && accumulators && accumulators <= half;
  return std::max<int64_t>(1, (isHalf ? warpsOfHalf : warpsOfAll) / warps);
}

/// True if all that the loop writes are floats of 16 bits: then FP32 before
/// them may be off in the last bits, as in row-wise kernels.
static bool isNarrow(pl::ParallelOp loop) {
  WalkResult found = loop.getBody().walk([](pl::StoreOp store) {
    Type element = store.getTarget().getType().getElementType();
    return element.isF16() || element.isBF16() ? WalkResult::advance()
                                               : WalkResult::interrupt();
  });
  return !found.wasInterrupted();
}

/// Lets the chip approximate, where `loop` says that it may.
static void relaxFloats(pl::ParallelOp loop, pl::ParallelOp made) {
  if (!isNarrow(loop))
    return;
  bool hasReductions = false;
  loop.getBody().walk([&](pl::ReduceOp) { hasReductions = true; });
  made.getBody().walk([&](Operation *op) {
    auto relaxed = dyn_cast<arith::ArithFastMathInterface>(op);
    if (!relaxed || !relaxed.getFastMathFlagsAttr() ||
        !op->getResult(0).getType().isF32())
      return;
    arith::FastMathFlags flags = relaxed.getFastMathFlagsAttr().getValue();
    // A sum does not see that what is almost 0 becomes 0.
    if (isa<arith::DivFOp, math::SqrtOp, math::TanhOp>(op) ||
        (hasReductions && isa<math::ExpOp>(op)))
      flags = flags | arith::FastMathFlags::afn;
    if (hasReductions)
      flags = flags | arith::FastMathFlags::contract;
    op->setAttr(relaxed.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(), flags));
  });
}

namespace {

struct CudaDistributeTilesPass
    : tegula::impl::CudaDistributeTilesBase<CudaDistributeTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    auto warps = getOperation()->getAttrOfType<IntegerAttr>(warpsAttrName);
    if (!warps)
      return;
    SmallVector<CoreLoop> loops = findCoreLoops(getOperation());
    llvm::erase_if(loops, [](const CoreLoop &loop) {
      return !hasLayouts(loop.innermost);
    });
    int64_t blocks = std::numeric_limits<int64_t>::max();
    for (const CoreLoop &loop : loops)
      blocks =
          std::min(blocks, countResidentBlocks(loop.innermost, warps.getInt(),
                                               loops.size() == 1));
    for (const CoreLoop &loop : loops) {
      keepLoop(loop.outermost);
      distribute(loop.innermost, warps.getInt(), blocks);
    }
  }

private:
  /// A tile that passes through shared memory has room there next to what is
  /// prefetched: where it has not, less is.
  void distribute(pl::ParallelOp loop, int64_t warps, int64_t blocks) {
    for (int64_t mostStaged = mostShared;;) {
      TileDistributor distributor(loop, warps,
                                  {mostShared, mostStaged, blocks});
      pl::ParallelOp made = distributor.run();
      int64_t missing = distributor.getSharedBytes() - mostShared;
      if (missing <= 0 || mostStaged == 0) {
        relaxFloats(loop, made);
        made.walk([&](cuda::ThreadOp thread) {
          thread->setAttr(cuda::residentBlocksAttrName,
                          Builder(&getContext()).getI64IntegerAttr(blocks));
        });
        return loop.erase();
      }
      made.erase();
      mostStaged = std::max<int64_t>(0, mostStaged - missing);
    }
  }
};

} // namespace
