// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether strided memory can be seen in another shape without a copy, and what
/// else becomes of it.

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

/// The strides of elements that follow each other in row-major order.
inline void computePackedStrides(int64_t rank, const int64_t *sizes,
                                 int64_t *strides) {
  int64_t stride = 1;
  for (int64_t axis = rank; axis-- > 0;) {
    strides[axis] = stride;
    stride *= sizes[axis];
  }
}

/// Sets `strides` so that `rank` axes of `sizes` walk the elements of `source`
/// in row-major order. Returns false if no strides do. Both have equally many
/// elements.
///
/// Example: [4, 6] with strides [8, 1] is [2, 2, 6] with [16, 8, 1], and has no
/// strides as [24].
inline bool computeReshapedStrides(const StridedShape &source, int64_t rank,
                                   const int64_t *sizes, int64_t *strides) {
  computePackedStrides(rank, sizes, strides);
  for (int64_t axis = 0; axis < rank; ++axis)
    if (sizes[axis] == 0)
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

/// What becomes of memory that is to be seen in another shape.
enum class Reshaped { View, Copy, WrongCount, HasGaps };

/// A call of tegulaReshapeView: `shape` holds the sizes and strides of the
/// memory, the sizes that are wanted, and room for their strides.
struct Reshaping {
  StridedShape source;
  int64_t newRank;
  const int64_t *newSizes;
  int64_t *newStrides;
  /// Elements that are there, and that are wanted.
  int64_t have, want;

  Reshaping(int64_t *shape, int64_t rank, int64_t newRank)
      : source{rank, shape, shape + rank}, newRank(newRank),
        newSizes(shape + 2 * rank), newStrides(shape + 2 * rank + newRank),
        have(countElements(shape, rank)),
        want(countElements(newSizes, newRank)) {}

  /// Sets the new strides to those of the view, or of the copy. What must alias
  /// the memory is no copy.
  Reshaped run(bool mustAlias) const {
    if (have != want)
      return Reshaped::WrongCount;
    if (computeReshapedStrides(source, newRank, newSizes, newStrides))
      return Reshaped::View;
    if (mustAlias)
      return Reshaped::HasGaps;
    computePackedStrides(newRank, newSizes, newStrides);
    return Reshaped::Copy;
  }

  /// Bytes of a copy, with elements of so many; 0 is half a byte.
  int64_t countBytes(int64_t elementBytes) const {
    return elementBytes == 0 ? have / 2 + have % 2 : have * elementBytes;
  }
};

} // namespace tegula

#endif // TEGULA_SUPPORT_RESHAPESTRIDES_H
