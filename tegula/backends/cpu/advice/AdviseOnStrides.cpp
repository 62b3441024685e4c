// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/advice/Advice.h"

#include "tegula/ir/MemoryAccess.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tegula;
using llvm::formatv;

/// The axis of a parameter, or of a tensor the kernel makes, that an axis of a
/// window of it is; nothing if it was given another shape in between.
static std::optional<unsigned> axisInRoot(Value view, unsigned axis) {
  while (auto slice = view.getDefiningOp<pl::SliceOp>()) {
    axis = slice.getSourceAxis(axis);
    view = slice.getSource();
  }
  return view == rootOfView(view) ? std::optional(axis) : std::nullopt;
}

/// The last axis with more than one element, along which loops go.
static std::optional<unsigned> traversedAxis(ArrayRef<int64_t> extents) {
  for (unsigned axis = extents.size(); axis-- > 0;)
    if (extents[axis] > 1)
      return axis;
  return std::nullopt;
}

/// An axis of the whole tensor whose elements are contiguous.
static std::optional<unsigned> denseAxis(ArrayRef<int64_t> extents,
                                         ArrayRef<int64_t> strides) {
  for (unsigned axis = extents.size(); axis-- > 0;)
    if (strides[axis] == 1 && extents[axis] > 1)
      return axis;
  return std::nullopt;
}

/// What to do about it: the kernel goes down a column of rows that are whole,
/// or the rows that the call brings have gaps.
static std::string adviseChange(const std::string &name, unsigned traversed,
                                std::optional<unsigned> dense, unsigned rank,
                                bool isParameter) {
  if (dense && *dense == rank - 1)
    return formatv("they are contiguous along axis {0}: let a tile cover "
                   "axis {0} and a loop go over axis {1}, or {2}",
                   *dense, traversed,
                   isParameter ? "transpose " + name + " once before"
                               : "make it with axis " +
                                     std::to_string(traversed) + " last");
  std::string layout =
      dense ? formatv("they are contiguous along axis {0}", *dense).str()
            : "they are contiguous along no axis";
  return formatv("{0}: {1}", layout,
                 isParameter ? "pass a copy whose rows have no gaps, such as "
                               "numpy.ascontiguousarray makes"
                             : "make the tensor with its longest axis last");
}

static void advise(Advised &advised, Operation *op, Value view,
                   const char *does) {
  std::optional<Extents> extents = advised.shapes.findExtents(view);
  std::optional<Extents> strides = advised.shapes.findStrides(view);
  if (!extents || !strides)
    return;
  std::optional<unsigned> axis = traversedAxis(*extents);
  double elements = elementsOf(*extents);
  if (!axis || (*strides)[*axis] == 1 ||
      elements * advised.shapes.countRuns(op) < leastAdvised)
    return;
  Value root = rootOfView(view);
  std::optional<unsigned> traversed = axisInRoot(view, *axis);
  if (!root || !traversed)
    return;
  std::optional<Extents> whole = advised.shapes.findExtents(root);
  std::optional<Extents> steps = advised.shapes.findStrides(root);
  if (!whole || !steps)
    return;
  std::string name = nameTensor(root);
  int64_t apart = (*strides)[*axis];
  std::string what =
      apart == 0
          ? formatv("{0} the same element of {1} again and again along axis "
                    "{2}, which has a stride of 0",
                    does, name, *traversed)
          : formatv("{0} {1} along axis {2}, where elements lie {3} apart",
                    does, name, *traversed, apart)
                .str();
  advised.remark(op->getLoc(),
                 what + "; " +
                     adviseChange(name, *traversed, denseAxis(*whole, *steps),
                                  whole->size(), isa<BlockArgument>(root)));
}

void tegula::adviseOnStrides(Advised &advised) {
  advised.function.walk([&](Operation *op) {
    if (auto load = dyn_cast<pl::LoadOp>(op))
      advise(advised, op, load.getSource(), "reads");
    if (auto store = dyn_cast<pl::StoreOp>(op))
      advise(advised, op, store.getTarget(), "writes");
  });
}
