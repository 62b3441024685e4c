// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A vector of plain values that needs no memory of its own while it is short:
/// calls have some, and are to be quick.

#ifndef TEGULA_LAUNCH_GPU_SHORTVECTOR_H
#define TEGULA_LAUNCH_GPU_SHORTVECTOR_H

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tegula {

/// Up to `few` values are in the object itself.
template <typename T, size_t few> class ShortVector {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  ShortVector() = default;

  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *data() { return count > few ? many.data() : own; }
  const T *data() const { return count > few ? many.data() : own; }
  T *begin() { return data(); }
  T *end() { return data() + count; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + count; }
  T &operator[](size_t index) { return data()[index]; }
  const T &operator[](size_t index) const { return data()[index]; }

  void push_back(const T &value) { // NOLINT: as standard ones have it
    if (count >= few)
      return pushAside(value);
    own[count++] = value;
  }
  /// Makes an empty one so long; its values are to be set.
  void resize(size_t length) {
    count = length;
    if (count > few)
      many.resize(count);
  }
  void assign(const T *first, const T *last) {
    count = last - first;
    if (count > few)
      many.assign(first, last);
    else
      std::copy(first, last, own);
  }

private:
  /// Not where it is called, which is to be short.
  __attribute__((noinline)) void pushAside(const T &value) {
    if (count == few)
      many.assign(own, own + few);
    many.push_back(value);
    ++count;
  }

  size_t count = 0;
  T own[few];
  std::vector<T> many;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_SHORTVECTOR_H
