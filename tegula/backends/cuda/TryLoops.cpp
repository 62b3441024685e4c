// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in order -> loops that may run at once, if that can be proved.

#include "tegula/backends/cuda/Passes.h"
#include "tegula/ir/PlDialect.h"
#include "tegula/ir/PlOps.h"
#include "tegula/transforms/CoreRegions.h"

namespace tegula {
#define GEN_PASS_DEF_CUDATRYLOOPS
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// True if the loop is the function's own, or does all that another one does
/// that may run at once.
static bool isOuter(scf::ForOp loop) {
  Operation *parent = loop->getParentOp();
  return isa<func::FuncOp, pl::ParallelOp>(parent);
}

namespace {

struct CudaTryLoopsPass : tegula::impl::CudaTryLoopsBase<CudaTryLoopsPass> {
  /// Outer loops come first, so that those in them are outer ones then. Where
  /// code is placed changes nothing here.
  void runOnOperation() override {
    SmallVector<pl::AtOp> places;
    getOperation().walk([&](pl::AtOp at) { places.push_back(at); });
    for (pl::AtOp at : places)
      inlineRegion(at);
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (loop.getNumResults() == 0 && isOuter(loop))
        replace(loop);
    });
  }

private:
  static void replace(scf::ForOp loop) {
    OpBuilder builder(loop);
    auto made =
        pl::ParallelOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                               loop.getUpperBound(), loop.getStep());
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
  }
};

} // namespace
