// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/parallel/ParallelNest.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

/// The only independent loop directly inside, if everything else there can be
/// computed in each of its iterations.
static pl::ParallelOp getNestedLoop(pl::ParallelOp outer) {
  pl::ParallelOp inner;
  for (Operation &op : outer.getBody().front().without_terminator()) {
    auto loop = dyn_cast<pl::ParallelOp>(op);
    bool isCheap = isa<pl::SliceOp, pl::DimOp>(op) ||
                   (isPure(&op) && op.getNumRegions() == 0);
    if (loop ? (inner || !loop.getIndependent()) : !isCheap)
      return {};
    if (loop)
      inner = loop;
  }
  return inner;
}

SmallVector<pl::ParallelOp> tegula::findParallelNest(pl::ParallelOp outermost) {
  auto isInFront = [&](Value bound) {
    return !outermost.getBody().isAncestor(bound.getParentRegion());
  };
  SmallVector<pl::ParallelOp> nest = {outermost};
  while (pl::ParallelOp inner = getNestedLoop(nest.back())) {
    if (!llvm::all_of(inner->getOperands(), isInFront))
      break;
    nest.push_back(inner);
  }
  return nest;
}
