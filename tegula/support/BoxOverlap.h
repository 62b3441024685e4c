// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether two boxes of one layout share an element, such as slices of columns
/// of one matrix. What is laid out otherwise is asked elsewhere.

#ifndef TEGULA_SUPPORT_BOXOVERLAP_H
#define TEGULA_SUPPORT_BOXOVERLAP_H

#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstdint>

namespace tegula {

/// Two boxes of elements of the same size. With elements of both at one
/// address, `distance` = sum((i - j) * stride) over the axes.
class BoxOverlap {
public:
  /// Where elements lie. Strides are in elements.
  struct Box {
    /// The address of the first element.
    int64_t address;
    int64_t elementBytes;
    llvm::ArrayRef<int64_t> sizes;
    llvm::ArrayRef<int64_t> strides;
  };

  BoxOverlap(const Box &lhs, const Box &rhs) : lhs(lhs), rhs(rhs) {}

  /// True if both are laid out alike, with axes that nest, outermost first.
  bool isApplicable() const {
    if (lhs.elementBytes != rhs.elementBytes ||
        lhs.sizes.size() != rhs.sizes.size() ||
        (rhs.address - lhs.address) % lhs.elementBytes != 0)
      return false;
    int64_t inner = 0;
    for (size_t axis = lhs.sizes.size(); axis-- > 0;) {
      int64_t stride = lhs.strides[axis];
      if (stride != rhs.strides[axis] || stride <= inner)
        return false;
      inner += (std::max(lhs.sizes[axis], rhs.sizes[axis]) - 1) * stride;
    }
    return true;
  }

  /// True if they do. They must be laid out alike.
  bool exists() const {
    return search(0, (rhs.address - lhs.address) / lhs.elementBytes);
  }

private:
  bool search(size_t axis, int64_t distance) const {
    if (axis == lhs.sizes.size())
      return distance == 0;
    int64_t stride = lhs.strides[axis];
    int64_t steps = distance / stride - (distance % stride < 0);
    // What is left is less than a stride, on either side.
    for (int64_t step : {steps, steps + 1})
      if (step > -rhs.sizes[axis] && step < lhs.sizes[axis] &&
          search(axis + 1, distance - step * stride))
        return true;
    return false;
  }

  const Box &lhs, &rhs;
};

} // namespace tegula

#endif // TEGULA_SUPPORT_BOXOVERLAP_H
