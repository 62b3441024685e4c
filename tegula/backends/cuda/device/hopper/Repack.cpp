// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies matrices to rows that boxes can be taken from.

#include "tegula/backends/cuda/device/tiles/SquareCopy.h"

using namespace tegula::tiles;

namespace {

/// Elements side by side that are read and written at once.
typedef uint32_t Group __attribute__((vector_size(16)));
constexpr int32_t groupBytes = 16;
/// Groups that a thread reads before it writes the first.
constexpr int32_t atOnce = 4;

/// The words of two groups from the one on that begins so many bytes behind
/// the first: less than 16.
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
    result[i] = (uint32_t)(((uint64_t)words[i + 1] << 32 | words[i]) >>
                           8 * (bytes & 3));
  return result;
}

// Two FP8 side by side as two FP16.

struct PairsOfFp8E4M3FN : ElementsOfFp8E4M3FN {
  static uint32_t convertTwo(uint32_t bits) {
    uint32_t halves;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"((uint16_t)bits));
    return halves;
  }
};
struct PairsOfFp8E5M2 : ElementsOfFp8E5M2 {
  static uint32_t convertTwo(uint32_t bits) {
    return (bits & 0xff) << 8 | (bits & 0xff00) << 16;
  }
};

/// A matrix whose elements are contiguous along rows. Behind the last column
/// targets have room for the rest of a group, and anything may be there.
template <typename Elements> struct RowCopy {
  using Source = typename Elements::Source;
  using Target = typename Elements::Target;
  static constexpr int32_t groupElements = groupBytes / sizeof(Source);

  const TegulaTileCopy &matrix;

  int64_t countIterations() const {
    return (int64_t)matrix.rows * countGroups() / perIteration() + 1;
  }
  int32_t countGroups() const {
    return (matrix.columns + groupElements - 1) / groupElements;
  }
  static int32_t perIteration() { return atOnce * tegulaTileThreads; }

  /// Groups of all rows are counted one after the other.
  void copy(int64_t number) const {
    int32_t groups = countGroups();
    int64_t first = number * perIteration();
    auto row = (int32_t)(first / groups), group = (int32_t)(first % groups);
    int32_t thread = threadOfBlock();
    Group found[atOnce];
#pragma unroll
    for (int32_t i = 0; i < atOnce; ++i) {
      int32_t position = group + thread + i * tegulaTileThreads;
      found[i] = read(row + position / groups, position % groups);
    }
#pragma unroll
    for (int32_t i = 0; i < atOnce; ++i) {
      int32_t position = group + thread + i * tegulaTileThreads;
      write(row + position / groups, position % groups, found[i]);
    }
  }

  Group read(int32_t row, int32_t group) const {
    if (row >= matrix.rows)
      return Group{};
    auto *source = (const Source *)matrix.source;
    const Source *from = source + row * matrix.row + group * groupElements;
    auto address = (uint64_t)from;
    uint32_t beyond = address % groupBytes;
    auto *pair = (const Group *)(address - beyond);
    auto *begin = (const Group *)source;
    const Source *last =
        source + (matrix.rows - 1) * matrix.row + matrix.columns;
    // Nothing is read that is not between the first element and the last.
    if (pair < begin || (const Source *)(pair + (beyond ? 2 : 1)) > last)
      return readSingly(from, matrix.columns - group * groupElements);
    return beyond ? shift(pair[0], pair[1], beyond) : pair[0];
  }

  static Group readSingly(const Source *from, int32_t count) {
    constexpr int32_t each = 4 / sizeof(Source);
    Group result = {};
#pragma unroll
    for (int32_t i = 0; i < groupElements; ++i)
      if (i < count)
        result[i / each] |= (uint32_t)from[i] << i % each * (32 / each);
    return result;
  }

  void write(int32_t row, int32_t group, Group found) const {
    if (row >= matrix.rows)
      return;
    auto *to = (Group *)((Target *)matrix.target + row * matrix.pitch +
                         group * groupElements);
    if constexpr (sizeof(Source) == sizeof(Target)) {
      *to = found;
    } else {
#pragma unroll
      for (int32_t half = 0; half < 2; ++half) {
        Group wide;
#pragma unroll
        for (int32_t i = 0; i < 4; ++i)
          wide[i] = Elements::convertTwo(found[2 * half + i / 2] >> i % 2 * 16);
        to[half] = wide;
      }
    }
  }
};

/// What this block copies of a matrix; blocks `before` it have copied another
/// one and are not the first to come here. Returns how many iterations there
/// were.
template <typename Copy> int64_t copyIterations(Copy copy, int64_t before) {
  int64_t iterations = copy.countIterations(), blocks = countBlocks();
  for (int64_t i = (block() + blocks - before % blocks) % blocks;
       i < iterations; i += blocks)
    copy.copy(i);
  return iterations;
}

SHARED uint32_t square[countSquareWords(4)];

template <typename Elements>
int64_t copyMatrix(const TegulaTileCopy &matrix, int64_t before) {
  if (matrix.rows == 0)
    return 0;
  return matrix.column == 1
             ? copyIterations(RowCopy<Elements>{matrix}, before)
             : copyIterations(SquareCopy<Elements>{matrix, square}, before);
}

} // namespace

/// Copies two matrices, of which one may have no rows. Blocks that have less of
/// the first begin with the second.
#define KERNEL(NAME, ELEMENTS)                                                 \
  extern "C" __attribute__((device_kernel)) void tegulaRepack##NAME(           \
      TegulaTileCopy first, TegulaTileCopy second) {                           \
    copyMatrix<ELEMENTS>(second, copyMatrix<ELEMENTS>(first, 0));              \
  }

KERNEL(Bytes, SameElements<uint8_t>)
KERNEL(Halves, SameElements<uint16_t>)
KERNEL(Words, SameElements<uint32_t>)
#define ROW(NAME, ...) KERNEL(NAME, PairsOf##NAME)
TEGULA_GPU_CONVERSIONS(ROW)
