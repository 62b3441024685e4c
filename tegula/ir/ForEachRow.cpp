// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ForEachRow.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula::pl;
using llvm::ArrayRef;

llvm::SmallVector<int64_t, 4>
tegula::pl::rowMajorStrides(ArrayRef<int64_t> extents) {
  llvm::SmallVector<int64_t, 4> strides(extents.size(), 1);
  for (size_t axis = extents.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * extents[axis];
  return strides;
}

void tegula::pl::forEachRow(
    ArrayRef<int64_t> extents,
    llvm::function_ref<void(ArrayRef<int64_t>, int64_t)> visit) {
  if (llvm::is_contained(extents, 0))
    return;
  llvm::SmallVector<int64_t, 4> index(extents.size(), 0);
  int64_t length = extents.empty() ? 1 : extents.back();
  while (true) {
    visit(index, length);
    // Counts up the axes above the last one, the inner ones fastest.
    size_t axis = extents.empty() ? 0 : extents.size() - 1;
    while (axis > 0 && ++index[axis - 1] == extents[axis - 1])
      index[--axis] = 0;
    if (axis == 0)
      return;
  }
}

void tegula::pl::copySlots(ArrayRef<int64_t> extents,
                           const Strided<const Slot> &source,
                           const Strided<Slot> &target) {
  forEachRow(extents, [&](ArrayRef<int64_t> index, int64_t length) {
    auto [from, fromStride] = source.row(index);
    auto [to, toStride] = target.row(index);
    for (int64_t column = 0; column < length; ++column)
      to[column * toStride] = from[column * fromStride];
  });
}
