// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of strided boxes by the threads of a block.

#include "tegula/backends/cuda/device/routines/DeviceArena.h"
#include "tegula/support/ReshapeStrides.h"

using namespace tegula::gpu;

/// `shape` holds sizes, strides of the target, strides of the source.
static void copyBox(char *target, const char *source, int64_t rank,
                    const int64_t *shape, int64_t bytes) {
  int64_t step = bytes == 0 ? 1 : bytes;
  shareOut(countOf(rank, shape), [&](int64_t i) {
    copyElement(target + step * offsetOf(i, rank, shape, shape + rank),
                source + step * offsetOf(i, rank, shape, shape + 2 * rank),
                bytes);
  });
  tegulaGpuBarrier();
}

extern "C" {

void tegulaGpuPackTile(TegulaGpuArena *, void *target, const void *source,
                       int64_t rank, const int64_t *shape, int64_t bytes) {
  copyBox(static_cast<char *>(target), static_cast<const char *>(source), rank,
          shape, bytes);
}

void tegulaGpuUnpackTile(TegulaGpuArena *arena, void *target,
                         const void *source, int64_t rank, const int64_t *shape,
                         int64_t bytes) {
  tegulaGpuPackTile(arena, target, source, rank, shape, bytes);
}

void tegulaGpuCopyRows(TegulaGpuArena *arena, void *target, const void *source,
                       int64_t rows, int64_t columns, int64_t targetRow,
                       int64_t targetColumn, int64_t sourceRow,
                       int64_t sourceColumn, int64_t bytes) {
  const int64_t shape[] = {rows,         columns,   targetRow,
                           targetColumn, sourceRow, sourceColumn};
  tegulaGpuPackTile(arena, target, source, 2, shape, bytes);
}

void tegulaGpuLoadHalfBytes(TegulaGpuArena *, void *target, void *source,
                            int64_t rank, const int64_t *shape,
                            int32_t isSigned) {
  auto *to = static_cast<uint8_t *>(target);
  auto *from = static_cast<char *>(source);
  shareOut(countOf(rank, shape), [&](int64_t i) {
    uint32_t half = readHalf(from + offsetOf(i, rank, shape, shape + 2 * rank));
    to[offsetOf(i, rank, shape, shape + rank)] =
        isSigned ? (half ^ 8) - 8 : half;
  });
  tegulaGpuBarrier();
}

void tegulaGpuStoreHalfBytes(TegulaGpuArena *, void *target, void *source,
                             int64_t rank, const int64_t *shape) {
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const uint8_t *>(source);
  shareOut(countOf(rank, shape), [&](int64_t i) {
    writeHalf(to + offsetOf(i, rank, shape, shape + rank),
              from[offsetOf(i, rank, shape, shape + 2 * rank)]);
  });
  tegulaGpuBarrier();
}

void tegulaGpuWriteHalfByte(TegulaGpuArena *, void *target, int32_t bits) {
  if (tegulaGpuThread() == 0)
    writeHalf(static_cast<char *>(target), bits);
  tegulaGpuBarrier();
}

/// What is found of the new shape every thread writes, all the same.
void *tegulaGpuReshapeView(TegulaGpuArena *arena, void *data, int64_t *shape,
                           int64_t rank, int64_t newRank, int64_t bytes,
                           int32_t mustAlias, TegulaCallState *state,
                           int32_t site) {
  auto report = [&](TegulaErrorKind kind, int64_t have, int64_t want) {
    tegulaGpuReportError(arena, state, kind, site, 0, have, want);
  };
  auto makeCopy = [&](int64_t count, const int64_t *newSizes,
                      int64_t *newStrides) -> void * {
    bool isHalves = bytes == 0;
    auto *copy = static_cast<char *>(tegulaGpuScratchAllocate(
        arena, tegula::countDenseBytes(count, bytes), state, site));
    if (!copy)
      return nullptr;
    if (isHalves)
      copy = reinterpret_cast<char *>(reinterpret_cast<uint64_t>(copy) << 1 |
                                      uint64_t(1) << 63);
    tegula::computePackedStrides(newRank, newSizes, newStrides);
    int64_t step = isHalves ? 1 : bytes;
    auto *from = static_cast<const char *>(data);
    shareOut(count, [&](int64_t i) {
      copyElement(copy + step * i,
                  from + step * offsetOf(i, rank, shape, shape + rank), bytes);
    });
    tegulaGpuBarrier();
    return copy;
  };
  return tegula::reshapeView(data, shape, rank, newRank, mustAlias, report,
                             makeCopy);
}

} // extern "C"
