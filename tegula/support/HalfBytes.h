// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// 4-bit elements lie two to a byte, the one with the even index in the low
/// half. What would be an address of such an element is a number: twice the
/// address of its byte, plus 1 for the high half, with the top bit set, which
/// no address of this machine has. So addresses of elements are compared, and
/// strides, offsets and differences are added to them, as if an element had a
/// byte of its own. Only what reads or writes one must know better.

#ifndef TEGULA_SUPPORT_HALFBYTES_H
#define TEGULA_SUPPORT_HALFBYTES_H

#include "tegula/support/DType.h"

#include <atomic>
#include <cstdint>
#include <cstring>

namespace tegula {

/// True for the types of which two elements lie in a byte.
constexpr bool isHalfByte(DType dtype) {
  return dtype == DType::Int4 || dtype == DType::UInt4;
}

/// Bytes of so many elements one after the other.
constexpr int64_t getDenseBytes(int64_t count, DType dtype) {
  return isHalfByte(dtype) ? count / 2 + count % 2 : count * getSize(dtype);
}

/// The bit that tells half bytes from bytes.
constexpr uint64_t halfByteMark = uint64_t(1) << 63;

/// Where the low half of `byte` is; `byte` itself if it is a half already.
inline char *toHalfByte(void *byte) {
  auto address = reinterpret_cast<uint64_t>(byte);
  return reinterpret_cast<char *>(
      address & halfByteMark ? address : address << 1 | halfByteMark);
}

/// The byte that holds a half.
inline uint8_t *byteOfHalf(const void *half) {
  return reinterpret_cast<uint8_t *>(reinterpret_cast<uint64_t>(half) << 1 >>
                                     2);
}

inline bool isHighHalf(const void *half) {
  return reinterpret_cast<uint64_t>(half) & 1;
}

/// The four bits of a half.
inline uint8_t readHalfByte(const void *half) {
  return *byteOfHalf(half) >> (isHighHalf(half) ? 4 : 0) & 15;
}

/// Writes the low four bits of `bits` to a half. The other one stays what it
/// is, also while another thread writes it.
inline void writeHalfByte(void *half, uint8_t bits) {
  auto *byte = reinterpret_cast<std::atomic<uint8_t> *>(byteOfHalf(half));
  unsigned shift = isHighHalf(half) ? 4 : 0;
  uint8_t old = byte->load(std::memory_order_relaxed), wanted;
  do {
    wanted = (old & 0xf0 >> shift) | (bits & 15) << shift;
  } while (
      !byte->compare_exchange_weak(old, wanted, std::memory_order_relaxed));
}

/// Copies one element bit by bit.
inline void copyElement(void *target, const void *source, DType dtype) {
  if (isHalfByte(dtype))
    return writeHalfByte(target, readHalfByte(source));
  std::memcpy(target, source, getSize(dtype));
}

} // namespace tegula

#endif // TEGULA_SUPPORT_HALFBYTES_H
