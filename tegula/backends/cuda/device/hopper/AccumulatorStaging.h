// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared memory through which the threads of a warp exchange accumulators. A
/// matmul gives a thread two of every eight columns; memory is read and written
/// best by threads that have eight side by side.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_ACCUMULATORSTAGING_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_ACCUMULATORSTAGING_H

#include "tegula/backends/cuda/device/hopper/Instructions.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"

namespace tegula::hopper {

/// Rows of 128 accumulators. Chunks of 16 bytes are swizzled within a row, so
/// that no two threads want the same banks at once.
class AccumulatorStaging {
public:
  static constexpr int32_t rowBytes = 512;
  /// Of eight rows.
  static constexpr int32_t bytes = 8 * rowBytes;

  explicit AccumulatorStaging(uint32_t address) : address(address) {}

  /// Writes the accumulators of a lane in one of eight rows, as a matmul has
  /// them: two of every eight columns are two of every four accumulators.
  __attribute__((always_inline)) void write(const float *sums, int32_t lane,
                                            int32_t columns) const {
    int32_t row = lane / 4;
    uint32_t to = address + row * rowBytes + lane % 2 * 8;
    uint32_t own = lane % 4 / 2 ^ row % 4 * 2;
#pragma unroll
    for (int32_t j = 0; j < columns / 8; ++j)
      writeTwo(to + (((2 * j ^ j / 4 % 2) ^ own) << 4), sums[4 * j],
               sums[4 * j + 1]);
  }

  /// Where the chunk of four accumulators with that number is, of eight from
  /// the column on and eight 64 columns further.
  uint32_t offsetOf(int32_t row, int32_t lane, int32_t number) const {
    uint32_t chunk = lane * 2 ^ lane / 4 ^ row % 4 * 2;
    uint32_t other = number % 2 | number / 2 << 4;
    return address + row * rowBytes + ((chunk ^ other) << 4);
  }

  /// Reads these sixteen.
  __attribute__((always_inline)) void read(float *sums, int32_t row,
                                           int32_t lane) const {
#pragma unroll
    for (int32_t i = 0; i < 4; ++i)
      readFour(sums + 4 * i, offsetOf(row, lane, i));
  }

private:
  uint32_t address;
};

/// Stores what becomes of them, with so many that are written at once.
template <int32_t Side>
__attribute__((always_inline)) inline void
storeAccumulators(const TegulaMatmul &matmul, int32_t row, int32_t column,
                  int32_t left, const uint32_t *words, const float *d) {
  constexpr auto store = Side == 8   ? tegulaMatmulEpilogueEights
                         : Side == 2 ? tegulaMatmulEpiloguePairs
                                     : tegulaMatmulEpilogueSingles;
  store(matmul.slots, row, column, left, words, d[0], d[1], d[2], d[3], d[4],
        d[5], d[6], d[7], d[8], d[9], d[10], d[11], d[12], d[13], d[14], d[15]);
}

/// What is read in rows for sixteen accumulators, before they are there.
struct ReadWords {
  uint32_t words[TEGULA_EPILOGUE_WORDS];

  /// Begins to read, but not what there is a copy of; where there is no such
  /// row or column, others are read.
  __attribute__((always_inline)) void read(const TegulaMatmul &matmul,
                                           int32_t row, int32_t column,
                                           int32_t end, bool hasCopy = false) {
    bool isThere = column < end;
    tegulaMatmulReadEights(matmul.slots,
                           row < matmul.rows ? row : matmul.rows - 1,
                           isThere ? column : matmul.columns - 8,
                           isThere ? end - column : 8, words, hasCopy);
  }

  /// Reads the copy, of elements of so many bytes: eight, and eight more 64
  /// columns further.
  __attribute__((always_inline)) void readCopy(uint32_t address,
                                               int32_t bytes) {
#pragma unroll
    for (int32_t i = 0; i < 2; ++i) {
      uint32_t from = address + 64 * bytes * i;
      if (bytes == 2) {
        readFour(words + 4 * i, from);
      } else {
        readFour(words + 8 * i, from);
        readFour(words + 8 * i + 4, from + 16);
      }
    }
  }
};

/// The words of the two rows that a thread has of a part of a tile, four apart;
/// those of a copy are read when they are needed.
struct PrefetchedWords {
  ReadWords rows[2];
};

/// A number that the compiler knows.
template <int32_t Value> struct Known {
  static constexpr int32_t value = Value;
};

/// Calls `store` with how many can be written at once. What is common to all
/// that it stores is computed for that number only.
template <typename Store>
__attribute__((always_inline)) inline void
chooseSide(const TegulaMatmul &matmul, Store store) {
  if (matmul.areEights)
    store(Known<8>());
  else if (matmul.arePairs)
    store(Known<2>());
  else
    store(Known<1>());
}

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_ACCUMULATORSTAGING_H
