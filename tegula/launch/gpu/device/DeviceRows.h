// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The rows of several tensors, as KernelAbi.h lays them out, and the order of
/// their elements.

#ifndef TEGULA_LAUNCH_GPU_DEVICE_DEVICEROWS_H
#define TEGULA_LAUNCH_GPU_DEVICE_DEVICEROWS_H

#include "tegula/launch/gpu/device/DeviceArena.h"
#include "tegula/support/DType.h"

namespace tegula::gpu {

/// One row of a tensor.
struct Row {
  char *start;
  int64_t length;
  int64_t step;
  int64_t bytes;

  char *at(int64_t place) const { return start + place * step * bytes; }
  template <typename Element> Element &as(int64_t place) const {
    return *reinterpret_cast<Element *>(at(place));
  }
};

/// The rows of some tensors.
struct Rows {
  const int64_t *numbers;
  int64_t rank;

  int64_t count() const { return countOf(rank, numbers); }
  Row get(int64_t tensor, int64_t row, int64_t bytes) const {
    const int64_t *of = numbers + rank + tensor * (3 + rank);
    return {reinterpret_cast<char *>(of[0]) +
                bytes * offsetOf(row, rank, numbers, of + 2),
            of[1], of[2 + rank], bytes};
  }
};

constexpr bool isHalf(DType dtype) {
  return dtype == DType::Int4 || dtype == DType::UInt4;
}

/// A number whose order is that of elements; NaN is the greatest.
inline uint64_t orderOf(const char *address, DType dtype) {
  constexpr uint64_t top = uint64_t(1) << 63;
  if (isHalf(dtype))
    return readHalf(address) ^ (dtype == DType::Int4 ? 8 : 0);
  uint64_t bits = 0;
  int64_t bytes = getSize(dtype);
  copyElement(reinterpret_cast<char *>(&bits), address, bytes);
  if (dtype == DType::Bool || isUnsigned(dtype))
    return bits;
  unsigned width = 8 * bytes;
  uint64_t sign = uint64_t(1) << (width - 1);
  if (!isFloat(dtype))
    return (bits & sign ? bits | ~(sign + (sign - 1)) : bits) ^ top;
  uint64_t infinity = dtype == DType::FP64        ? 0x7ff0000000000000
                      : dtype == DType::FP32      ? 0x7f800000
                      : dtype == DType::BF16      ? 0x7f80
                      : dtype == DType::FP16      ? 0x7c00
                      : dtype == DType::FP8E4M3FN ? 0x7e
                                                  : 0x7c;
  uint64_t magnitude = bits & (sign - 1);
  if (magnitude > infinity)
    return ~uint64_t(0);
  return bits & sign ? top - magnitude : top + magnitude;
}

} // namespace tegula::gpu

#endif // TEGULA_LAUNCH_GPU_DEVICE_DEVICEROWS_H
