// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tegula {
#define GEN_PASS_DEF_ELIDECOPIES
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// A tensor that is made, and copied to another one in the end.
struct CopiedTensor {
  pl::CreateTensorOp created;
  pl::LoadOp load;
  pl::StoreOp store;

  static std::optional<CopiedTensor> of(pl::StoreOp store);
  bool isWhole();
  bool isUsedAsMemory();
  bool isOnlyUsedBefore();
  bool isTargetLeftAlone();
  bool moveTarget();
};

} // namespace

std::optional<CopiedTensor> CopiedTensor::of(pl::StoreOp store) {
  auto load = store.getTile().getDefiningOp<pl::LoadOp>();
  if (!load || !load->hasOneUse() || load->getBlock() != store->getBlock() ||
      store->hasAttr(pl::atomicAttrName))
    return std::nullopt;
  auto created = load.getSource().getDefiningOp<pl::CreateTensorOp>();
  if (!created || created->getBlock() != store->getBlock())
    return std::nullopt;
  return CopiedTensor{created, load, store};
}

/// Both have the same extents, whatever the sizes are, and elements that
/// different threads may write.
bool CopiedTensor::isWhole() {
  Type type = created.getType();
  if (type != store.getTarget().getType() ||
      pl::getElementOrSelf(type).getIntOrFloatBitWidth() < 8)
    return false;
  auto axes = llvm::seq<unsigned>(0, pl::getDims(type).size());
  return llvm::all_of(axes, [&](unsigned axis) {
    return areEqualExtents(created, axis, store.getTarget(), axis, store);
  });
}

/// It is read and written, also through windows, and handed to nobody. Other
/// views want memory without gaps, which the target may not be, and what
/// chooses between tensors hands out one of them.
bool CopiedTensor::isUsedAsMemory() {
  auto isTensor = [](Type type) { return isa<pl::TensorViewType>(type); };
  SmallVector<Value> views = {created};
  while (!views.empty()) {
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<pl::SliceOp, pl::WithExtentsOp>(user))
        llvm::append_range(views, user->getResults());
      else if (isa<ViewLikeOpInterface>(user) ||
               user->hasTrait<OpTrait::IsTerminator>() ||
               isa<CallOpInterface>(user) ||
               !isa<MemoryEffectOpInterface>(user) ||
               llvm::any_of(user->getResultTypes(), isTensor))
        return false;
    }
  }
  return true;
}

bool CopiedTensor::isOnlyUsedBefore() {
  SmallVector<Value> views = {created};
  Block *block = created->getBlock();
  while (!views.empty()) {
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(views, user->getResults());
      if (load->isBeforeInBlock(block->findAncestorOpInBlock(*user)))
        return false;
    }
  }
  return true;
}

/// Nobody sees when the target is written.
bool CopiedTensor::isTargetLeftAlone() {
  Value root = rootOfView(store.getTarget());
  if (!root)
    return false;
  for (Operation *op = created->getNextNode(); op != store;
       op = op->getNextNode())
    if (mayTouch(op, root))
      return false;
  return true;
}

/// Windows of the target are made before the tensor, if they can be.
bool CopiedTensor::moveTarget() {
  SmallVector<Operation *> moved;
  SmallVector<Value> needed = {store.getTarget()};
  while (!needed.empty()) {
    Operation *op = needed.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != created->getBlock() ||
        op->isBeforeInBlock(created))
      continue;
    if (op == created || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      return false;
    moved.push_back(op);
    llvm::append_range(needed, op->getOperands());
  }
  // What is needed by two comes before both.
  llvm::sort(moved, [](Operation *op, Operation *other) {
    return op->isBeforeInBlock(other);
  });
  moved.erase(llvm::unique(moved), moved.end());
  for (Operation *op : moved)
    op->moveBefore(created);
  return true;
}

namespace {

struct ElideCopiesPass : tegula::impl::ElideCopiesBase<ElideCopiesPass> {
  void runOnOperation() override {
    SmallVector<pl::StoreOp> stores;
    getOperation().walk([&](pl::StoreOp store) { stores.push_back(store); });
    for (pl::StoreOp store : stores) {
      std::optional<CopiedTensor> found = CopiedTensor::of(store);
      if (!found || !found->isWhole() || !found->isUsedAsMemory() ||
          !found->isOnlyUsedBefore() || !found->isTargetLeftAlone() ||
          !found->moveTarget())
        continue;
      Value target = store.getTarget();
      store.erase();
      found->load.erase();
      found->created.replaceAllUsesWith(target);
      found->created.erase();
    }
  }
};

} // namespace
