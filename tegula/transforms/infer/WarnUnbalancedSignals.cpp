// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>

namespace tegula {
#define GEN_PASS_DEF_WARNUNBALANCEDSIGNALS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// What is done to one window, besides making it.
struct WindowUses {
  SmallVector<pl::NotifyOp> notifies;
  SmallVector<pl::WaitOp> waits;
  /// Something else may read it, or write it.
  bool isRead = false;
  bool isWritten = false;
};

struct WarnUnbalancedSignalsPass
    : tegula::impl::WarnUnbalancedSignalsBase<WarnUnbalancedSignalsPass> {
  using WarnUnbalancedSignalsBase::WarnUnbalancedSignalsBase;

  void runOnOperation() override;

private:
  InFlightDiagnostic warn(Operation *op);
  void collect(Operation *op);
  void checkWait(pl::WaitOp wait, const WindowUses &uses);
  void checkNotify(pl::NotifyOp notify, const WindowUses &uses);
  void checkBarrier(Operation *barrier);

  llvm::MapVector<Value, WindowUses> windows;
  /// A window may be used where it cannot be told which it is.
  bool isUnknown = false;
  bool hasErrors = false;
};

} // namespace

/// Where in its window a signal is, in elements, if that is a constant.
static std::optional<int64_t> linearize(Value signal, OperandRange indices) {
  auto type = cast<pl::TensorViewType>(signal.getType());
  if (!signal.getDefiningOp<pl::RetypeOp>())
    return std::nullopt;
  int64_t linear = 0;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    pl::Dim dim = type.getDims()[axis];
    std::optional<int64_t> number = getConstantIntValue(index);
    if (!number || (axis > 0 && !dim.isExact()))
      return std::nullopt;
    linear = axis == 0 ? *number : linear * dim.getBound() + *number;
  }
  return linear;
}

/// False if the two are known to be different signals of one window.
static bool mayBeSame(pl::NotifyOp notify, pl::WaitOp wait) {
  std::optional<int64_t> one =
      linearize(notify.getSignal(), notify.getIndices());
  std::optional<int64_t> other = linearize(wait.getSignal(), wait.getIndices());
  return !one || !other || *one == *other;
}

/// True if a signal that starts as 0 may become what is expected by any number
/// of these, in any order.
static bool canReach(pl::WaitKind kind, int64_t expected,
                     ArrayRef<pl::NotifyOp> notifies) {
  auto isReached = [&](int64_t value) {
    return kind == pl::WaitKind::Equal ? value == expected : value >= expected;
  };
  if (isReached(0))
    return true;
  int64_t divisor = 0;
  bool grows = false;
  for (pl::NotifyOp notify : notifies) {
    std::optional<int64_t> value = getConstantIntValue(notify.getValue());
    if (!value)
      return true;
    if (notify.getKind() == pl::NotifyKind::Set) {
      // What is added to it later is not followed.
      if (*value != 0 && (isReached(*value) || notifies.size() > 1))
        return true;
      continue;
    }
    divisor = std::gcd(divisor, *value);
    grows |= (*value > 0) == (expected > 0) && *value != 0;
  }
  if (divisor == 0)
    return false;
  if (kind == pl::WaitKind::AtLeast)
    return grows;
  return grows && expected % divisor == 0;
}

InFlightDiagnostic WarnUnbalancedSignalsPass::warn(Operation *op) {
  hasErrors |= strict;
  return strict ? op->emitError() : op->emitWarning();
}

/// Remembers what `op` does to windows.
void WarnUnbalancedSignalsPass::collect(Operation *op) {
  if (isa<pl::AllocWindowOp>(op))
    return;
  if (auto notify = dyn_cast<pl::NotifyOp>(op)) {
    Value root = rootOfView(notify.getSignal());
    isUnknown |= !root;
    windows[root].notifies.push_back(notify);
    return;
  }
  if (auto wait = dyn_cast<pl::WaitOp>(op)) {
    Value root = rootOfView(wait.getSignal());
    isUnknown |= !root;
    windows[root].waits.push_back(wait);
    return;
  }
  if (auto peer = dyn_cast<pl::PeerOp>(op)) {
    WindowUses &uses = windows[rootOfView(peer.getSource())];
    uses.isRead |= peer.getUse() != pl::PeerUse::Write;
    uses.isWritten |= peer.getUse() != pl::PeerUse::Read;
    return;
  }
  if (isa<ViewLikeOpInterface>(op))
    return;
  // Loads, stores, and what hands a window to somewhere else.
  for (Value operand : op->getOperands()) {
    if (!isa<pl::TensorViewType>(operand.getType()))
      continue;
    Value root = rootOfView(operand);
    WindowUses &uses = windows[root];
    uses.isRead = uses.isWritten = true;
    bool leaves = isa<CallOpInterface>(op) ||
                  op->hasTrait<OpTrait::IsTerminator>() ||
                  op->getNumRegions() != 0;
    isUnknown |= leaves && (!root || root.getDefiningOp<pl::AllocWindowOp>());
  }
}

void WarnUnbalancedSignalsPass::checkWait(pl::WaitOp wait,
                                          const WindowUses &uses) {
  std::optional<int64_t> expected = getConstantIntValue(wait.getExpected());
  if (!expected || uses.isWritten)
    return;
  SmallVector<pl::NotifyOp> notifies;
  for (pl::NotifyOp notify : uses.notifies)
    if (mayBeSame(notify, wait))
      notifies.push_back(notify);
  if (canReach(wait.getKind(), *expected, notifies))
    return;
  bool isEqual = wait.getKind() == pl::WaitKind::Equal;
  InFlightDiagnostic warning = warn(wait);
  warning << "this waits for ever: the signal never "
          << (isEqual ? "is " : "reaches ") << *expected;
  if (notifies.empty())
    warning << ", because nothing changes it";
  for (pl::NotifyOp notify : notifies)
    warning.attachNote(notify.getLoc())
        << (notify.getKind() == pl::NotifyKind::Add ? "here it grows by "
                                                    : "here it becomes ")
        << *getConstantIntValue(notify.getValue());
}

void WarnUnbalancedSignalsPass::checkNotify(pl::NotifyOp notify,
                                            const WindowUses &uses) {
  // What is set may be a number for others to read.
  if (notify.getKind() != pl::NotifyKind::Add || uses.isRead)
    return;
  if (llvm::any_of(uses.waits,
                   [&](pl::WaitOp wait) { return mayBeSame(notify, wait); }))
    return;
  warn(notify) << "nobody waits for this signal";
}

/// True if the value is computed from the number of the rank.
static bool dependsOnRank(Value value, llvm::DenseSet<Value> &visited) {
  Operation *op = value.getDefiningOp();
  if (!op || !visited.insert(value).second || !isMemoryEffectFree(op) ||
      op->getNumRegions() != 0)
    return false;
  return isa<pl::RankOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOnRank(operand, visited);
         });
}

/// The purposes of the barriers in a region, in order; nothing if that
/// cannot be told.
static std::optional<SmallVector<StringRef>> barriersIn(Region &region) {
  SmallVector<StringRef> purposes;
  WalkResult result = region.walk([&](Operation *op) {
    if (auto barrier = dyn_cast<pl::MeetOp>(op)) {
      purposes.push_back(barrier.getPurpose());
      if (barrier->getParentRegion() != &region)
        return WalkResult::interrupt();
    }
    return isa<CallOpInterface>(op) ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  return purposes;
}

/// True if some ranks may wait here and others elsewhere, as `parent` has it.
static bool isForSomeRanks(Operation *parent) {
  llvm::DenseSet<Value> visited;
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return dependsOnRank(loop.getUpperBound(), visited) ||
           dependsOnRank(loop.getLowerBound(), visited);
  auto branch = dyn_cast<scf::IfOp>(parent);
  if (!branch || !dependsOnRank(branch.getCondition(), visited))
    return false;
  auto first = barriersIn(branch.getThenRegion());
  auto second = barriersIn(branch.getElseRegion());
  return !first || !second || *first != *second;
}

void WarnUnbalancedSignalsPass::checkBarrier(Operation *barrier) {
  for (Operation *parent = barrier->getParentOp();
       parent && !isa<func::FuncOp>(parent); parent = parent->getParentOp()) {
    if (!isForSomeRanks(parent))
      continue;
    InFlightDiagnostic warning = warn(barrier);
    warning << "not all ranks come here, where all must synchronise";
    warning.attachNote(parent->getLoc())
        << "this depends on the number of the rank";
    return;
  }
}

void WarnUnbalancedSignalsPass::runOnOperation() {
  markAllAnalysesPreserved();
  windows.clear();
  isUnknown = hasErrors = false;
  getOperation().walk([&](Operation *op) { collect(op); });
  getOperation().walk([&](Operation *op) {
    if (isa<pl::MeetOp, pl::AllocWindowOp>(op))
      checkBarrier(op);
  });
  for (auto &[window, uses] : windows) {
    if (isUnknown || !window || !window.getDefiningOp<pl::AllocWindowOp>())
      continue;
    for (pl::WaitOp wait : uses.waits)
      checkWait(wait, uses);
    for (pl::NotifyOp notify : uses.notifies)
      checkNotify(notify, uses);
  }
  if (hasErrors)
    signalPassFailure();
}
