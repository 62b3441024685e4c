// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies matrices to rows that boxes can be taken from.

#include "tegula/launch/gpu/hopper/ProductAbi.h"

namespace {

/// Eight elements side by side, which are read and written at once.
typedef uint32_t Group __attribute__((vector_size(16)));
constexpr int32_t groupElements = 8, groupBytes = 16;
/// Groups, or elements, that a thread reads before it writes the first.
constexpr int32_t atOnce = 4;

/// The words of two groups from the one on that begins so many bytes behind
/// the first: an even number, less than 16.
Group shift(Group first, Group second, uint32_t bytes) {
  uint32_t words[] = {first[0],  first[1],  first[2],  first[3],
                      second[0], second[1], second[2], second[3]};
  if (bytes & 8)
#pragma unroll
    for (int32_t i = 0; i < 6; ++i)
      words[i] = words[i + 2];
  if (bytes & 4)
#pragma unroll
    for (int32_t i = 0; i < 5; ++i)
      words[i] = words[i + 1];
  Group result;
#pragma unroll
  for (int32_t i = 0; i < 4; ++i)
    result[i] = bytes & 2 ? words[i] >> 16 | words[i + 1] << 16 : words[i];
  return result;
}

/// A matrix whose elements lie side by side along rows. Behind the last column
/// targets have room for the rest of a group, and anything may be there.
struct RowCopy {
  const TegulaRepack &matrix;

  int64_t countTurns() const {
    return (int64_t)matrix.rows * countGroups() / turn() + 1;
  }
  int32_t countGroups() const {
    return (matrix.columns + groupElements - 1) / groupElements;
  }
  static int32_t turn() {
    return atOnce * (int32_t)__nvvm_read_ptx_sreg_ntid_x();
  }

  /// Groups of all rows are counted one after the other.
  void copy(int64_t number) const {
    int32_t groups = countGroups();
    int64_t first = number * turn();
    auto row = (int32_t)(first / groups), group = (int32_t)(first % groups);
    int32_t thread = __nvvm_read_ptx_sreg_tid_x(),
            threads = __nvvm_read_ptx_sreg_ntid_x();
    Group found[atOnce];
#pragma unroll
    for (int32_t i = 0; i < atOnce; ++i) {
      int32_t place = group + thread + i * threads;
      found[i] = read(row + place / groups, place % groups);
    }
#pragma unroll
    for (int32_t i = 0; i < atOnce; ++i) {
      int32_t place = group + thread + i * threads;
      write(row + place / groups, place % groups, found[i]);
    }
  }

  Group read(int32_t row, int32_t group) const {
    if (row >= matrix.rows)
      return Group{};
    const uint16_t *from =
        matrix.source + row * matrix.row + group * groupElements;
    auto address = (uint64_t)from;
    uint32_t beyond = address % groupBytes;
    auto *pair = (const Group *)(address - beyond);
    auto *begin = (const Group *)matrix.source;
    const uint16_t *last =
        matrix.source + (matrix.rows - 1) * matrix.row + matrix.columns;
    // Nothing is read that is not between the first element and the last.
    if (pair < begin || (const uint16_t *)(pair + (beyond ? 2 : 1)) > last)
      return readSingly(from, matrix.columns - group * groupElements);
    return beyond ? shift(pair[0], pair[1], beyond) : pair[0];
  }

  static Group readSingly(const uint16_t *from, int32_t count) {
    Group result = {};
#pragma unroll
    for (int32_t i = 0; i < groupElements; ++i)
      if (i < count)
        result[i / 2] |= (uint32_t)from[i] << i % 2 * 16;
    return result;
  }

  void write(int32_t row, int32_t group, Group found) const {
    if (row < matrix.rows)
      *(Group *)(matrix.target + row * matrix.pitch + group * groupElements) =
          found;
  }
};

/// Any other: neighbouring threads have neighbouring elements, along rows or,
/// where those lie side by side, along columns.
struct ElementCopy {
  const TegulaRepack &matrix;

  bool isAlong() const { return matrix.row != 1; }
  int64_t countTurns() const {
    return isAlong() ? matrix.rows : matrix.columns;
  }

  void copy(int64_t number) const {
    int32_t thread = __nvvm_read_ptx_sreg_tid_x(),
            threads = __nvvm_read_ptx_sreg_ntid_x();
    int32_t inner = isAlong() ? matrix.columns : matrix.rows;
    int64_t outerFrom = isAlong() ? matrix.row : matrix.column;
    int64_t innerFrom = isAlong() ? matrix.column : matrix.row;
    int64_t outerTo = isAlong() ? matrix.pitch : 1;
    int64_t innerTo = isAlong() ? 1 : matrix.pitch;
    const uint16_t *from = matrix.source + number * outerFrom;
    uint16_t *to = matrix.target + number * outerTo;
    for (int32_t first = thread; first < inner; first += atOnce * threads) {
      uint16_t elements[atOnce];
#pragma unroll
      for (int32_t j = 0; j < atOnce; ++j)
        if (first + j * threads < inner)
          elements[j] = from[(first + j * threads) * innerFrom];
#pragma unroll
      for (int32_t j = 0; j < atOnce; ++j)
        if (first + j * threads < inner)
          to[(first + j * threads) * innerTo] = elements[j];
    }
  }
};

/// What this block copies of a matrix; blocks `before` it have copied another
/// one and are not the first to come here. Returns how many turns there were.
template <typename Copy> int64_t copyTurns(Copy copy, int64_t before) {
  int64_t turns = copy.countTurns(), blocks = __nvvm_read_ptx_sreg_nctaid_x();
  int64_t block = __nvvm_read_ptx_sreg_ctaid_x();
  for (int64_t i = (block + blocks - before % blocks) % blocks; i < turns;
       i += blocks)
    copy.copy(i);
  return turns;
}

int64_t copyMatrix(const TegulaRepack &matrix, int64_t before) {
  if (matrix.rows == 0)
    return 0;
  return matrix.column == 1 ? copyTurns(RowCopy{matrix}, before)
                            : copyTurns(ElementCopy{matrix}, before);
}

} // namespace

/// Copies two matrices, of which one may have no rows. Blocks that have less of
/// the first begin with the second.
extern "C" __attribute__((device_kernel)) void
tegulaRepack(TegulaRepack first, TegulaRepack second) {
  copyMatrix(second, copyMatrix(first, 0));
}
