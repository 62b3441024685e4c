// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/call/Overlap.h"

#include "tegula/support/PackedBytes.h"

#include <algorithm>

using namespace tegula;

using Wide = __int128;

bool tegula::computeRange(const TensorView &view, AddressRange &range) {
  if (isHalfByte(view.dtype))
    return computeRange(toBytes(view), range);
  uintptr_t start = reinterpret_cast<uintptr_t>(view.data);
  int64_t below = 0, above = 0;
  for (unsigned axis = 0; axis < view.rank; ++axis) {
    if (view.sizes[axis] == 0) {
      range = {start, start};
      return true;
    }
    int64_t span;
    int64_t &side = view.strides[axis] < 0 ? below : above;
    if (__builtin_mul_overflow(view.sizes[axis] - 1, view.strides[axis],
                               &span) ||
        __builtin_add_overflow(side, span, &side))
      return false;
  }
  int64_t size = getSize(view.dtype);
  Wide low = Wide(start) + Wide(below) * size;
  Wide high = Wide(start) + (Wide(above) + 1) * size;
  range = {static_cast<uintptr_t>(low), static_cast<uintptr_t>(high)};
  return low >= 0 && high <= Wide(UINTPTR_MAX);
}

namespace {

/// One variable of the equation: a byte stride, and the greatest value.
struct Term {
  Wide stride;
  Wide most;
};

/// Looks for values v with 0 <= v[k] <= terms[k].most and
/// 0 <= target - sum(stride[k] * v[k]) <= slack.
class OverlapSearch {
public:
  OverlapSearch(const TensorView &lhs, const TensorView &rhs) {
    // An element of lhs at a and one of rhs at b share a byte iff
    // -(size(lhs) - 1) <= a - b <= size(rhs) - 1. Counting an index from the
    // end where its stride is negative makes all terms of a - b positive.
    int64_t lhsSize = getSize(lhs.dtype), rhsSize = getSize(rhs.dtype);
    slack = lhsSize + rhsSize - 2;
    target = rhsSize - 1 + Wide(reinterpret_cast<uintptr_t>(rhs.data)) -
             Wide(reinterpret_cast<uintptr_t>(lhs.data));
    addTerms(lhs, 1);
    addTerms(rhs, -1);
    std::sort(terms, terms + numTerms,
              [](const Term &a, const Term &b) { return a.stride > b.stride; });
    rest[numTerms] = 0;
    for (unsigned index = numTerms; index-- > 0;)
      rest[index] = rest[index + 1] + terms[index].stride * terms[index].most;
  }

  bool run() { return search(0, target); }

private:
  void addTerms(const TensorView &view, int sign) {
    for (unsigned axis = 0; axis < view.rank; ++axis) {
      Wide stride = Wide(sign) * view.strides[axis] * getSize(view.dtype);
      Wide most = view.sizes[axis] - 1;
      if (stride < 0) {
        stride = -stride;
        target += stride * most;
      }
      if (stride != 0 && most != 0)
        addTerm({stride, most});
    }
  }

  void addTerm(Term term) {
    for (unsigned index = 0; index < numTerms; ++index)
      if (terms[index].stride == term.stride) {
        terms[index].most += term.most;
        return;
      }
    terms[numTerms++] = term;
  }

  bool search(unsigned index, Wide wanted) {
    if (wanted < 0 || wanted - slack > rest[index])
      return false;
    if (index == numTerms || budget-- == 0)
      return true;
    const Term &term = terms[index];
    // The later terms and the slack give at most this much.
    Wide least = wanted - slack - rest[index + 1];
    Wide first = least <= 0 ? 0 : (least + term.stride - 1) / term.stride;
    Wide last = std::min(term.most, wanted / term.stride);
    for (Wide value = first; value <= last; ++value) {
      if (search(index + 1, wanted - value * term.stride))
        return true;
      if (budget == 0)
        return true;
    }
    return false;
  }

  Term terms[2 * TensorView::maxRank];
  Wide rest[2 * TensorView::maxRank + 1];
  unsigned numTerms = 0;
  Wide target;
  Wide slack;
  unsigned budget = 4096;
};

} // namespace

bool tegula::mayShareMemory(const TensorView &lhs, const TensorView &rhs) {
  return OverlapSearch(toBytes(lhs), toBytes(rhs)).run();
}

unsigned tegula::findSelfOverlap(const TensorView &view) {
  if (isHalfByte(view.dtype))
    return findSelfOverlap(toBytes(view));
  unsigned order[TensorView::maxRank];
  unsigned count = 0;
  for (unsigned axis = view.rank; axis-- > 0;) {
    if (view.sizes[axis] == 0)
      return view.rank;
    if (view.sizes[axis] > 1)
      order[count++] = axis;
  }
  auto stride = [&](unsigned axis) {
    return view.strides[axis] < 0 ? -Wide(view.strides[axis])
                                  : Wide(view.strides[axis]);
  };
  auto isLess = [&](unsigned a, unsigned b) { return stride(a) < stride(b); };
  if (!std::is_sorted(order, order + count, isLess))
    std::sort(order, order + count, isLess);
  Wide span = 0;
  for (unsigned index = 0; index < count; ++index) {
    unsigned axis = order[index];
    if (stride(axis) <= span)
      return axis;
    span += stride(axis) * (view.sizes[axis] - 1);
  }
  return view.rank;
}
