// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/parallel/LoopAccesses.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlShapeOps.h"

using namespace mlir;
using namespace tegula;

using Axes = SmallVector<SmallVector<AccessWindow, 2>>;

static std::optional<int64_t> lesser(std::optional<int64_t> lhs,
                                     std::optional<int64_t> rhs) {
  return lhs && rhs ? std::min(*lhs, *rhs) : lhs ? lhs : rhs;
}

static std::optional<int64_t> boundOf(pl::Dim dim) {
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
    if (auto stated = dyn_cast<pl::WithExtentsOp>(op)) {
      view = stated.getSource();
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

/// Narrows an axis of `dim` to the window from `offset` on.
static void addWindow(SmallVectorImpl<AccessWindow> &windows, pl::Dim dim,
                      Value offset, Value size, std::optional<int64_t> bound) {
  AccessWindow window;
  window.bound = lesser(boundOf(dim), bound);
  if (!windows.empty()) {
    window = windows.back();
    window.bound = lesser(window.bound, bound);
  }
  window.offsets.push_back(offset);
  window.size = size;
  windows.push_back(std::move(window));
}

/// The part of its base that a view covers, axis by axis of the base, and the
/// axes of the base that are those of the view.
static Axes axesOfView(pl::ParallelOp loop, Value view,
                       SmallVectorImpl<unsigned> &shown) {
  SmallVector<pl::SliceOp> slices;
  view = baseOfView(loop, view, slices);
  ArrayRef<pl::Dim> dims = pl::getDims(view.getType());
  Axes axes(dims.size());
  shown = llvm::to_vector(llvm::seq<unsigned>(0, dims.size()));
  for (pl::SliceOp slice : llvm::reverse(slices)) {
    SmallVector<unsigned> kept;
    for (auto [axis, at] : llvm::enumerate(shown)) {
      Value size = slice.getSizes()[axis];
      addWindow(axes[at], dims[at], slice.getOffsets()[axis], size,
                boundOf(pl::dimOfExtent(size)));
      if (!llvm::is_contained(slice.getDrop(), static_cast<int64_t>(axis)))
        kept.push_back(at);
    }
    shown.assign(kept.begin(), kept.end());
  }
  return axes;
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

/// One element of a view, or all of it where that was reshaped.
static Axes axesOfElement(pl::ParallelOp loop, Value view, ValueRange indices) {
  SmallVector<unsigned> shown;
  Axes axes = axesOfView(loop, view, shown);
  if (isReshapedIn(loop, view))
    return axes;
  for (auto [at, index] : llvm::zip_equal(shown, indices))
    addWindow(axes[at], pl::Dim::exactly(1), index, {}, 1);
  return axes;
}

namespace {

/// Collects the accesses of a loop.
struct Search {
  pl::ParallelOp loop;
  SmallVector<Access> accesses;
  bool isKnown = true;

  void add(Operation *op, Value view, bool isWrite, Axes axes) {
    Value root = rootOfView(view);
    isKnown &= static_cast<bool>(root);
    SmallVector<pl::SliceOp> slices;
    if (root && !loop.getBody().isAncestor(root.getParentRegion()))
      accesses.push_back(
          {op, root, baseOfView(loop, view, slices), isWrite, std::move(axes)});
  }
  void visit(Operation *op);
  void visitEffects(MemoryEffectOpInterface op);
};

} // namespace

void Search::visitEffects(MemoryEffectOpInterface op) {
  SmallVector<MemoryEffects::EffectInstance> instances;
  op.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    bool isWrite = isa<MemoryEffects::Write>(instance.getEffect());
    if (!isWrite && !isa<MemoryEffects::Read>(instance.getEffect()))
      continue;
    Value view = instance.getValue();
    SmallVector<unsigned> shown;
    if (view)
      add(op, view, isWrite, axesOfView(loop, view, shown));
    else
      isKnown = false;
  }
}

void Search::visit(Operation *op) {
  if (auto write = dyn_cast<pl::WriteOp>(op)) {
    add(op, write.getTarget(), true,
        axesOfElement(loop, write.getTarget(), write.getIndices()));
  } else if (auto read = dyn_cast<pl::ReadOp>(op)) {
    if (isa<pl::TensorViewType>(read.getSource().getType()))
      add(op, read.getSource(), false,
          axesOfElement(loop, read.getSource(), read.getIndices()));
  } else if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    visitEffects(effects);
  } else if (isa<CallOpInterface>(op)) {
    isKnown = false;
  }
}

std::optional<SmallVector<Access>> tegula::findAccesses(pl::ParallelOp loop) {
  Search search{loop, {}};
  loop.getBody().walk([&](Operation *op) { search.visit(op); });
  if (!search.isKnown)
    return std::nullopt;
  return std::move(search.accesses);
}
