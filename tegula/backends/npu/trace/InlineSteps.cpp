// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps -> what they do, on this processor.

#include "tegula/backends/npu/NpuDialect.h"
#include "tegula/backends/npu/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {
#define GEN_PASS_DEF_NPUINLINESTEPS
#include "tegula/backends/npu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

static void inlineStep(IRRewriter &rewriter, Operation *step) {
  Block &body = step->getRegion(0).front();
  rewriter.inlineBlockBefore(&body, step);
  rewriter.eraseOp(step);
}

/// The iteration of the loop decides; iterations that run at once have memories
/// of their own.
static void lowerRingSlot(IRRewriter &rewriter, npu::RingSlotOp slotOp) {
  rewriter.setInsertionPoint(slotOp);
  Location loc = slotOp.getLoc();
  auto loop = dyn_cast<scf::ForOp>(slotOp->getParentOp());
  if (!loop) {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(slotOp, 0);
    return;
  }
  Value distance = arith::SubIOp::create(rewriter, loc, loop.getInductionVar(),
                                         loop.getLowerBound());
  Value number =
      arith::DivUIOp::create(rewriter, loc, distance, loop.getStep());
  Value copies =
      arith::ConstantIndexOp::create(rewriter, loc, slotOp.getCopies());
  rewriter.replaceOpWithNewOp<arith::RemUIOp>(slotOp, number, copies);
}

namespace {

struct NpuInlineStepsPass
    : tegula::impl::NpuInlineStepsBase<NpuInlineStepsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<npu::NpuDialect>(op->getDialect()))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      if (npu::isStep(op) || isa<npu::HostOp>(op))
        inlineStep(rewriter, op);
      else if (auto slotOp = dyn_cast<npu::RingSlotOp>(op))
        lowerRingSlot(rewriter, slotOp);
      else
        rewriter.eraseOp(op);
    }
  }
};

} // namespace
