// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C routines generated code calls.

#include "tegula/launch/routines/ScratchStack.h"
#include "tegula/launch/routines/TransposeRows.h"
#include "tegula/support/HalfBytes.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/ReshapeStrides.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

namespace {

template <typename Element>
void copyRow(char *target, const char *source, int64_t count,
             int64_t targetStride, int64_t sourceStride) {
  auto *to = reinterpret_cast<Element *>(target);
  auto *from = reinterpret_cast<const Element *>(source);
  if (targetStride == 1 && sourceStride == 1) {
    std::memcpy(target, source, count * sizeof(Element));
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    to[i * targetStride] = from[i * sourceStride];
}

void copyHalfByteRow(char *target, const char *source, int64_t count,
                     int64_t targetStride, int64_t sourceStride) {
  for (int64_t i = 0; i < count; ++i)
    tegula::writeHalfByte(target + i * targetStride,
                          tegula::readHalfByte(source + i * sourceStride));
}

/// One copy of a strided box, outermost axis first.
struct StridedCopy {
  const int64_t *sizes, *targetStrides, *sourceStrides;
  int64_t rank, elementBytes;
  bool isLarge = false;

  void row(char *target, const char *source, int64_t axis) const {
    auto copy = elementBytes == 0   ? copyHalfByteRow
                : elementBytes == 1 ? copyRow<uint8_t>
                : elementBytes == 2 ? copyRow<uint16_t>
                : elementBytes == 4 ? copyRow<uint32_t>
                                    : copyRow<uint64_t>;
    copy(target, source, sizes[axis], targetStrides[axis], sourceStrides[axis]);
  }

  /// True, and done, if the last two axes change places.
  bool transpose(char *target, const char *source) const {
    const int64_t *size = sizes + rank - 2, *to = targetStrides + rank - 2,
                  *from = sourceStrides + rank - 2;
    if (elementBytes == 0)
      return false;
    if (to[1] == 1 && from[0] == 1)
      tegula::TransposedCopy{size[0], size[1],      to[0],
                             from[1], elementBytes, isLarge}
          .run(target, source);
    else if (to[0] == 1 && from[1] == 1)
      tegula::TransposedCopy{size[1], size[0],      to[1],
                             from[0], elementBytes, isLarge}
          .run(target, source);
    else
      return false;
    return true;
  }

  void run(char *target, const char *source, int64_t axis) const {
    if (axis + 1 == rank)
      return row(target, source, axis);
    if (axis + 2 == rank && transpose(target, source))
      return;
    int64_t step = std::max<int64_t>(1, elementBytes);
    for (int64_t i = 0; i < sizes[axis]; ++i)
      run(target + i * targetStrides[axis] * step,
          source + i * sourceStrides[axis] * step, axis + 1);
  }
};

void copyStrided(void *target, const void *source, int64_t rank,
                 const int64_t *shape, int64_t elementBytes) {
  if (rank == 0) {
    std::memcpy(target, source, elementBytes);
    return;
  }
  StridedCopy{shape, shape + rank, shape + 2 * rank, rank, elementBytes}.run(
      static_cast<char *>(target), static_cast<const char *>(source), 0);
}

/// A copy of two axes. Where elements of a row are apart on either side, few of
/// its columns are copied in all rows before others are: columns share lines.
void copyMatrix(char *target, const char *source, StridedCopy copy) {
  int64_t sizes[] = {copy.sizes[0], copy.sizes[1]};
  const int64_t to = copy.targetStrides[1], from = copy.sourceStrides[1];
  constexpr int64_t fewColumns = 256;
  if ((to == 1 && from == 1) || sizes[1] <= fewColumns)
    return copy.run(target, source, 0);
  if (copy.transpose(target, source))
    return;
  copy.sizes = sizes;
  int64_t step = std::max<int64_t>(1, copy.elementBytes), columns = sizes[1];
  for (int64_t first = 0; first < columns; first += fewColumns) {
    sizes[1] = std::min(fewColumns, columns - first);
    copy.run(target + first * to * step, source + first * from * step, 0);
  }
}

} // namespace

static thread_local tegula::ScratchStack scratch;

tegula::ScratchStack &tegula::scratchOfThread() { return scratch; }

void *tegulaScratchPush(int64_t bytes) { return scratch.push(bytes); }

void tegulaScratchPop(void *block) {
  if (block)
    scratch.pop(block);
}

void *tegulaScratchAllocate(int64_t bytes, TegulaCallState *state,
                            int32_t site) {
  void *block = scratch.push(bytes);
  if (!block)
    tegulaReportError(state, TegulaOutOfMemory, site, 0, bytes, 0);
  return block;
}

void tegulaPoison(void *memory, int64_t bytes) {
  if (memory && bytes > 0)
    std::memset(memory, 0xff, bytes);
}

void tegulaPackTile(void *target, const void *source, int64_t rank,
                    const int64_t *shape, int64_t elementBytes) {
  copyStrided(target, source, rank, shape, elementBytes);
}

void tegulaUnpackTile(void *target, const void *source, int64_t rank,
                      const int64_t *shape, int64_t elementBytes) {
  copyStrided(target, source, rank, shape, elementBytes);
}

void tegulaCopyRows(void *target, const void *source, int64_t rows,
                    int64_t columns, int64_t targetRow, int64_t targetColumn,
                    int64_t sourceRow, int64_t sourceColumn,
                    int64_t elementBytes) {
  tegulaTransposeRows(target, source, rows, columns, targetRow, targetColumn,
                      sourceRow, sourceColumn, elementBytes, /*isLarge=*/0);
}

void tegulaTransposeRows(void *target, const void *source, int64_t rows,
                         int64_t columns, int64_t targetRow,
                         int64_t targetColumn, int64_t sourceRow,
                         int64_t sourceColumn, int64_t elementBytes,
                         int32_t isLarge) {
  const int64_t sizes[] = {rows, columns}, to[] = {targetRow, targetColumn},
                from[] = {sourceRow, sourceColumn};
  copyMatrix(static_cast<char *>(target), static_cast<const char *>(source),
             {sizes, to, from, /*rank=*/2, elementBytes, isLarge != 0});
}

void *tegulaReshapeView(void *data, int64_t *shape, int64_t rank,
                        int64_t newRank, int64_t elementBytes,
                        int32_t mustAlias, TegulaCallState *state,
                        int32_t site) {
  auto report = [&](TegulaErrorKind kind, int64_t have, int64_t want) {
    tegulaReportError(state, kind, site, 0, have, want);
  };
  auto makeCopy = [&](int64_t count, const int64_t *newSizes,
                      int64_t *newStrides) -> void * {
    void *copy = tegulaScratchAllocate(
        tegula::countDenseBytes(count, elementBytes), state, site);
    if (!copy)
      return nullptr;
    if (elementBytes == 0)
      copy = tegula::toHalfByte(copy);
    // Sizes, strides of the copy, strides of the memory.
    std::vector<int64_t> packing(shape, shape + rank);
    packing.resize(2 * rank);
    tegula::computePackedStrides(rank, shape, packing.data() + rank);
    packing.insert(packing.end(), shape + rank, shape + 2 * rank);
    copyStrided(copy, data, rank, packing.data(), elementBytes);
    tegula::computePackedStrides(newRank, newSizes, newStrides);
    return copy;
  };
  return tegula::reshapeView(data, shape, rank, newRank, mustAlias, report,
                             makeCopy);
}

void tegulaReportError(TegulaCallState *state, int32_t kind, int32_t site,
                       int32_t axis, int64_t index, int64_t extent) {
  auto *error = reinterpret_cast<std::atomic<int32_t> *>(&state->error);
  int32_t none = TegulaNoError;
  if (!error->compare_exchange_strong(none, kind))
    return;
  state->site = site;
  state->axis = axis;
  state->index = index;
  state->extent = extent;
}
