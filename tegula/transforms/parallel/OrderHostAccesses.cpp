// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace tegula {
#define GEN_PASS_DEF_ORDERHOSTACCESSES
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// What an op does to a tensor that is not a window.
struct Access {
  bool reads = false;
  bool writes = false;
};
using Accesses = llvm::MapVector<Value, Access>;

struct OrderHostAccessesPass
    : tegula::impl::OrderHostAccessesBase<OrderHostAccessesPass> {
  void runOnOperation() override;

private:
  LogicalResult orderBlock(Block &block);
  LogicalResult order(Operation *op, const Accesses &accesses);
};

} // namespace

/// True if the function is run by all ranks, which it tells what to do.
static bool isHostProgram(func::FuncOp function) {
  auto kind = function->getAttrOfType<pl::FunctionKindAttr>(pl::kindAttrName);
  return kind && kind.getValue() == pl::FunctionKind::Host;
}

/// True for what all ranks must come to.
static bool concernsAllRanks(Operation *op) {
  return isa<pl::DispatchOp, pl::AllocWindowOp, pl::MeetOp, pl::NotifyOp,
             pl::WaitOp, pl::PeerOp, pl::CallbackOp>(op);
}

static bool containsRankOps(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return concernsAllRanks(inner) ? WalkResult::interrupt()
                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The tensors from outside that `op`, and ops in it, read and write.
static Accesses accessesOf(Operation *op) {
  Accesses accesses;
  op->walk([&](Operation *inner) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    if (!effects || inner->getNumRegions())
      return;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &instance : instances) {
      Value tensor = instance.getValue();
      if (!tensor || !isa<pl::TensorViewType>(tensor.getType()) ||
          pl::isWindow(tensor))
        continue;
      // A view that is made inside is a part of what it views.
      while (op->isProperAncestor(tensor.getParentRegion()->getParentOp()) ||
             tensor.getParentRegion()->getParentOp() == op) {
        auto view = tensor.getDefiningOp<ViewLikeOpInterface>();
        if (!view)
          break;
        tensor = view.getViewSource();
      }
      bool isFromOutside =
          !op->isAncestor(tensor.getParentRegion()->getParentOp());
      if (!isFromOutside)
        continue;
      accesses[tensor].reads |= isa<MemoryEffects::Read>(instance.getEffect());
      accesses[tensor].writes |=
          isa<MemoryEffects::Write>(instance.getEffect());
    }
  });
  return accesses;
}

/// Makes `op` a dispatch: to all if it only reads, else to the first rank.
LogicalResult OrderHostAccessesPass::order(Operation *op,
                                           const Accesses &accesses) {
  bool writes = llvm::any_of(
      accesses, [](const auto &each) { return each.second.writes; });
  if (writes && op->getNumResults() != 0)
    return op->emitError("a host program cannot do this itself; dispatch it "
                         "to a device");
  Location loc = op->getLoc();
  OpBuilder builder(op);
  SmallVector<Value> tensors;
  SmallVector<bool> isRead, isWritten;
  for (const auto &[tensor, access] : accesses) {
    tensors.push_back(tensor);
    isRead.push_back(access.reads);
    isWritten.push_back(access.writes);
  }
  Value device = arith::ConstantIndexOp::create(builder, loc, writes ? 0 : -1);
  Value isMine = pl::DispatchOp::create(builder, loc, builder.getI1Type(),
                                        device, tensors, isRead, isWritten);
  if (writes) {
    auto branch = scf::IfOp::create(builder, loc, isMine,
                                    /*withElseRegion=*/false);
    op->moveBefore(branch.thenBlock()->getTerminator());
  }
  builder.setInsertionPointAfter(op);
  pl::DispatchEndOp::create(builder, loc);
  return success();
}

/// All ranks come to what concerns them in one order, so a loop around it has
/// one.
static scf::ForOp runInOrder(pl::ParallelOp loop) {
  OpBuilder builder(loop);
  auto ordered = scf::ForOp::create(builder, loop.getLoc(), loop.getLower(),
                                    loop.getUpper(), loop.getStep());
  loop.getInductionVar().replaceAllUsesWith(ordered.getInductionVar());
  Block &from = loop.getBody().front();
  Block &to = *ordered.getBody();
  to.getOperations().splice(to.begin(), from.getOperations(), from.begin(),
                            std::prev(from.end()));
  loop.erase();
  return ordered;
}

LogicalResult OrderHostAccessesPass::orderBlock(Block &block) {
  for (Operation &each : llvm::make_early_inc_range(block)) {
    Operation *op = &each;
    if (auto loop = dyn_cast<pl::ParallelOp>(op); loop && containsRankOps(op))
      op = runInOrder(loop);
    if (auto create = dyn_cast<pl::CreateTensorOp>(op)) {
      create->setAttr(pl::sharedAttrName, UnitAttr::get(&getContext()));
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(op);
    if (concernsAllRanks(op) ||
        (branch && branch.getCondition().getDefiningOp<pl::DispatchOp>()))
      continue;
    bool isWhole = op->getNumRegions() == 0 ||
                   (op->getNumResults() == 0 && !containsRankOps(op));
    Accesses accesses = isWhole ? accessesOf(op) : Accesses();
    if (!accesses.empty()) {
      if (failed(order(op, accesses)))
        return failure();
      continue;
    }
    if (isWhole)
      continue;
    for (Region &region : op->getRegions())
      for (Block &inner : region)
        if (failed(orderBlock(inner)))
          return failure();
  }
  return success();
}

void OrderHostAccessesPass::runOnOperation() {
  func::FuncOp function = getOperation();
  if (function.isExternal() || !isHostProgram(function))
    return;
  Block &body = function.getBody().front();
  if (failed(orderBlock(body)))
    return signalPassFailure();
  OpBuilder builder(body.getTerminator());
  pl::HostEndOp::create(builder, body.getTerminator()->getLoc());
}
