// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether strided memory can be seen in another shape without a copy, and what
/// else becomes of it.

#ifndef TEGULA_SUPPORT_RESHAPESTRIDES_H
#define TEGULA_SUPPORT_RESHAPESTRIDES_H

#include "tegula/support/KernelAbi.h"

#include <cstdint>

namespace tegula {

/// The extents and strides of one view of memory.
struct StridedShape {
  int64_t rank;
  const int64_t *sizes;
  const int64_t *strides;
};

/// How many elements there are; as many as can be counted if there are more.
inline int64_t countElements(const int64_t *sizes, int64_t rank) {
  int64_t count = 1;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (sizes[axis] == 0)
      return 0;
    else if (__builtin_mul_overflow(count, sizes[axis], &count))
      count = INT64_MAX;
  return count;
}

/// The strides of elements that follow each other in row-major order.
inline void computePackedStrides(int64_t rank, const int64_t *sizes,
                                 int64_t *strides) {
  int64_t stride = 1;
  for (int64_t axis = rank; axis-- > 0;) {
    strides[axis] = stride;
    stride *= sizes[axis];
  }
}

/// Sets `strides` so that `rank` axes of `sizes` traverse the elements of
/// `source` in row-major order. Returns false if no strides do. Both have
/// equally many elements.
///
/// Example: [4, 6] with strides [8, 1] is [2, 2, 6] with [16, 8, 1], and has no
/// strides as [24].
inline bool computeReshapedStrides(const StridedShape &source, int64_t rank,
                                   const int64_t *sizes, int64_t *strides) {
  computePackedStrides(rank, sizes, strides);
  if (countElements(sizes, rank) == 0)
    return true;
  // From the last axis back, axes of the source that are contiguous are one
  // run; `left` elements of it, `stride` apart, are not in the result yet.
  int64_t from = source.rank, left = 1, stride = 1;
  for (int64_t axis = rank; axis-- > 0;) {
    if (sizes[axis] == 1)
      continue;
    if (left == 1) {
      while (source.sizes[--from] == 1) {
      }
      left = source.sizes[from];
      stride = source.strides[from];
      for (; from > 0 && (source.sizes[from - 1] == 1 ||
                          source.strides[from - 1] == left * stride);
           --from)
        left *= source.sizes[from - 1];
    }
    if (left % sizes[axis] != 0)
      return false;
    strides[axis] = stride;
    left /= sizes[axis];
    stride *= sizes[axis];
  }
  return true;
}

/// tegulaReshapeView of whoever has errors and memory of his own: `shape` holds
/// the sizes and strides of `data`, the sizes that are wanted, and room for
/// their strides. `report` gets the kind of an error with the elements that are
/// there and those that are wanted; `copy` makes a copy of so many elements in
/// row-major order, and sets their strides.
template <typename Report, typename Copy>
void *reshapeView(void *data, int64_t *shape, int64_t rank, int64_t newRank,
                  int32_t mustAlias, Report report, Copy copy) {
  StridedShape source{rank, shape, shape + rank};
  const int64_t *newSizes = shape + 2 * rank;
  int64_t *newStrides = shape + 2 * rank + newRank;
  int64_t have = countElements(shape, rank);
  int64_t want = countElements(newSizes, newRank);
  if (have != want) {
    report(TegulaWrongCount, have, want);
    return nullptr;
  }
  // Null says that it failed; what has no elements may lie nowhere.
  if (computeReshapedStrides(source, newRank, newSizes, newStrides))
    return data ? data : shape;
  if (mustAlias) {
    report(TegulaMemoryHasGaps, 0, 0);
    return nullptr;
  }
  return copy(have, newSizes, newStrides);
}

/// Bytes of so many elements, of so many bytes each; 0 is half a byte.
inline int64_t countDenseBytes(int64_t count, int64_t elementBytes) {
  return elementBytes == 0 ? count / 2 + count % 2 : count * elementBytes;
}

} // namespace tegula

#endif // TEGULA_SUPPORT_RESHAPESTRIDES_H
