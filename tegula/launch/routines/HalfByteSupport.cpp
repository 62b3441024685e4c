// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C routines with which generated code reads and writes half bytes.

#include "tegula/support/HalfBytes.h"
#include "tegula/support/KernelAbi.h"

#include <cstring>

using namespace tegula;

namespace {

/// Along a row or from row to row: how many elements, and how far apart they
/// are in bytes and in half bytes.
struct Step {
  int64_t count, bytes, halves;
};

template <bool IsSigned> uint8_t widen(uint8_t half) {
  return IsSigned ? (half ^ 8) - 8 : half;
}

/// The halves of sixteen bytes, low ones first.
template <bool IsSigned>
void loadSixteen(uint8_t *__restrict to, const uint8_t *__restrict pairs) {
  using Bytes = uint8_t __attribute__((vector_size(16)));
  Bytes both;
  std::memcpy(&both, pairs, sizeof(both));
  Bytes low = both & 15, high = both >> 4;
  if (IsSigned) {
    low = (low ^ 8) - 8;
    high = (high ^ 8) - 8;
  }
  Bytes first = __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19,
                                        4, 20, 5, 21, 6, 22, 7, 23);
  Bytes second = __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11,
                                         27, 12, 28, 13, 29, 14, 30, 15, 31);
  std::memcpy(to, &first, sizeof(first));
  std::memcpy(to + 16, &second, sizeof(second));
}

/// Neighbours are taken out of whole bytes.
template <bool IsSigned>
void loadRow(uint8_t *__restrict to, const char *from, const Step &step) {
  int64_t count = step.count;
  if (step.bytes != 1 || step.halves != 1) {
    for (int64_t i = 0; i < count; ++i)
      to[i * step.bytes] =
          widen<IsSigned>(readHalfByte(from + i * step.halves));
    return;
  }
  if (isHighHalf(from) && count > 0) {
    *to++ = widen<IsSigned>(readHalfByte(from++));
    --count;
  }
  const uint8_t *__restrict pairs = byteOfHalf(from);
  int64_t i = 0;
  for (; i + 16 <= count / 2; i += 16)
    loadSixteen<IsSigned>(to + 2 * i, pairs + i);
  for (; i < count / 2; ++i) {
    to[2 * i] = widen<IsSigned>(pairs[i] & 15);
    to[2 * i + 1] = widen<IsSigned>(pairs[i] >> 4);
  }
  if (count % 2 != 0)
    to[count - 1] = widen<IsSigned>(readHalfByte(from + count - 1));
}

/// Bytes of which both halves are written are written at once; the others may
/// hold what another thread writes.
void storeRow(char *to, const uint8_t *__restrict from, const Step &step) {
  int64_t count = step.count;
  if (step.bytes != 1 || step.halves != 1) {
    for (int64_t i = 0; i < count; ++i)
      writeHalfByte(to + i * step.halves, from[i * step.bytes]);
    return;
  }
  if (isHighHalf(to) && count > 0) {
    writeHalfByte(to++, *from++);
    --count;
  }
  uint8_t *__restrict pairs = byteOfHalf(to);
  for (int64_t i = 0; i < count / 2; ++i)
    pairs[i] = (from[2 * i] & 15) | from[2 * i + 1] << 4;
  if (count % 2 != 0)
    writeHalfByte(to + count - 1, from[count - 1]);
}

/// Traverses a box of `rank` axes, outermost axis first. The strides of the
/// bytes come before those of the half bytes in `shape` or after them.
template <typename Row> struct Box {
  int64_t rank;
  const int64_t *sizes, *byteStrides, *halfStrides;
  Row row;

  Step stepOf(int64_t axis) const {
    return {sizes[axis], byteStrides[axis], halfStrides[axis]};
  }

  void run(uint8_t *bytes, char *halves, int64_t axis) const {
    if (axis + 1 >= rank)
      return row(bytes, halves, rank == 0 ? Step{1, 1, 1} : stepOf(axis));
    Step step = stepOf(axis);
    if (axis + 2 == rank) {
      Step along = stepOf(axis + 1);
      for (int64_t i = 0; i < step.count; ++i)
        row(bytes + i * step.bytes, halves + i * step.halves, along);
      return;
    }
    for (int64_t i = 0; i < step.count; ++i)
      run(bytes + i * step.bytes, halves + i * step.halves, axis + 1);
  }
};

} // namespace

void tegulaLoadHalfBytes(void *target, void *source, int64_t rank,
                         const int64_t *shape, int32_t isSigned) {
  auto row = [&](uint8_t *bytes, char *halves, const Step &step) {
    (isSigned ? loadRow<true> : loadRow<false>)(bytes, halves, step);
  };
  Box<decltype(row)>{rank, shape, shape + rank, shape + 2 * rank, row}.run(
      static_cast<uint8_t *>(target), static_cast<char *>(source), 0);
}

void tegulaStoreHalfBytes(void *target, void *source, int64_t rank,
                          const int64_t *shape) {
  auto row = [](uint8_t *bytes, char *halves, const Step &step) {
    storeRow(halves, bytes, step);
  };
  Box<decltype(row)>{rank, shape, shape + 2 * rank, shape + rank, row}.run(
      static_cast<uint8_t *>(source), static_cast<char *>(target), 0);
}

void tegulaWriteHalfByte(void *target, int32_t bits) {
  writeHalfByte(target, static_cast<uint8_t>(bits));
}
