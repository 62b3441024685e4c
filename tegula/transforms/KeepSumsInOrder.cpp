// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/AtomicAttribute.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/PlIndexOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_KEEPSUMSINORDER
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The tensor that an op adds to in place; null if it does not.
static Value sumOf(Operation *op) {
  if (auto scatter = dyn_cast<pl::ScatterStoreOp>(op))
    return scatter.getAdd() ? scatter.getTarget() : Value();
  if (!op->hasAttr(pl::atomicAttrName))
    return {};
  if (auto store = dyn_cast<pl::StoreOp>(op))
    return store.getTarget();
  auto write = dyn_cast<pl::WriteOp>(op);
  return write ? write.getTarget() : Value();
}

namespace {

struct KeepSumsInOrderPass
    : tegula::impl::KeepSumsInOrderBase<KeepSumsInOrderPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      Value sum = sumOf(op);
      if (!sum)
        return;
      Value root = rootOfView(sum);
      for (auto loop = op->getParentOfType<pl::ParallelOp>(); loop;
           loop = loop->getParentOfType<pl::ParallelOp>()) {
        bool isOwn = root && loop.getBody().isAncestor(root.getParentRegion());
        if (isOwn || !loop.getIndependent())
          continue;
        loop.setIndependent(false);
        loop.emitRemark("iterations add to the same tensor: that they are "
                        "independent has to be proved")
                .attachNote(op->getLoc())
            << "added here";
      }
    });
  }
};

} // namespace
