// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The order of the elements of a row, found on keys: 64-bit integers with 32
/// bits of an element above 32 bits of its position. No two of them are equal,
/// so every way to sort them is stable. The code is compiled once for each
/// width of vectors; who calls says how wide those may be.

#ifndef TEGULA_LAUNCH_ROUTINES_KEYSORTER_H
#define TEGULA_LAUNCH_ROUTINES_KEYSORTER_H

#include "tegula/support/DType.h"

#include <cstdint>

namespace tegula {

/// Which elements come first. NaN counts as greater than every number, but for
/// NanThenAscending, where it comes before all.
enum class KeyOrder : uint8_t { Ascending, Descending, NanThenAscending };

/// The elements of one row.
struct KeyRow {
  const char *start;
  /// Bytes from one element to the next.
  int64_t step;
  int64_t length;
  DType dtype;
  KeyOrder order;
};

/// Memory to sort a row in.
struct KeyMemory {
  int64_t *keys;
  int64_t *spare;
  int32_t *halves;

  /// Bytes for rows of that length.
  static int64_t getBytes(int64_t length);
  /// Takes the bytes apart, which are aligned to 64 bytes.
  KeyMemory(char *bytes, int64_t length);
};

/// What is done with keys, for vectors of one width.
struct KeySorter {
  /// Sorts a row whose elements have up to 32 bits until the first `kept`, no
  /// more than there are, lie in order at the start of `memory.keys`.
  void (*sortRow)(const KeyRow &row, int64_t kept, const KeyMemory &memory);
  /// The keys of a row as it is, as if it began at `firstIndex`.
  void (*readKeys)(const KeyRow &row, int64_t firstIndex, int32_t *halves,
                   int64_t *keys);
  /// Sorts keys until the first `kept` of them are in order.
  void (*sortKeys)(int64_t *keys, int64_t *spare, int64_t count, int64_t kept);
  /// Where the first element in the order of the row is; it has some.
  int64_t (*findFirst)(const KeyRow &row);
};

/// The place of the element that a key is of.
inline int64_t indexOf(int64_t key) { return key & 0x7fffffff; }

/// For processors whose vectors have that many bits.
const KeySorter &getKeySorter(int64_t vectorBits);

/// As sortRow, for every element type.
void sortRow(const KeySorter &sorter, const KeyRow &row, int64_t kept,
             const KeyMemory &memory);

/// As findFirst, for every element type; -1 in an empty row.
int64_t findFirst(const KeySorter &sorter, const KeyRow &row);

} // namespace tegula

#endif // TEGULA_LAUNCH_ROUTINES_KEYSORTER_H
