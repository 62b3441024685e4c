// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Traverses the elements of tiles and tensors row by row.

#ifndef TEGULA_IR_FOREACHROW_H
#define TEGULA_IR_FOREACHROW_H

#include "tegula/ir/interpreter/Interpreter.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::pl {

/// The place of an element in a tile; with an empty tile, 0.
inline int64_t flatIndex(const Tile &tile, llvm::ArrayRef<int64_t> index) {
  int64_t flat = 0;
  for (size_t axis = 0; axis < index.size(); ++axis)
    flat = flat * tile.extents[axis] + index[axis];
  return flat;
}

/// Elements from one index of each axis to the next in a row-major tile.
llvm::SmallVector<int64_t, 4> rowMajorStrides(llvm::ArrayRef<int64_t> extents);

/// Calls `visit` with the index of the first element of each row and the length
/// of the row, in row-major order. Visits nothing if some extent is 0, and one
/// row of length 1 if there are no axes.
void forEachRow(
    llvm::ArrayRef<int64_t> extents,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit);

/// Elements of memory or of a tile, read or written through strides.
template <typename Element> struct Strided {
  Element *origin;
  llvm::SmallVector<int64_t, 4> strides;

  /// The element at the start of a row and the stride along the row.
  std::pair<Element *, int64_t> row(llvm::ArrayRef<int64_t> index) const {
    Element *start = origin;
    for (size_t axis = 0; axis < index.size(); ++axis)
      start += index[axis] * strides[axis];
    return {start, strides.empty() ? 0 : strides.back()};
  }
};

/// Copies `extents` elements between two layouts of slots.
void copySlots(llvm::ArrayRef<int64_t> extents,
               const Strided<const Slot> &source, const Strided<Slot> &target);

} // namespace tegula::pl

#endif // TEGULA_IR_FOREACHROW_H
