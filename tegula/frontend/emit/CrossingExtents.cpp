// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that come around a loop, out of a branch or out of a call: what says
// how long they are.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tegula/frontend/emit/BoundedExtent.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/extents/IndexRange.h"
#include "llvm/ADT/DenseSet.h"

using namespace tegula;
using namespace mlir;
using pl::getDims;

BlockArgument tegula::asParameter(Value value) {
  auto stated = value ? value.getDefiningOp<pl::WithExtentsOp>() : nullptr;
  auto argument =
      dyn_cast_or_null<BlockArgument>(stated ? stated.getSource() : value);
  bool isParameter =
      argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isParameter ? argument : BlockArgument();
}

std::vector<CrossingExtent> CrossingExtents::find(ValueRange values) {
  std::vector<CrossingExtent> extents;
  for (auto [position, value] : llvm::enumerate(values)) {
    if (!isa<pl::TileType, pl::TensorViewType>(value.getType()))
      continue;
    ArrayRef<pl::Dim> dims = getDims(value.getType());
    bool hasAny = llvm::any_of(dims, [](pl::Dim dim) { return dim.isAny(); });
    for (auto [axis, dim] : llvm::enumerate(dims))
      if (!dim.isExact())
        extents.push_back({static_cast<unsigned>(position),
                           static_cast<unsigned>(axis), Value(), hasAny});
  }
  return extents;
}

void CrossingExtents::dropUnknown(std::vector<CrossingExtent> &extents) {
  llvm::SmallDenseSet<unsigned> unknown;
  for (const CrossingExtent &extent : extents)
    if (!extent.known && !extent.mustBeSaid)
      unknown.insert(extent.position);
  llvm::erase_if(extents, [&](const CrossingExtent &extent) {
    return unknown.contains(extent.position);
  });
}

bool CrossingExtents::isSameAcross(const CrossingExtent &extent, Value here,
                                   Value there) {
  if (extent.mustBeSaid)
    return emitter.extents.isEqual(here, there);
  return here && (here == there || pl::constantDifference(here, there) == 0);
}

void CrossingExtents::state(Location loc, ArrayRef<CrossingExtent> extents,
                            MutableArrayRef<Value> values, ValueRange further) {
  for (const CrossingExtent *next = extents.begin(); next != extents.end();) {
    Value &value = values[next->position];
    SmallVector<Value> operands;
    for (auto [axis, dim] : llvm::enumerate(getDims(value.getType()))) {
      if (dim.isExact()) {
        operands.push_back(emitter.scalars.index(dim.getBound()));
        continue;
      }
      assert(next->axis == axis && "every axis that is not exact is listed");
      operands.push_back(boundedBy(
          emitter, loc, next->known ? next->known : further.front(), dim));
      if (!next->known)
        further = further.drop_front();
      ++next;
    }
    value = pl::WithExtentsOp::create(builder, loc, value, operands);
  }
}

void CrossingExtents::addFurther(Location loc, ArrayRef<CrossingExtent> extents,
                                 SmallVectorImpl<Value> &values) {
  for (const CrossingExtent &extent : extents)
    if (!extent.known)
      values.push_back(
          emitter.extents.settled(loc, values[extent.position], extent.axis));
}

Value CrossingExtents::simple(Location loc, Value shaped, unsigned axis) {
  auto roots = pl::nearRootsOfExtent(shaped, axis);
  if (roots.size() != 1)
    return {};
  const pl::ExtentRoot &root = roots.front();
  if (auto constant = dyn_cast_if_present<Attribute>(root.value))
    return emitter.scalars.index(llvm::cast<IntegerAttr>(constant).getInt());
  Value from = root.value ? llvm::cast<Value>(root.value) : root.shaped;
  if (!emitter.extents.isVisible(from))
    return {};
  return root.value ? from : emitter.extents.settled(loc, from, root.axis);
}
