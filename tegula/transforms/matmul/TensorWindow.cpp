// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/TensorWindow.h"

using namespace mlir;
using namespace tegula;

RowExtent tegula::findExtent(Value view, unsigned axis) {
  if (auto made = view.getDefiningOp<pl::CreateTensorOp>())
    return RowExtent::of(made.getSizes()[axis]);
  if (auto slice = view.getDefiningOp<pl::SliceOp>()) {
    unsigned from = slice.getSourceAxis(axis);
    RowExtent size = RowExtent::of(slice.getSizes()[from]);
    if (isZero(slice.getOffsets()[from]) &&
        size == findExtent(slice.getSource(), from))
      return size;
  }
  if (pl::getDims(view.getType())[axis].isExact())
    return RowExtent::of(view, axis);
  if (auto known = view.getDefiningOp<pl::WithExtentsOp>())
    return RowExtent::of(known.getExtents()[axis]);
  return isa<BlockArgument>(view) ? RowExtent::of(view, axis) : RowExtent();
}

/// True if a size is known to be no less than a length.
static bool reaches(Value size, const RowExtent &length) {
  RowExtent known = RowExtent::of(size);
  return known == length ||
         (known.number && length.number && *known.number >= *length.number);
}

/// Windows lie in each other, the innermost first: those around the one that
/// moves have all of the axis, and those in it all of that one.
static bool findLoop(ArrayRef<pl::SliceOp> slices, unsigned axis,
                     ArrayRef<AxisLoop> loops, IsIteration isIteration,
                     WindowAxis &found) {
  AxisLoop &loop = found.loop;
  for (pl::SliceOp slice : llvm::reverse(slices)) {
    Value offset = slice.getOffsets()[axis], size = slice.getSizes()[axis];
    if (isZero(offset)) {
      if (reaches(size, found.extent) ||
          (loop &&
           (reaches(size, RowExtent::of(loop.step)) || loop.isRest(size))))
        continue;
      return false;
    }
    const auto *moved = llvm::find_if(
        loops, [&](const AxisLoop &any) { return any.variable == offset; });
    if (loop || moved == loops.end() || !isZero(moved->lower) ||
        !(RowExtent::of(moved->upper) == found.extent) ||
        !isIteration(*moved, size))
      return false;
    loop = *moved;
  }
  return true;
}

std::optional<TensorWindow> TensorWindow::find(Value view, Operation *root,
                                               ArrayRef<AxisLoop> loops,
                                               IsIteration isIteration) {
  SmallVector<pl::SliceOp> slices;
  while (auto slice = view.getDefiningOp<pl::SliceOp>()) {
    if (!root->isProperAncestor(slice))
      break;
    if (!slice.getDrop().empty())
      return std::nullopt;
    slices.push_back(slice);
    view = slice.getSource();
  }
  if (Operation *made = view.getDefiningOp();
      made && root->isProperAncestor(made))
    return std::nullopt;
  TensorWindow window{view, {}};
  for (unsigned axis = 0; axis < pl::getDims(view.getType()).size(); ++axis) {
    WindowAxis found{findExtent(view, axis), {}};
    if (!findLoop(slices, axis, loops, isIteration, found))
      return std::nullopt;
    window.axes.push_back(found);
  }
  return window;
}
