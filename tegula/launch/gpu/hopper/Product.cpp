// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices on Hopper chips. A block has two groups of warps that
// multiply, 64 rows of its tile each, and one that copies what they need next
// to a ring of buffers. Tiles are shared out among as many blocks as there are
// processors. Compiled for sm_90a only.

#include "tegula/launch/gpu/hopper/Instructions.h"
#include "tegula/launch/gpu/hopper/ProductAbi.h"
#include "tegula/launch/gpu/hopper/RingPlace.h"

using namespace tegula::hopper;

#define SHARED __attribute__((address_space(3)))
// Sums must not leave registers, and products run on only within a function.
#define INLINE __attribute__((always_inline))

extern SHARED char tegulaProductMemory[];

namespace {

constexpr int32_t rows = 128, depth = 64, rowBytes = 128;
constexpr int32_t groupThreads = 128;
constexpr int32_t leftBytes = rows * rowBytes;
/// Columns that lie side by side in one box.
constexpr int32_t boxColumns = 64, boxBytes = depth * rowBytes;

/// Where the tile with a number is. Tiles of 16 rows of them come one after the
/// other, column by column, so that what they read is still near.
struct TilePlace {
  int32_t row, column;

  TilePlace(int32_t number, int32_t countRows, int32_t countColumns) {
    constexpr int32_t together = 16;
    int32_t each = together * countColumns;
    int32_t first = number / each * together;
    int32_t height =
        countRows - first < together ? countRows - first : together;
    row = first + number % each % height;
    column = number % each / height;
  }
};

template <Factor Type, bool IsAcross, int32_t Columns, int32_t Stages>
struct ProductKernel {
  static constexpr int32_t rightBytes = Columns * rowBytes;
  static constexpr int32_t stageBytes = leftBytes + rightBytes;

  const TegulaProductMap *left, *right;
  const TegulaProduct &product;
  uint32_t memory, full, empty;
  int32_t tileRows, tileColumns, steps;

  ProductKernel(const TegulaProductMap *left, const TegulaProductMap *right,
                const TegulaProduct &product)
      : left(left), right(right), product(product) {
    auto start = (uint32_t)(uint64_t)tegulaProductMemory;
    memory = (start + 1023) & ~1023u;
    full = memory + Stages * stageBytes;
    empty = full + Stages * 8;
    tileRows = (product.rows + rows - 1) / rows;
    tileColumns = (product.columns + Columns - 1) / Columns;
    steps = (product.inner + depth - 1) / depth;
  }

  INLINE void run() {
    int32_t thread = __nvvm_read_ptx_sreg_tid_x();
    if (thread == 0) {
      for (int32_t i = 0; i < Stages; ++i) {
        initBarrier(full + 8 * i, 1);
        initBarrier(empty + 8 * i, 2);
      }
      fenceBarriers();
    }
    __syncthreads();
    int32_t group = thread / groupThreads;
    if (group == 0) {
      giveRegistersBack();
      if (thread == 0)
        copyTiles();
      return;
    }
    takeRegisters();
    multiplyTiles(group - 1, thread % groupThreads);
  }

  template <typename Visit> INLINE void forEachTile(Visit visit) const {
    int32_t blocks = __nvvm_read_ptx_sreg_nctaid_x();
    for (int32_t number = __nvvm_read_ptx_sreg_ctaid_x();
         number < tileRows * tileColumns; number += blocks)
      visit(TilePlace(number, tileRows, tileColumns));
  }

  void copyTiles() {
    RingPlace<Stages> place;
    forEachTile([&](TilePlace tile) {
      for (int32_t step = 0; step < steps; ++step) {
        // In the first round all buffers are empty.
        await(empty + 8 * place.stage, place.round ^ 1);
        uint32_t to = memory + place.stage * stageBytes;
        uint32_t barrier = full + 8 * place.stage;
        expectBytes(barrier, stageBytes);
        copyBox(to, left, step * depth, tile.row * rows, barrier);
        to += leftBytes;
        if constexpr (IsAcross)
          for (int32_t box = 0; box < Columns / boxColumns; ++box)
            copyBox(to + box * boxBytes, right,
                    tile.column * Columns + box * boxColumns, step * depth,
                    barrier);
        else
          copyBox(to, right, step * depth, tile.column * Columns, barrier);
        place.next();
      }
    });
  }

  INLINE void multiplyTiles(int32_t half, int32_t thread) {
    RingPlace<Stages> place;
    forEachTile([&](TilePlace tile) INLINE {
      float sums[Columns / 2];
      for (int32_t i = 0; i < Columns / 2; ++i)
        sums[i] = 0;
      int32_t before = -1;
      for (int32_t step = 0; step < steps; ++step) {
        await(full + 8 * place.stage, place.round);
        uint32_t at = memory + place.stage * stageBytes;
        uint64_t a = describeFactor(at + half * 64 * rowBytes, 0);
        uint64_t b = describeFactor(at + leftBytes, IsAcross ? boxBytes : 0);
        beginProducts();
#pragma unroll
        for (int32_t part = 0; part < depth / 16; ++part)
          multiply<Type, IsAcross>(
              sums, a + (part * 32 >> 4),
              b + ((IsAcross ? part * 2048 : part * 32) >> 4),
              step == 0 && part == 0);
        endProducts();
        finishAllButLast();
        // The products of the step before are done, so its buffer is free.
        if (before >= 0 && thread == 0)
          arrive(empty + 8 * before);
        before = place.stage;
        place.next();
      }
      finish(sums);
      if (before >= 0 && thread == 0)
        arrive(empty + 8 * before);
      store(sums, tile, half, thread);
    });
  }

  INLINE void store(const float (&sums)[Columns / 2], TilePlace tile,
                    int32_t half, int32_t thread) {
    int32_t lane = thread % 32, warp = thread / 32;
    int32_t row = tile.row * rows + half * 64 + warp * 16 + lane / 4;
    int32_t column = tile.column * Columns + lane % 4 * 2;
#pragma unroll
    for (int32_t lower = 0; lower < 2; ++lower) {
      int32_t at = row + 8 * lower;
      if (at >= product.rows)
        continue;
      // A thread has two columns of every eight; eight times that at once.
#pragma unroll
      for (int32_t i = 0; i < Columns / 8; i += 8) {
        int32_t first = column + 8 * i, left = product.columns - first;
        if (left <= 0)
          continue;
        const float *d = sums + 4 * i + 2 * lower;
        if (product.arePairs)
          tegulaProductStorePairs(product.slots, at, first, left, d[0], d[1],
                                  d[4], d[5], d[8], d[9], d[12], d[13], d[16],
                                  d[17], d[20], d[21], d[24], d[25], d[28],
                                  d[29]);
        else
          tegulaProductStoreSingles(product.slots, at, first, left, d[0], d[1],
                                    d[4], d[5], d[8], d[9], d[12], d[13], d[16],
                                    d[17], d[20], d[21], d[24], d[25], d[28],
                                    d[29]);
      }
    }
  }
};

} // namespace

// The maps are parameters, and copies are told where those are.
#define KERNEL(NAME, TYPE, IS_ACROSS, COLUMNS)                                 \
  extern "C" __attribute__((device_kernel)) void NAME(                         \
      TegulaProductMap left, TegulaProductMap right, TegulaProduct product) {  \
    ProductKernel<TYPE, IS_ACROSS, COLUMNS, tegulaProductStages(COLUMNS)>(     \
        &left, &right, product)                                                \
        .run();                                                                \
  }

KERNEL(tegulaProductBf16Across256, Factor::Bf16, true, 256)
KERNEL(tegulaProductBf16Across192, Factor::Bf16, true, 192)
KERNEL(tegulaProductBf16Across128, Factor::Bf16, true, 128)
KERNEL(tegulaProductBf16Along256, Factor::Bf16, false, 256)
KERNEL(tegulaProductBf16Along192, Factor::Bf16, false, 192)
KERNEL(tegulaProductBf16Along128, Factor::Bf16, false, 128)
KERNEL(tegulaProductFp16Across256, Factor::Fp16, true, 256)
KERNEL(tegulaProductFp16Across192, Factor::Fp16, true, 192)
KERNEL(tegulaProductFp16Across128, Factor::Fp16, true, 128)
KERNEL(tegulaProductFp16Along256, Factor::Fp16, false, 256)
KERNEL(tegulaProductFp16Along192, Factor::Fp16, false, 192)
KERNEL(tegulaProductFp16Along128, Factor::Fp16, false, 128)
