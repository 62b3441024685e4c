// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in order -> loops that may run at once, if that can be proved.

#include "tegula/backends/cuda/Passes.h"
#include "tegula/ir/ops/PlDialect.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/LoopAttributes.h"
#include "tegula/transforms/parallel/CoreRegions.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAASSUMEPARALLELLOOPS
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CudaAssumeParallelLoopsPass
    : tegula::impl::CudaAssumeParallelLoopsBase<CudaAssumeParallelLoopsPass> {
  /// Outer loops come first, so that those in them are outer ones then. Where
  /// code is placed changes nothing here.
  void runOnOperation() override {
    SmallVector<pl::AtOp> regions;
    getOperation().walk([&](pl::AtOp at) { regions.push_back(at); });
    for (pl::AtOp at : regions)
      inlineRegion(at);
    SmallVector<scf::ForOp> loops;
    auto collect = [&](Block &block) {
      for (auto loop : block.getOps<scf::ForOp>())
        if (loop.getNumResults() == 0)
          loops.push_back(loop);
    };
    getOperation().walk([&](Block *block) {
      if (isa<func::FuncOp, pl::ParallelOp>(block->getParentOp()))
        collect(*block);
    });
    while (!loops.empty())
      collect(replace(loops.pop_back_val()));
  }

private:
  /// The body of what takes its place.
  static Block &replace(scf::ForOp loop) {
    OpBuilder builder(loop);
    auto made =
        pl::ParallelOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                               loop.getUpperBound(), loop.getStep());
    made->setAttr(pl::madeAttrName, builder.getUnitAttr());
    if (made.getBody().empty())
      made.getBody().emplaceBlock();
    Block &body = made.getBody().front();
    if (body.getNumArguments() == 0)
      body.addArgument(builder.getIndexType(), loop.getLoc());
    loop.getInductionVar().replaceAllUsesWith(body.getArgument(0));
    auto &ops = loop.getBody()->getOperations();
    body.getOperations().splice(body.begin(), ops, ops.begin(),
                                std::prev(ops.end()));
    loop.erase();
    return body;
  }
};

} // namespace
