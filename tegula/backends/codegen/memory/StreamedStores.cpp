// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/memory/StreamedStores.h"

#include "tegula/backends/codegen/loops/IterationWindows.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/OpCosts.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/transforms/plan/TilePlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tegula;

/// True if windows of the tensor are stored to and nothing else is done with
/// its elements.
static bool isOnlyStored(Value tensor) {
  return llvm::all_of(tensor.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto slice = dyn_cast<pl::SliceOp>(user))
      return isOnlyStored(slice.getResult());
    if (auto store = dyn_cast<pl::StoreOp>(user))
      return &use == &store.getTargetMutable();
    return isa<pl::BindOp>(user);
  });
}

Value tegula::findStreamedTensor(pl::StoreOp store) {
  Value root = rootOfView(store.getTarget());
  auto argument = dyn_cast_or_null<BlockArgument>(root);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()) ||
      store->hasAttr(pl::lockedAttrName) || !isOnlyStored(root))
    return Value();
  for (Operation *around = store->getParentOp(); !isa<func::FuncOp>(around);
       around = around->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(around);
    if (!loop)
      continue;
    std::optional<SmallVector<Value>> inductions = loop.getLoopInductionVars();
    if (!inductions || !llvm::all_of(*inductions, [&](Value induction) {
          return movesWith(store.getTarget(), induction);
        }))
      return Value();
  }
  return root;
}

static bool isSlow(Operation *op, const TilePlan &plan,
                   DenseSet<Operation *> &visited) {
  if (!op || !visited.insert(op).second)
    return false;
  return pl::getTileCost(op) > plan.machine.costs.read ||
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return !plan.placement.getBuffer(operand) &&
                  isSlow(operand.getDefiningOp(), plan, visited);
         });
}

bool tegula::isComputedSlowly(Value tile, const TilePlan &plan) {
  DenseSet<Operation *> visited;
  return isSlow(tile.getDefiningOp(), plan, visited);
}
