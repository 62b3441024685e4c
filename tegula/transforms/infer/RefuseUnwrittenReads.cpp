// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/tile/Placeholders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tegula {
#define GEN_PASS_DEF_REFUSEUNWRITTENREADS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// Where memory is read and written, through all views of it.
struct MemoryUses {
  SmallVector<Operation *> reads, writes;
  /// True if it is handed to something that may do anything with it.
  bool isLost = false;
};

struct RefuseUnwrittenReadsPass
    : tegula::impl::RefuseUnwrittenReadsBase<RefuseUnwrittenReadsPass> {
  void runOnOperation() override;
};

} // namespace

/// Adds what `op` does to the memory that `view` shows.
static void addUse(Operation *op, Value view, MemoryUses &uses) {
  if (isa<pl::DimOp>(op))
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  auto known = dyn_cast<MemoryEffectOpInterface>(op);
  bool isOrdinary =
      known && op->getNumRegions() == 0 &&
      llvm::none_of(op->getResultTypes(), llvm::IsaPred<pl::TensorViewType>);
  if (!isOrdinary) {
    uses.isLost = true;
    return;
  }
  known.getEffectsOnValue(view, effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      uses.reads.push_back(op);
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      uses.writes.push_back(op);
  }
}

/// The uses in about the order of the program: the last one is found first.
static MemoryUses usesOf(Value tensor) {
  MemoryUses uses;
  SmallVector<Value> views = {tensor};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (auto further = dyn_cast<ViewLikeOpInterface>(user))
        views.append(further->result_begin(), further->result_end());
      else
        addUse(user, view, uses);
    }
  }
  std::reverse(uses.reads.begin(), uses.reads.end());
  std::reverse(uses.writes.begin(), uses.writes.end());
  return uses;
}

/// True if what `write` writes to memory made by `origin` may be there when
/// `read` reads it.
static bool mayReach(Operation *write, Operation *read, Operation *origin) {
  // The innermost op around both.
  Operation *around = read->getParentOp();
  Operation *last = read;
  while (!around->isProperAncestor(write)) {
    last = around;
    around = around->getParentOp();
  }
  // An earlier iteration of a loop may have written it; but each iteration
  // makes memory of its own that is made inside.
  for (Operation *op = around;
       op->isProperAncestor(read) && !op->isProperAncestor(origin);
       op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      return true;
  Operation *first = write;
  while (first->getParentOp() != around)
    first = first->getParentOp();
  if (first->getBlock() == last->getBlock())
    return first->isBeforeInBlock(last);
  // Of two branches one is taken.
  return !isa<scf::IfOp>(around);
}

/// True if some of `writes` happen whichever way the branches in `op` go.
static bool alwaysWrites(Operation *op, ArrayRef<Operation *> writes) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return llvm::any_of(
        writes, [&](Operation *write) { return op->isAncestor(write); });
  return llvm::all_of(branch->getRegions(), [&](Region &region) {
    return !region.empty() &&
           llvm::any_of(region.front(), [&](Operation &inner) {
             return alwaysWrites(&inner, writes);
           });
  });
}

/// True if all that writes before `read` is in branches next to it that may not
/// run. Where loops or branches are around the read the author may know better.
static bool isLeftToBranches(Operation *read, Operation *origin,
                             ArrayRef<Operation *> writes) {
  if (read->getBlock() != origin->getBlock())
    return false;
  return llvm::none_of(*read->getBlock(), [&](Operation &op) {
    return op.isBeforeInBlock(read) && alwaysWrites(&op, writes);
  });
}

static void warnOfBranches(Operation *read, pl::CreateTensorOp created) {
  InFlightDiagnostic warning = read->emitWarning(
      "a tensor is read that is written in a branch only; where that does not "
      "run, what is in it is undefined");
  warning.attachNote(created.getLoc())
      << "made here; give pl.create_tensor an init_value, or write to it in "
         "the other branch as well";
}

/// The first iteration of a loop gives the variable its value; else it begins
/// with zeros, which the author should say.
static void settlePlaceholder(pl::LoadOp load, pl::CreateTensorOp created) {
  if (Operation *use = findFirstUse(load)) {
    InFlightDiagnostic warning = use->emitWarning(
        "a tensor is read to which nothing has been written; it is taken to be "
        "zero");
    warning.attachNote(created.getLoc())
        << "made here; give pl.create_tensor an init_value, or use pl.full";
  }
  replaceByZeros(load);
}

void RefuseUnwrittenReadsPass::runOnOperation() {
  markAllAnalysesPreserved();
  SmallVector<pl::CreateTensorOp> tensors;
  getOperation().walk(
      [&](pl::CreateTensorOp created) { tensors.push_back(created); });
  for (pl::CreateTensorOp created : tensors) {
    MemoryUses uses = usesOf(created);
    if (uses.isLost)
      continue;
    bool hasWarned = false;
    for (Operation *read : uses.reads) {
      bool isWritten = llvm::any_of(uses.writes, [&](Operation *write) {
        return mayReach(write, read, created);
      });
      if (isWritten && !hasWarned &&
          isLeftToBranches(read, created, uses.writes)) {
        warnOfBranches(read, created);
        hasWarned = true;
      }
      if (isWritten)
        continue;
      if (auto load = dyn_cast<pl::LoadOp>(read); load && isPlaceholder(load)) {
        settlePlaceholder(load, created);
        continue;
      }
      InFlightDiagnostic error =
          read->emitError("a tensor is read to which nothing has been written");
      error.attachNote(created.getLoc())
          << "made here; write to it first, or give pl.create_tensor an "
             "init_value";
      return signalPassFailure();
    }
  }
}
