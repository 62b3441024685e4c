// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ExactArithmetic.h"
#include "tegula/ir/LinearForm.h"
#include "tegula/ir/LoopAttributes.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/PlShapeOps.h"
#include "tegula/transforms/Passes.h"

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

namespace {

/// What an access touches along one axis of its root.
struct AxisRange {
  LinearForm offset;
  /// At most so many elements from the offset on, if that is known.
  std::optional<int64_t> bound;
  /// The number of elements as it is in the IR.
  Value size;
  /// False if computing the offset may wrap around.
  bool isExact = true;

  void addOffset(Value value) {
    offset.add(LinearForm::of(value), 1);
    isExact &= pl::ExactArithmetic().isExactThroughout(value);
  }
};

struct Access {
  Operation *op;
  Value root;
  /// What the axes are those of; the root unless that was reshaped.
  Value base;
  bool isWrite;
  SmallVector<AxisRange> axes;
};

} // namespace

static std::optional<int64_t> boundOf(Value size) {
  pl::Dim dim = pl::dimOfExtent(size);
  return dim.hasBound() ? std::optional(dim.getBound()) : std::nullopt;
}

/// The tensor whose axes tell the iterations of `loop` apart: what the slices
/// of a view start from. A tensor in another shape counts as one of its own if
/// it was made before the loop; one made inside touches no more than its
/// source.
static Value baseOfView(pl::ParallelOp loop, Value view,
                        SmallVectorImpl<pl::SliceOp> &slices) {
  while (Operation *op = view.getDefiningOp()) {
    if (auto slice = dyn_cast<pl::SliceOp>(op)) {
      slices.push_back(slice);
      view = slice.getSource();
      continue;
    }
    auto reshaped = dyn_cast<pl::ViewOp>(op);
    if (!reshaped || !loop.getBody().isAncestor(reshaped->getParentRegion()))
      return view;
    slices.clear();
    view = reshaped.getSource();
  }
  return view;
}

/// The part of its base that a view covers, axis by axis of the base. Axes that
/// no slice narrows have no bound.
static SmallVector<AxisRange> rangesOfView(pl::ParallelOp loop, Value view) {
  SmallVector<pl::SliceOp> slices;
  view = baseOfView(loop, view, slices);
  SmallVector<AxisRange> ranges;
  SmallVector<unsigned> rootAxes; // of each axis of the view so far
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(view.getType()))) {
    AxisRange range;
    if (dim.hasBound())
      range.bound = dim.getBound();
    ranges.push_back(range);
    rootAxes.push_back(axis);
  }
  for (pl::SliceOp slice : llvm::reverse(slices)) {
    for (auto [axis, rootAxis] : llvm::enumerate(rootAxes)) {
      AxisRange &range = ranges[rootAxis];
      range.addOffset(slice.getOffsets()[axis]);
      range.size = slice.getSizes()[axis];
      if (std::optional<int64_t> bound = boundOf(range.size))
        range.bound = range.bound ? std::min(*range.bound, *bound) : *bound;
    }
    SmallVector<unsigned> kept;
    for (auto [axis, rootAxis] : llvm::enumerate(rootAxes))
      if (!llvm::is_contained(slice.getDrop(), static_cast<int64_t>(axis)))
        kept.push_back(rootAxis);
    rootAxes = kept;
  }
  return ranges;
}

/// True if the view has another shape since the loop began.
static bool isReshapedIn(pl::ParallelOp loop, Value view) {
  while (auto viewLike = view.getDefiningOp<ViewLikeOpInterface>()) {
    if (isa<pl::ViewOp>(viewLike) &&
        loop.getBody().isAncestor(viewLike->getParentRegion()))
      return true;
    view = viewLike.getViewSource();
  }
  return false;
}

/// One element of a view. Fails to nothing only where the view drops axes,
/// whose ranges are then those of the view.
static SmallVector<AxisRange> rangesOfElement(pl::ParallelOp loop, Value view,
                                              ValueRange indices) {
  SmallVector<AxisRange> ranges = rangesOfView(loop, view);
  if (ranges.size() != indices.size() || isReshapedIn(loop, view))
    return ranges;
  for (auto [range, index] : llvm::zip_equal(ranges, indices)) {
    range.addOffset(index);
    range.bound = 1;
    range.size = {};
  }
  return ranges;
}

/// All accesses in the loop to memory that outlives an iteration. Nothing if
/// there is one that is not understood.
static std::optional<SmallVector<Access>> accessesOf(pl::ParallelOp loop) {
  SmallVector<Access> accesses;
  bool isKnown = true;
  auto add = [&](Operation *op, Value view, bool isWrite,
                 SmallVector<AxisRange> ranges) {
    Value root = rootOfView(view);
    isKnown &= static_cast<bool>(root);
    SmallVector<pl::SliceOp> slices;
    if (root && !loop.getBody().isAncestor(root.getParentRegion()))
      accesses.push_back({op, root, baseOfView(loop, view, slices), isWrite,
                          std::move(ranges)});
  };
  loop.getBody().walk([&](Operation *op) {
    if (auto write = dyn_cast<pl::WriteOp>(op)) {
      add(op, write.getTarget(), true,
          rangesOfElement(loop, write.getTarget(), write.getIndices()));
    } else if (auto read = dyn_cast<pl::ReadOp>(op)) {
      if (isa<pl::TensorViewType>(read.getSource().getType()))
        add(op, read.getSource(), false,
            rangesOfElement(loop, read.getSource(), read.getIndices()));
    } else if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
      SmallVector<MemoryEffects::EffectInstance> instances;
      effects.getEffects(instances);
      for (const MemoryEffects::EffectInstance &instance : instances) {
        bool isWrite = isa<MemoryEffects::Write>(instance.getEffect());
        if (!isWrite && !isa<MemoryEffects::Read>(instance.getEffect()))
          continue;
        if (Value view = instance.getValue())
          add(op, view, isWrite, rangesOfView(loop, view));
        else
          isKnown = false;
      }
    } else if (isa<CallOpInterface>(op)) {
      isKnown = false;
    }
  });
  if (!isKnown)
    return std::nullopt;
  return accesses;
}

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

/// True if the accesses of one iteration fall, along `axis`, into a slot of
/// their own.
static bool hasOwnSlot(pl::ParallelOp loop, ArrayRef<const Access *> accesses,
                       unsigned axis) {
  std::optional<LinearForm> base;
  int64_t low = 0, high = 0;
  bool isExactlyOneStep = true;
  for (const Access *access : accesses) {
    const AxisRange &range = access->axes[axis];
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
      llvm::any_of(accesses, [&](const Access *access) {
        return !access->axes[axis].bound;
      }))
    return false;
  bool isExact = llvm::all_of(accesses, [&](const Access *access) {
    return access->axes[axis].isExact;
  });
  int64_t slot, taken;
  return coefficient != 0 && !llvm::SubOverflow(high, low, taken) &&
         !llvm::MulOverflow(coefficient, step.getSExtValue(), slot) &&
         slot != INT64_MIN && taken <= std::abs(slot) &&
         (isExact || std::abs(slot) <= mostWrappedSlot);
}

/// The first written root whose accesses may meet, null if there is none.
static const Access *findConflict(pl::ParallelOp loop,
                                  ArrayRef<Access> accesses) {
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
    auto axes = llvm::seq<unsigned>(0, isReshaped ? 0 : rank);
    if (llvm::none_of(
            axes, [&](unsigned axis) { return hasOwnSlot(loop, same, axis); }))
      return &write;
  }
  return nullptr;
}

namespace {

struct ProveParallelPass : tegula::impl::ProveParallelBase<ProveParallelPass> {
  void runOnOperation() override {
    getOperation().walk([&](pl::ParallelOp loop) {
      // Nobody is waiting to hear of a loop that nobody wrote.
      bool isMade = static_cast<bool>(loop->removeAttr(pl::madeAttrName));
      std::optional<SmallVector<Access>> accesses = accessesOf(loop);
      if (!accesses) {
        if (!isMade)
          loop.emitRemark("runs in order: it touches memory that is not known");
        return;
      }
      if (const Access *conflict = findConflict(loop, *accesses)) {
        if (isMade)
          return;
        loop.emitRemark("runs in order: iterations may touch the same elements")
                .attachNote(conflict->op->getLoc())
            << "written here";
        return;
      }
      loop.setIndependent(true);
    });
  }
};

} // namespace
