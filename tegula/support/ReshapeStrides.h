// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether strided memory can be seen in another shape without a copy.

#ifndef TEGULA_SUPPORT_RESHAPESTRIDES_H
#define TEGULA_SUPPORT_RESHAPESTRIDES_H

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

/// Sets `strides` so that `rank` axes of `sizes` walk the elements of `source`
/// in row-major order. Returns false if no strides do. Both have equally many
/// elements.
///
/// Example: [4, 6] with strides [8, 1] is [2, 2, 6] with [16, 8, 1], and has no
/// strides as [24].
inline bool computeReshapedStrides(const StridedShape &source, int64_t rank,
                                   const int64_t *sizes, int64_t *strides) {
  bool isEmpty = false;
  int64_t rowMajor = 1;
  for (int64_t axis = rank; axis-- > 0;) {
    strides[axis] = rowMajor;
    rowMajor *= sizes[axis];
    isEmpty |= sizes[axis] == 0;
  }
  if (isEmpty)
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

} // namespace tegula

#endif // TEGULA_SUPPORT_RESHAPESTRIDES_H
