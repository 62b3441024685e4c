// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A strided view of memory, as callers hand it to a kernel. It owns nothing:
/// the memory must outlive the call.

#ifndef TEGULA_SUPPORT_TENSORVIEW_H
#define TEGULA_SUPPORT_TENSORVIEW_H

#include "tegula/support/HalfBytes.h"
#include "llvm/ADT/ArrayRef.h"
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace tegula {

/// The DType of a C++ element type. The floats narrower than FP32 and the 4-bit
/// integers have no portable C++ type: name them with the TensorView
/// constructor that takes a DType.
template <typename T> constexpr DType dtypeOf() {
  using U = std::remove_const_t<T>;
  if constexpr (std::is_same_v<U, bool>)
    return DType::Bool;
  else if constexpr (std::is_same_v<U, float>)
    return DType::FP32;
  else if constexpr (std::is_same_v<U, double>)
    return DType::FP64;
  else {
    static_assert(std::is_integral_v<U>, "not an element type");
    constexpr DType types[2][4] = {
        {DType::Int8, DType::Int16, DType::Int32, DType::Int64},
        {DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64}};
    constexpr int log2Size = sizeof(U) == 1   ? 0
                             : sizeof(U) == 2 ? 1
                             : sizeof(U) == 4 ? 2
                                              : 3;
    return types[std::is_unsigned_v<U>][log2Size];
  }
}

/// Memory, what it holds, and how it is laid out.
struct TensorView {
  /// No tensor has more axes.
  static constexpr unsigned maxRank = 8;
  /// What a call says about a view whose rank is greater.
  static constexpr const char *wrongAxes =
      "a tensor has at most 8 axes, and one stride for each";

  /// The element at index 0 of every axis; may be null if some extent is 0. Of
  /// half bytes the address of a byte, whose low half it is, or that of a half
  /// byte (HalfBytes.h).
  void *data = nullptr;
  DType dtype = DType::FP32;
  uint8_t rank = 0;
  /// Extents; only the first `rank` count.
  int64_t sizes[maxRank];
  /// Elements from one index of an axis to the next; may be negative.
  int64_t strides[maxRank];

  TensorView() = default;

  /// A view with the given strides, or row-major if there are none; rows of
  /// half bytes then start with a byte. Too many axes or the wrong number of
  /// strides give a view that every call refuses.
  TensorView(void *data, DType dtype, llvm::ArrayRef<int64_t> extents,
             llvm::ArrayRef<int64_t> steps = {})
      : data(data), dtype(dtype), rank(static_cast<uint8_t>(extents.size())) {
    if (extents.size() > maxRank ||
        (!steps.empty() && steps.size() != extents.size())) {
      rank = maxRank + 1;
      return;
    }
    int64_t step = 1;
    for (unsigned axis = rank; axis-- > 0;) {
      sizes[axis] = extents[axis];
      strides[axis] = steps.empty() ? step : steps[axis];
      // Absurd extents are reported by the call, so they must not trap here.
      if (__builtin_mul_overflow(step, extents[axis], &step))
        step = INT64_MAX;
      if (isHalfByte(dtype) && step % 2 != 0 && step != INT64_MAX)
        ++step;
    }
  }

  /// A view of `T` elements: `TensorView(pointer, {rows, columns})`.
  template <typename T>
  TensorView(T *data, std::initializer_list<int64_t> extents,
             std::initializer_list<int64_t> steps = {})
      : TensorView(const_cast<std::remove_const_t<T> *>(data), dtypeOf<T>(),
                   llvm::ArrayRef<int64_t>(extents.begin(), extents.size()),
                   llvm::ArrayRef<int64_t>(steps.begin(), steps.size())) {}

  /// The address of the first element: that of a half byte if it is one.
  char *getFirstElement() const {
    return isHalfByte(dtype) ? toHalfByte(data) : static_cast<char *>(data);
  }

  llvm::ArrayRef<int64_t> getSizes() const { return {sizes, rank}; }
  llvm::ArrayRef<int64_t> getStrides() const { return {strides, rank}; }

  /// Product of the extents; they must not overflow.
  int64_t getNumElements() const {
    int64_t count = 1;
    for (int64_t size : getSizes())
      count *= size;
    return count;
  }
};

} // namespace tegula

#endif // TEGULA_SUPPORT_TENSORVIEW_H
