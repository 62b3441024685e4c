// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/StreamedStores.h"

#include "tegula/ir/AtomicAttribute.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/PlOps.h"
#include "tegula/transforms/plan/Placement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// True if the number is made from the loop's. Looks at a few values only.
static bool dependsOn(Value number, Value induction, int depth = 4) {
  if (number == induction)
    return true;
  Operation *op = number.getDefiningOp();
  return op && depth > 0 && isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, induction, depth - 1);
         });
}

/// True if another turn of the loop writes another window.
static bool movesWith(Value window, Value induction) {
  while (auto slice = window.getDefiningOp<pl::SliceOp>()) {
    if (llvm::any_of(slice.getOffsets(), [&](Value offset) {
          return dependsOn(offset, induction);
        }))
      return true;
    window = slice.getSource();
  }
  return false;
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

static bool isSlow(Value tile, const Placement &placement,
                   DenseSet<Value> &visited) {
  Operation *op = tile.getDefiningOp();
  if (!op || placement.getBuffer(tile) || !visited.insert(tile).second)
    return false;
  return isa<pl::ExpOp, pl::LogOp, pl::TanhOp, pl::ErfOp, pl::SinOp, pl::CosOp,
             pl::PowOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return isSlow(operand, placement, visited);
         });
}

bool tegula::isComputedSlowly(pl::StoreOp store, const Placement &placement) {
  DenseSet<Value> visited;
  return isSlow(store.getTile(), placement, visited);
}
