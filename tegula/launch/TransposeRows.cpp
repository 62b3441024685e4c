// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/TransposeRows.h"
#include "tegula/launch/CpuFeatures.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace tegula;

#define TEGULA_INLINE __attribute__((always_inline)) inline

namespace {

/// A square of elements in registers, one row in each. Loops over rows are
/// written as sequences: only then no row is put into memory.
template <typename Element, int... row> struct Block {
  static constexpr int size = sizeof...(row);
  using Row __attribute__((vector_size(size * sizeof(Element)))) = Element;
  Row rows[size];

  TEGULA_INLINE void load(const Element *source, int64_t pitch) {
    (std::memcpy(&rows[row], source + row * pitch, sizeof(Row)), ...);
  }
  TEGULA_INLINE void store(Element *target, int64_t pitch) const {
    (std::memcpy(target + row * pitch, &rows[row], sizeof(Row)), ...);
  }

  /// Squares of `step` times `step` beside the diagonal change places.
  template <int step, int upper> TEGULA_INLINE void swap() {
    if constexpr ((upper & step) == 0) {
      Row high = rows[upper], low = rows[upper | step];
      rows[upper] = __builtin_shufflevector(
          high, low, ((row & step) ? size + row - step : row)...);
      rows[upper | step] = __builtin_shufflevector(
          high, low, ((row & step) ? size + row : row + step)...);
    }
  }
  template <int step> TEGULA_INLINE void transposeFrom() {
    if constexpr (step < size) {
      (swap<step, row>(), ...);
      transposeFrom<2 * step>();
    }
  }
};

template <typename Element, int... row>
Block<Element, row...> blockOf(std::integer_sequence<int, row...>);

/// How many elements after `target` a line of the cache begins, if it does so
/// in all rows.
template <typename Element>
TEGULA_INLINE int64_t elementsToLine(const Element *target, int64_t pitch) {
  constexpr uintptr_t line = 64;
  if (pitch * sizeof(Element) % line != 0)
    return 0;
  return -reinterpret_cast<uintptr_t>(target) % line / sizeof(Element);
}

/// Rows of the source are walked from end to end, `size` of them at once: that
/// is what the processor fetches ahead of. The last blocks cover some elements
/// again, and so does the first one, so that the others write whole lines.
template <typename Element, int size>
TEGULA_INLINE void copyBlocks(const TransposedCopy &copy, Element *target,
                              const Element *source) {
  int64_t next = elementsToLine(target, copy.targetPitch) % size;
  int64_t lastRow = copy.rows - size, lastColumn = copy.columns - size;
  for (int64_t j = 0;; j = next, next += size) {
    j = std::min(j, lastColumn);
    for (int64_t i = 0;; i += size) {
      i = std::min(i, lastRow);
      decltype(blockOf<Element>(std::make_integer_sequence<int, size>())) block;
      block.load(source + i + j * copy.sourcePitch, copy.sourcePitch);
      block.template transposeFrom<1>();
      block.store(target + i * copy.targetPitch + j, copy.targetPitch);
      if (i == lastRow)
        break;
    }
    if (j == lastColumn)
      break;
    if (next == 0)
      next = size;
  }
}

/// By the largest blocks that the rows and columns have room for.
template <typename Element, int size>
TEGULA_INLINE void copyElements(const TransposedCopy &copy, void *to,
                                const void *from) {
  auto *target = static_cast<Element *>(to);
  auto *source = static_cast<const Element *>(from);
  if constexpr (size == 1) {
    for (int64_t j = 0; j < copy.columns; ++j)
      for (int64_t i = 0; i < copy.rows; ++i)
        target[i * copy.targetPitch + j] = source[i + j * copy.sourcePitch];
  } else if (std::min(copy.rows, copy.columns) >= size) {
    copyBlocks<Element, size>(copy, target, source);
  } else {
    copyElements<Element, size / 2>(copy, to, from);
  }
}

/// Blocks as wide as registers of so many bytes, but of at most 16 rows.
template <int bytes>
TEGULA_INLINE void copyBy(const TransposedCopy &copy, void *to,
                          const void *from) {
  switch (copy.elementBytes) {
  case 1:
    return copyElements<uint8_t, 16>(copy, to, from);
  case 2:
    return copyElements<uint16_t, bytes / 2 < 16 ? bytes / 2 : 16>(copy, to,
                                                                   from);
  case 4:
    return copyElements<uint32_t, bytes / 4>(copy, to, from);
  default:
    return copyElements<uint64_t, bytes / 8>(copy, to, from);
  }
}

void copyBy16(const TransposedCopy &copy, void *to, const void *from) {
  copyBy<16>(copy, to, from);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) void copyBy32(const TransposedCopy &copy,
                                              void *to, const void *from) {
  copyBy<32>(copy, to, from);
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))) void
copyBy64(const TransposedCopy &copy, void *to, const void *from) {
  copyBy<64>(copy, to, from);
}
#endif

} // namespace

int tegula::widestRegister() {
#ifdef __x86_64__
  static const int bytes =
      findMissingFeature("avx512bw avx512vl avx512dq").empty() ? 64
      : findMissingFeature("avx2").empty()                     ? 32
                                                               : 16;
  return bytes;
#else
  return 16;
#endif
}

void TransposedCopy::run(void *target, const void *source,
                         int registerBytes) const {
#ifdef __x86_64__
  int bytes = registerBytes ? registerBytes : widestRegister();
  if (bytes == 64)
    return copyBy64(*this, target, source);
  if (bytes == 32)
    return copyBy32(*this, target, source);
#endif
  copyBy16(*this, target, source);
}
