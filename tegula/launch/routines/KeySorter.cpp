// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/KeySorters.h"
#include "tegula/support/HalfBytes.h"

#include <algorithm>
#include <cstring>

using namespace tegula;

/// Room for the vectors behind the end of a row.
static constexpr int64_t pad = 256;

int64_t KeyMemory::getBytes(int64_t length) {
  return (length + pad) * (8 + 8 + 4);
}

KeyMemory::KeyMemory(char *bytes, int64_t length)
    : keys(reinterpret_cast<int64_t *>(bytes)), spare(keys + length + pad),
      halves(reinterpret_cast<int32_t *>(spare + length + pad)) {}

const KeySorter &tegula::getKeySorter(int64_t vectorBits) {
#if defined(__x86_64__)
  if (vectorBits >= 512)
    return keySorterAvx512;
  if (vectorBits >= 256)
    return keySorterAvx2;
#endif
  return keySorterPlain;
}

/// An integer whose order is that of the elements, for the types that have more
/// than 32 bits or less than 8.
static uint64_t wholeKey(const char *address, DType dtype) {
  constexpr uint64_t sign = uint64_t(1) << 63, infinity = 0x7ff0000000000000;
  if (isHalfByte(dtype))
    return readHalfByte(address) ^ (dtype == DType::Int4 ? 8 : 0);
  uint64_t bits;
  std::memcpy(&bits, address, sizeof(bits));
  if (dtype == DType::UInt64)
    return bits;
  if (dtype != DType::FP64)
    return bits ^ sign;
  uint64_t magnitude = bits & ~sign;
  if (magnitude > infinity)
    return UINT64_MAX;
  return bits & sign ? sign - magnitude : sign + magnitude;
}

static bool isNarrow(DType dtype) {
  return getSize(dtype) <= 4 && !isHalfByte(dtype);
}

static uint64_t orderedKey(const KeyRow &row, int64_t index) {
  uint64_t key = wholeKey(row.start + index * row.step, row.dtype);
  if (row.order == KeyOrder::Descending)
    return ~key;
  bool isNan = row.dtype == DType::FP64 && key == UINT64_MAX;
  return isNan && row.order == KeyOrder::NanThenAscending ? 0 : key;
}

/// Orders keys among which 32 bits did not tell, by all bits.
static void settleTies(const KeyRow &row, int64_t *keys) {
  auto isEqual = [&](int64_t lhs, int64_t rhs) {
    return keys[lhs] >> 32 == keys[rhs] >> 32;
  };
  for (int64_t first = 0, last; first < row.length; first = last) {
    last = first + 1;
    while (last < row.length && isEqual(first, last))
      ++last;
    if (last == first + 1)
      continue;
    std::sort(keys + first, keys + last, [&](int64_t lhs, int64_t rhs) {
      uint64_t left = orderedKey(row, indexOf(lhs));
      uint64_t right = orderedKey(row, indexOf(rhs));
      return left != right ? left < right : lhs < rhs;
    });
  }
}

/// By the 32 bits that tell most: those from the first in which keys differ.
static void sortWideRow(const KeySorter &sorter, const KeyRow &row,
                        int64_t kept, const KeyMemory &memory) {
  auto *whole = reinterpret_cast<uint64_t *>(memory.spare);
  uint64_t least = UINT64_MAX, most = 0;
  for (int64_t i = 0; i < row.length; ++i) {
    whole[i] = orderedKey(row, i);
    least = std::min(least, whole[i]);
    most = std::max(most, whole[i]);
  }
  unsigned shift = 0;
  while (row.length > 0 && (most - least) >> shift > INT32_MAX)
    ++shift;
  for (int64_t i = 0; i < row.length; ++i)
    memory.keys[i] =
        static_cast<int64_t>((whole[i] - least) >> shift) << 32 | i;
  sorter.sortKeys(memory.keys, memory.spare, row.length,
                  shift > 0 ? row.length : kept);
  if (shift > 0)
    settleTies(row, memory.keys);
}

void tegula::sortRow(const KeySorter &sorter, const KeyRow &row, int64_t kept,
                     const KeyMemory &memory) {
  if (isNarrow(row.dtype))
    sorter.sortRow(row, kept, memory);
  else
    sortWideRow(sorter, row, kept, memory);
}

int64_t tegula::findFirst(const KeySorter &sorter, const KeyRow &row) {
  if (row.length == 0)
    return -1;
  if (isNarrow(row.dtype))
    return sorter.findFirst(row);
  int64_t best = 0;
  for (int64_t i = 1; i < row.length; ++i)
    if (orderedKey(row, i) < orderedKey(row, best))
      best = i;
  return best;
}
