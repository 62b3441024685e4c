// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Between views of half bytes and views of the bytes that hold two of them
/// each, as other tools have packed tensors: with half as many columns.

#ifndef TEGULA_SUPPORT_PACKEDBYTES_H
#define TEGULA_SUPPORT_PACKEDBYTES_H

#include "tegula/support/TensorView.h"

namespace tegula {

/// True for UInt8 and Int8.
constexpr bool isPlainByte(DType dtype) {
  return dtype == DType::UInt8 || dtype == DType::Int8;
}

/// Twice the number, or as much as there is: what is too large is refused where
/// memory is looked at.
inline int64_t twice(int64_t number) {
  int64_t product;
  return __builtin_mul_overflow(number, 2, &product) ? INT64_MAX : product;
}

/// The columns that `pairs` bytes hold: two each, unless `wanted` is one less.
inline int64_t columnsOf(int64_t pairs, int64_t wanted) {
  int64_t columns = twice(pairs);
  return pairs > 0 && wanted == columns - 1 ? wanted : columns;
}

/// The elements of type `dtype` in a view of bytes, `columnsOf` along the last
/// axis.
inline TensorView toHalfBytes(const TensorView &bytes, DType dtype,
                              int64_t wanted) {
  TensorView view = bytes;
  view.dtype = dtype;
  if (view.rank == 0)
    return view;
  unsigned last = view.rank - 1;
  for (unsigned axis = 0; axis < last; ++axis)
    view.strides[axis] = twice(bytes.strides[axis]);
  view.sizes[last] = columnsOf(bytes.sizes[last], wanted);
  // The two of one byte are side by side however far the next byte is.
  view.strides[last] = bytes.sizes[last] <= 1 ? 1 : bytes.strides[last];
  return view;
}

/// The bytes that hold a view's half bytes, whose rows start with a byte and
/// have no gaps; a view of anything else as it is.
inline TensorView toBytes(const TensorView &view) {
  TensorView bytes = view;
  if (!isHalfByte(view.dtype))
    return bytes;
  bytes.dtype = DType::UInt8;
  if (view.rank == 0)
    return bytes;
  unsigned last = view.rank - 1;
  for (unsigned axis = 0; axis < last; ++axis)
    bytes.strides[axis] = view.strides[axis] / 2;
  bytes.sizes[last] = view.sizes[last] / 2 + view.sizes[last] % 2;
  bytes.strides[last] = 1;
  return bytes;
}

} // namespace tegula

#endif // TEGULA_SUPPORT_PACKEDBYTES_H
