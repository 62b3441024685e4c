// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a type says about one axis: exactly n, at most n, or nothing. The
/// extent itself is always an SSA value; this is only its static shadow.

#ifndef TEGULA_IR_EXTENTS_DIM_H
#define TEGULA_IR_EXTENTS_DIM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>

namespace tegula::pl {

/// The static knowledge of one extent.
class Dim {
public:
  /// The extent is `n`.
  static Dim exactly(int64_t n) { return Dim(Kind::Exact, n); }
  /// The extent is between 0 and `n`.
  static Dim atMost(int64_t n) { return Dim(Kind::Bounded, n); }
  /// Nothing is known but that the extent is not negative.
  static Dim any() { return Dim(Kind::Any, 0); }

  bool isExact() const { return kind == Kind::Exact; }
  bool isAny() const { return kind == Kind::Any; }
  bool isBounded() const { return kind == Kind::Bounded; }
  bool isExactly(int64_t n) const { return isExact() && bound == n; }
  /// True for exact and bounded dims: a buffer for them has a static size.
  bool hasBound() const { return kind != Kind::Any; }
  /// The exact extent or its bound.
  int64_t getBound() const {
    assert(hasBound() && "an unbounded dim has no bound");
    return bound;
  }

  /// The least dim that describes both: for values that meet after a branch or
  /// around a loop.
  Dim join(Dim other) const {
    if (*this == other)
      return *this;
    if (isAny() || other.isAny())
      return any();
    return atMost(std::max(bound, other.bound));
  }

  /// The dim of min(this extent, other extent), or nothing if both are exact
  /// and differ.
  std::optional<Dim> meet(Dim other) const {
    if (*this == other)
      return *this;
    if (isExact() && other.isExact())
      return std::nullopt;
    if (isAny())
      return other.isExact() ? atMost(other.bound) : other;
    if (other.isAny())
      return isExact() ? atMost(bound) : *this;
    return atMost(std::min(bound, other.bound));
  }

  /// True if every extent this dim allows is allowed by `other` as well.
  bool isWithin(Dim other) const {
    if (other.isAny() || *this == other)
      return true;
    return hasBound() && other.isBounded() && bound <= other.bound;
  }

  /// True for an axis of at most one element, which is repeated to fit others.
  bool isUnit() const { return hasBound() && bound == 1; }
  /// True if such an axis has to be repeated to fit `other`.
  bool isRepeatedTo(Dim other) const {
    return isUnit() && !(other.hasBound() && other.bound <= 1);
  }
  /// What is known of such an axis repeated to fit `other`: nothing is there if
  /// there was no element to repeat.
  Dim repeatedTo(Dim other) const {
    return isBounded() && other.isExact() ? atMost(other.bound) : other;
  }

  bool operator==(Dim other) const {
    return kind == other.kind && bound == other.bound;
  }
  bool operator!=(Dim other) const { return !(*this == other); }

  friend llvm::hash_code hash_value(Dim dim) { // NOLINT: found by ADL
    return llvm::hash_combine(static_cast<int>(dim.kind), dim.bound);
  }

private:
  enum class Kind { Exact, Bounded, Any };
  Dim(Kind kind, int64_t bound) : kind(kind), bound(bound) {}

  Kind kind;
  int64_t bound;
};

using Dims = llvm::SmallVector<Dim, 4>;

/// How many elements the bounds hold; the greatest number if they are more than
/// it can say.
inline int64_t countElements(llvm::ArrayRef<Dim> dims) {
  int64_t count = 1;
  for (Dim dim : dims)
    if (dim.getBound() == 0)
      return 0;
  for (Dim dim : dims)
    if (llvm::MulOverflow(count, dim.getBound(), count))
      return std::numeric_limits<int64_t>::max();
  return count;
}

/// The dims of a tile that is brought to a shape: its axes are matched from the
/// last one back, units are repeated, and axes that it lacks are added.
inline Dims dimsInShape(llvm::ArrayRef<Dim> tile, llvm::ArrayRef<Dim> shape) {
  Dims dims(shape);
  for (size_t i = 0; i < tile.size(); ++i) {
    Dim own = tile[tile.size() - 1 - i], &dim = dims[shape.size() - 1 - i];
    dim = own.isRepeatedTo(dim) ? own.repeatedTo(dim) : own;
  }
  return dims;
}

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_DIM_H
