// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/routines/TransposeRows.h"
#include "tegula/launch/image/CpuFeatures.h"

#include <algorithm>
#include <atomic>
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

  TEGULA_INLINE void stream(Element *target, int64_t pitch) const {
    (streamRow(target + row * pitch, rows[row]), ...);
  }
  /// Past the caches, to where a line or a part of it begins.
  TEGULA_INLINE static void streamRow(Element *target, const Row &values) {
#if __has_builtin(__builtin_nontemporal_store)
    __builtin_nontemporal_store(values, reinterpret_cast<Row *>(target));
#else
    std::memcpy(target, &values, sizeof(Row));
#endif
  }

  /// Squares of `step` times `step` next to the diagonal change places.
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

template <typename Element, int size>
using BlockOf =
    decltype(blockOf<Element>(std::make_integer_sequence<int, size>()));

constexpr int64_t lineBytes = 64;

/// How many elements after `target` a line of the cache begins, if it does so
/// in all rows.
template <typename Element>
TEGULA_INLINE int64_t elementsToLine(const Element *target, int64_t pitch) {
  if (pitch * sizeof(Element) % lineBytes != 0)
    return 0;
  return -reinterpret_cast<uintptr_t>(target) % lineBytes / sizeof(Element);
}

/// Where the second block begins: where a line does in all rows, if it can.
template <typename Element, int size>
TEGULA_INLINE int64_t secondBlock(const Element *memory, int64_t pitch) {
  int64_t head = elementsToLine(memory, pitch) % size;
  return head > 0 ? head : size;
}

/// Rows of the source are read from end to end, `size` of them at once: that is
/// what hardware prefetches. The first and the last blocks share elements with
/// others, so that those write and read whole lines.
template <typename Element, int size>
TEGULA_INLINE void copyBlocks(const TransposedCopy &copy, Element *target,
                              const Element *source) {
  const int64_t secondRow =
      secondBlock<Element, size>(source, copy.sourcePitch);
  int64_t lastRow = copy.rows - size, lastColumn = copy.columns - size;
  int64_t nextColumn = secondBlock<Element, size>(target, copy.targetPitch);
  for (int64_t j = 0;; j = nextColumn, nextColumn += size) {
    j = std::min(j, lastColumn);
    int64_t nextRow = secondRow;
    for (int64_t i = 0;; i = nextRow, nextRow += size) {
      i = std::min(i, lastRow);
      BlockOf<Element, size> block;
      block.load(source + i + j * copy.sourcePitch, copy.sourcePitch);
      block.template transposeFrom<1>();
      block.store(target + i * copy.targetPitch + j, copy.targetPitch);
      if (i == lastRow)
        break;
    }
    if (j == lastColumn)
      break;
  }
}

/// A copy whose target has whole lines in every row, which are written past the
/// caches. Measured, bytes of the two sides cost this:
///
/// - Lines of a row that are written one after the other, four at least, take
///   half of the time of single ones. So a band of rows of the source is as
///   high as four lines of the target are long, and all of it is transposed
///   before the next columns are.
/// - Rows of the source are often a power of two apart and push each other out
///   of the near cache: blocks begin where its lines do, so that each line is
///   read once.
/// - No processor prefetches so many rows by itself.
template <typename Element, int size> class StreamedCopy {
public:
  TEGULA_INLINE StreamedCopy(const TransposedCopy &copy, Element *target,
                             const Element *source)
      : copy(copy), target(target), source(source) {}

  TEGULA_INLINE void run() const {
    for (int64_t column = 0; column < copy.columns; column += bandColumns)
      runBand(column, std::min(copy.columns, column + bandColumns));
  }

private:
  using Square = BlockOf<Element, size>;
  static constexpr int64_t lineElements = lineBytes / sizeof(Element);
  static constexpr int64_t bandColumns = 4 * lineElements;
  static constexpr int64_t distance = 4 * lineElements;

  /// The first and the last blocks read rows of others again.
  TEGULA_INLINE void runBand(int64_t column, int64_t end) const {
    int64_t head = elementsToLine(source, copy.sourcePitch) % size;
    for (int64_t i = head > 0 ? head - size : 0; i < copy.rows; i += size)
      for (int64_t j = column; j < end; j += lineElements) {
        if ((i - head) % lineElements == 0)
          prefetch(i + distance, j);
        if (size == lineElements && i >= 0 && i + size <= copy.rows)
          transposeBlock(i, j);
        else
          transposeLines(std::max<int64_t>(i, 0), std::min(i + size, copy.rows),
                         j);
      }
  }

  /// What comes after the last row are the first ones of the next band.
  TEGULA_INLINE void prefetch(int64_t i, int64_t j) const {
    if (i >= copy.rows) {
      i -= copy.rows;
      j += bandColumns;
    }
    if (i >= copy.rows || j >= copy.columns)
      return;
    const Element *first = source + i + j * copy.sourcePitch;
    for (int64_t row = 0; row < lineElements; ++row)
      __builtin_prefetch(first + row * copy.sourcePitch, /*write=*/0,
                         /*locality=*/2);
  }

  TEGULA_INLINE void transposeBlock(int64_t i, int64_t j) const {
    Square block;
    block.load(source + i + j * copy.sourcePitch, copy.sourcePitch);
    block.template transposeFrom<1>();
    block.stream(target + i * copy.targetPitch + j, copy.targetPitch);
  }

  /// A line in each of some rows, put together of blocks that are narrower or
  /// have other rows too.
  TEGULA_INLINE void transposeLines(int64_t from, int64_t till,
                                    int64_t j) const {
    alignas(lineBytes) Element lines[size * lineElements];
    int64_t first = std::min(from, copy.rows - size);
    for (int64_t k = 0; k < lineElements; k += size) {
      Square block;
      block.load(source + first + (j + k) * copy.sourcePitch, copy.sourcePitch);
      block.template transposeFrom<1>();
      block.store(lines + k, lineElements);
    }
    for (int64_t i = from; i < till; ++i)
      for (int64_t k = 0; k < lineElements; k += size) {
        typename Square::Row values;
        std::memcpy(&values, lines + (i - first) * lineElements + k,
                    sizeof(values));
        Square::streamRow(target + i * copy.targetPitch + j + k, values);
      }
  }

  const TransposedCopy copy;
  Element *target;
  const Element *source;
};

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

/// Rows of a block in registers of so many bytes: as many as fit, but 16 at
/// most.
constexpr int blockSize(int registerBytes, int elementBytes) {
  return std::min(16, registerBytes / elementBytes);
}

template <typename Element, int bytes>
TEGULA_INLINE void copyOrStream(const TransposedCopy &copy, void *to,
                                const void *from) {
  constexpr int size = blockSize(bytes, sizeof(Element));
  if (copy.goesPastCaches)
    StreamedCopy<Element, size>(copy, static_cast<Element *>(to),
                                static_cast<const Element *>(from))
        .run();
  else
    copyElements<Element, size>(copy, to, from);
}

template <int bytes>
TEGULA_INLINE void copyBy(const TransposedCopy &copy, void *to,
                          const void *from) {
  switch (copy.elementBytes) {
  case 1:
    return copyOrStream<uint8_t, bytes>(copy, to, from);
  case 2:
    return copyOrStream<uint16_t, bytes>(copy, to, from);
  case 4:
    return copyOrStream<uint32_t, bytes>(copy, to, from);
  default:
    return copyOrStream<uint64_t, bytes>(copy, to, from);
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

void copyByRegisters(const TransposedCopy &copy, void *target,
                     const void *source, int registerBytes) {
#ifdef __x86_64__
  if (registerBytes == 64)
    return copyBy64(copy, target, source);
  if (registerBytes == 32)
    return copyBy32(copy, target, source);
#endif
  copyBy16(copy, target, source);
}

/// True, and done, if rows of the target have enough whole lines, at the same
/// offset each. What is before and behind them goes by way of the caches,
/// first: the two kinds of stores wait for each other where they overlap.
bool copyPastCaches(const TransposedCopy &copy, char *target,
                    const char *source, int registerBytes) {
  int64_t bytes = copy.elementBytes, lineElements = lineBytes / bytes;
  auto address = reinterpret_cast<uintptr_t>(target);
  int64_t head = -address % lineBytes / bytes;
  int64_t body = (copy.columns - head) / lineElements * lineElements;
  if (address % bytes != 0 || copy.targetPitch % lineElements != 0 ||
      body < 4 * lineElements || copy.rows < blockSize(registerBytes, bytes))
    return false;
  auto copyColumns = [&](int64_t first, int64_t count, bool goesPastCaches) {
    TransposedCopy part = copy;
    part.columns = count;
    part.goesPastCaches = goesPastCaches;
    copyByRegisters(part, target + first * bytes,
                    source + first * copy.sourcePitch * bytes, registerBytes);
  };
  copyColumns(0, head, false);
  copyColumns(head + body, copy.columns - head - body, false);
  copyColumns(head, body, true);
  // Others may be told that the copy is done.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return true;
}

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
  int bytes = registerBytes ? registerBytes : widestRegister();
  if (goesPastCaches &&
      copyPastCaches(*this, static_cast<char *>(target),
                     static_cast<const char *>(source), bytes))
    return;
  TransposedCopy copy = *this;
  copy.goesPastCaches = false;
  copyByRegisters(copy, target, source, bytes);
}
