// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/ir/ops/attributes/LoopAttributes.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_SERIALIZEINPLACEREDUCTIONS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The tensor that an op may add to in place, null if it is not known; nothing
/// if the op does no such thing.
static std::optional<Value> findSum(Operation *op) {
  if (auto scatter = dyn_cast<pl::ScatterStoreOp>(op);
      scatter && scatter.getAdd())
    return rootOfView(scatter.getTarget());
  if (isa<CallOpInterface>(op))
    return Value();
  if (!op->hasAttr(pl::atomicAttrName))
    return std::nullopt;
  if (auto store = dyn_cast<pl::StoreOp>(op))
    return rootOfView(store.getTarget());
  if (auto write = dyn_cast<pl::WriteOp>(op))
    return rootOfView(write.getTarget());
  return std::nullopt;
}

namespace {

struct SerializeInPlaceReductionsPass
    : tegula::impl::SerializeInPlaceReductionsBase<
          SerializeInPlaceReductionsPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      std::optional<Value> sum = findSum(op);
      if (!sum)
        return;
      for (auto loop = op->getParentOfType<pl::ParallelOp>(); loop;
           loop = loop->getParentOfType<pl::ParallelOp>()) {
        bool isOwn = *sum && loop.getBody().isAncestor(sum->getParentRegion());
        bool isSaid = loop->hasAttr(pl::saidAttrName);
        if (isOwn || (!loop.getIndependent() && !isSaid))
          continue;
        loop.setIndependent(false);
        if (*sum && !isa<pl::ScatterStoreOp>(op)) {
          loop->setAttr(pl::saidAttrName, UnitAttr::get(&getContext()));
          continue;
        }
        loop->removeAttr(pl::saidAttrName);
        loop.emitRemark("iterations may add to the same tensor: that they are "
                        "independent has to be proved")
                .attachNote(op->getLoc())
            << "added here";
      }
    });
  }
};

} // namespace
