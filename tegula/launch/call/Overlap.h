// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether strided views share memory. Views of one buffer that interleave,
/// such as its even and its odd columns, are told apart exactly.

#ifndef TEGULA_LAUNCH_CALL_OVERLAP_H
#define TEGULA_LAUNCH_CALL_OVERLAP_H

#include "tegula/support/TensorView.h"
#include <cstdint>

namespace tegula {

/// The addresses a view touches: from `low` up to, not including, `high`.
struct AddressRange {
  uintptr_t low;
  uintptr_t high;

  bool isEmpty() const { return low == high; }
  bool overlaps(const AddressRange &other) const {
    return low < other.high && other.low < high;
  }
};

/// Computes the range of `view`, whose extents are not negative. Returns false
/// if it does not fit the address space. A view without elements has an empty
/// range.
bool computeRange(const TensorView &view, AddressRange &range);

/// True if some byte may belong to both views: always when one does, and also
/// when the search for one would take too long (more than some thousand
/// steps). Both views have elements and ranges that fit the address space.
bool mayShareMemory(const TensorView &lhs, const TensorView &rhs);

/// The first axis along which two elements of `view` share memory, or its rank
/// if all elements are distinct. Axes must nest: each stride must reach past
/// what the smaller strides span.
unsigned findSelfOverlap(const TensorView &view);

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_OVERLAP_H
