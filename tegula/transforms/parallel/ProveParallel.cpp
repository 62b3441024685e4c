// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/ir/extents/LinearForm.h"
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/ir/ops/attributes/LoopAttributes.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/memory/PerIterationSlots.h"
#include "tegula/transforms/parallel/InPlaceReductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace tegula {
#define GEN_PASS_DEF_PROVEPARALLEL
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::LinearForm;

/// Offsets that wrap around come back to where they were after 2^64 elements;
/// with slots this small no loop runs long enough to see that.
static constexpr int64_t mostWrappedSlot = int64_t(1) << 16;

/// Splits what the loop defines, other than its own variable, off an offset and
/// replaces it by its least and greatest value. False if those are not known,
/// or if a number does not fit.
static bool splitInner(pl::ParallelOp loop, LinearForm &offset, int64_t &least,
                       int64_t &greatest) {
  if (!offset.isKnown())
    return false;
  least = greatest = offset.constant;
  offset.constant = 0;
  LinearForm outer;
  for (auto [value, coefficient] : offset.terms) {
    if (value == loop.getInductionVar() ||
        !loop.getBody().isAncestor(value.getParentRegion())) {
      outer.terms[value] = coefficient;
      continue;
    }
    using Set = ValueBoundsConstraintSet;
    FailureOr<int64_t> low =
        Set::computeConstantBound(presburger::BoundType::LB, value);
    FailureOr<int64_t> high = Set::computeConstantBound(
        presburger::BoundType::UB, value, /*stopCondition=*/nullptr,
        /*closedUB=*/true);
    if (failed(low) || failed(high))
      return false;
    int64_t first, last;
    if (llvm::MulOverflow(coefficient, *low, first) ||
        llvm::MulOverflow(coefficient, *high, last) ||
        llvm::AddOverflow(least, std::min(first, last), least) ||
        llvm::AddOverflow(greatest, std::max(first, last), greatest))
      return false;
  }
  offset = outer;
  return true;
}

/// True if `size` is the step of the loop, or what it is unless it is not
/// positive: the loop does not run then.
static bool isStep(Value size, pl::ParallelOp loop) {
  auto positive = loop.getStep().getDefiningOp<arith::MaxSIOp>();
  return size &&
         (size == loop.getStep() || (positive && size == positive.getLhs() &&
                                     matchPattern(positive.getRhs(), m_One())));
}

namespace {

/// Where an access begins along an axis, and at most how many elements it
/// touches from there on.
struct Extent {
  LinearForm offset;
  std::optional<int64_t> bound;
  /// The number of elements as it is in the IR.
  Value size;
  /// False if computing the offset may wrap around.
  bool isExact = true;
};

} // namespace

static Extent extentOf(const Access &access, unsigned axis) {
  Extent extent;
  if (access.axes[axis].empty())
    return extent;
  const AccessWindow &window = access.axes[axis].back();
  extent.bound = window.bound;
  extent.size = window.size;
  for (Value offset : window.offsets) {
    extent.offset.add(LinearForm::of(offset), 1);
    extent.isExact &= pl::ExactArithmetic().isExactThroughout(offset);
  }
  return extent;
}

/// True if the accesses of one iteration fall, along `axis`, into a slot of
/// their own.
static bool hasOwnSlot(pl::ParallelOp loop, ArrayRef<const Access *> accesses,
                       unsigned axis) {
  SmallVector<Extent> extents;
  for (const Access *access : accesses)
    extents.push_back(extentOf(*access, axis));
  std::optional<LinearForm> base;
  int64_t low = 0, high = 0;
  bool isExactlyOneStep = true;
  for (const Extent &range : extents) {
    LinearForm offset = range.offset;
    int64_t least, greatest;
    if (!splitInner(loop, offset, least, greatest))
      return false;
    if (!base) {
      base = offset;
      low = least;
      high = least;
    }
    if (!(*base == offset))
      return false;
    isExactlyOneStep &= isStep(range.size, loop) && least == 0 && greatest == 0;
    if (!range.bound && !isExactlyOneStep)
      return false;
    int64_t end;
    if (llvm::AddOverflow(greatest, range.bound.value_or(0), end))
      return false;
    low = std::min(low, least);
    high = std::max(high, end);
  }
  int64_t coefficient = base->coefficientOf(loop.getInductionVar());
  if (coefficient == 1 && isExactlyOneStep)
    return true;
  llvm::APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      llvm::any_of(extents, [](const Extent &extent) { return !extent.bound; }))
    return false;
  bool isExact = llvm::all_of(
      extents, [](const Extent &extent) { return extent.isExact; });
  int64_t slot, taken;
  return coefficient != 0 && !llvm::SubOverflow(high, low, taken) &&
         !llvm::MulOverflow(coefficient, step.getSExtValue(), slot) &&
         slot != INT64_MIN && taken <= std::abs(slot) &&
         (isExact || std::abs(slot) <= mostWrappedSlot);
}

/// True for more than one element: a single one is added sooner than threads
/// have agreed on who does it.
static bool isOfTiles(Operation *half) {
  Value tile;
  if (auto load = dyn_cast<pl::LoadOp>(half))
    tile = load.getResult();
  else if (auto store = dyn_cast<pl::StoreOp>(half))
    tile = store.getTile();
  return tile && llvm::any_of(pl::getDims(tile.getType()), [](pl::Dim dim) {
           return !dim.hasBound() || dim.getBound() > 1;
         });
}

/// True if the accesses are in-place reductions that may come in any order: of
/// numbers that are not rounded, or if the author says so.
static bool areReorderable(ArrayRef<const Access *> accesses, bool isSaid) {
  return llvm::all_of(accesses, [&](const Access *access) {
    Type element = pl::getElementOrSelf(access->root.getType());
    return findOtherHalf(access->op) && isOfTiles(access->op) &&
           (isSaid || !pl::isFloat(element));
  });
}

/// True if all accesses scatter-add integers to a tensor, which a machine may
/// do by instructions that others do not get in between.
static bool areAtomicSums(ArrayRef<const Access *> accesses) {
  return llvm::all_of(accesses, [](const Access *access) {
    auto put = dyn_cast<pl::PutOp>(access->op);
    Type element = pl::getElementOrSelf(access->root.getType());
    return put && put.getAdd() && rootOfView(put.getSource()) != access->root &&
           rootOfView(put.getIndex()) != access->root &&
           (element.isInteger(32) || element.isInteger(64));
  });
}

/// The first written root whose accesses may overlap, null if there is none.
/// In-place reductions that overlap are no conflict, but are added to `sums`.
/// Scatter-adds may if they are atomic, and nothing has to be done for them.
static const Access *findConflict(pl::ParallelOp loop,
                                  ArrayRef<Access> accesses, bool hasAtomicSums,
                                  SmallVectorImpl<Operation *> &sums) {
  bool isSaid = loop->hasAttr(pl::saidAttrName);
  llvm::SmallDenseSet<Value> seen;
  for (const Access &write : accesses) {
    // One write stands for all to its root.
    if (!write.isWrite || !seen.insert(write.root).second)
      continue;
    SmallVector<const Access *> same;
    for (const Access &access : accesses)
      if (access.root == write.root)
        same.push_back(&access);
    bool isReshaped = llvm::any_of(
        same, [&](const Access *access) { return access->base != write.base; });
    unsigned rank = pl::getDims(write.base.getType()).size();
    auto axes = llvm::seq<unsigned>(0, rank);
    bool isApart =
        !isReshaped && (llvm::any_of(axes,
                                     [&](unsigned axis) {
                                       return hasOwnSlot(loop, same, axis);
                                     }) ||
                        havePerIterationSlots(loop, same));
    if (isApart || (hasAtomicSums && areAtomicSums(same)))
      continue;
    // Where an author has said so, what is no reduction is apart.
    if (isSaid)
      llvm::erase_if(same, [](const Access *access) {
        return !access->op->hasAttr(pl::atomicAttrName);
      });
    if (!areReorderable(same, isSaid))
      return &write;
    for (const Access *access : same)
      sums.push_back(access->op);
  }
  return nullptr;
}

/// Why the windows of a write are not known to be apart, and what would help.
static StringRef explain(pl::ParallelOp loop, const Access &write) {
  Type element = pl::getElementOrSelf(write.root.getType());
  if (findOtherHalf(write.op) && !isOfTiles(write.op))
    return "in a sum of single elements, for which threads do not pay: add up "
           "tiles";
  if (findOtherHalf(write.op) && pl::isFloat(element))
    return "in a sum whose rounding depends on the order: if any order will "
           "do, say so with pl.parallel(..., independent=True)";
  bool usesVariable = false, usesData = false;
  llvm::SmallDenseSet<Value> seen;
  SmallVector<Value> open;
  for (const auto &windows : write.axes)
    if (!windows.empty())
      llvm::append_range(open, windows.back().offsets);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!loop.getBody().isAncestor(value.getParentRegion()) ||
        !seen.insert(value).second)
      continue;
    usesVariable |= value == loop.getInductionVar();
    Operation *op = value.getDefiningOp();
    usesData |= isa_and_nonnull<pl::ReadOp>(op);
    // Where an inner loop begins is where its first window is.
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && value != loop.getInductionVar())
      op = argument.getOwner()->getParentOp();
    if (op && !usesData)
      llvm::append_range(open, op->getOperands());
  }
  if (usesData)
    return "where data says: if no two iterations find the same index there, "
           "say so with pl.parallel(..., independent=True)";
  return usesVariable
             ? "where windows are not known to be as far apart as they are "
               "long: let their offsets grow by their size with the loop's "
               "variable; or, if no iteration reads or writes what another "
               "writes, say pl.parallel(..., independent=True)"
             : "at the same index in every iteration";
}

namespace {

struct ProveParallelPass : tegula::impl::ProveParallelBase<ProveParallelPass> {
  using ProveParallelBase::ProveParallelBase;

  void runOnOperation() override {
    getOperation().walk([&](pl::ParallelOp loop) {
      // Nobody is waiting to hear of a loop that nobody wrote.
      bool isMade = static_cast<bool>(loop->removeAttr(pl::madeAttrName));
      if (loop.getIndependent() || (onlyMade && !isMade))
        return;
      std::optional<SmallVector<Access>> accesses = findAccesses(loop);
      if (!accesses) {
        loop->removeAttr(pl::saidAttrName);
        if (!isMade)
          loop.emitRemark("runs in order: it touches memory that is not known");
        return;
      }
      SmallVector<Operation *> sums;
      const Access *conflict = findConflict(loop, *accesses, atomicSums, sums);
      loop->removeAttr(pl::saidAttrName);
      if (conflict) {
        if (isMade)
          return;
        loop.emitRemark("runs in order: iterations may touch the same elements")
                .attachNote(conflict->op->getLoc())
            << "written here, " << explain(loop, *conflict);
        return;
      }
      loop.setIndependent(true);
      for (Operation *sum : sums)
        sum->setAttr(pl::lockedAttrName, UnitAttr::get(&getContext()));
    });
  }
};

} // namespace
