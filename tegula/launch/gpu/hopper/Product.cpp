// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices on Hopper chips. A block has two groups of warps that
// multiply, 64 rows of its tile each, and one that copies what they need next
// to a ring of buffers. Tiles are shared out among as many blocks as there are
// processors. Compiled for sm_90a only.

#include "tegula/launch/gpu/hopper/Instructions.h"
#include "tegula/launch/gpu/hopper/ProductAbi.h"

using namespace tegula::hopper;

#define SHARED __attribute__((address_space(3)))

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

/// A place in the ring, and the round it is in.
template <int32_t Stages> struct RingPlace {
  int32_t stage = 0;
  uint32_t round = 0;

  void next() {
    if (++stage == Stages) {
      stage = 0;
      round ^= 1;
    }
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

  void run() {
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

  template <typename Visit> void forEachTile(Visit visit) const {
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

  void multiplyTiles(int32_t half, int32_t thread) {
    RingPlace<Stages> place;
    forEachTile([&](TilePlace tile) {
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

  void store(const float (&sums)[Columns / 2], TilePlace tile, int32_t half,
             int32_t thread) {
    int32_t lane = thread % 32, warp = thread / 32;
    int32_t row = tile.row * rows + half * 64 + warp * 16 + lane / 4;
    int32_t column = tile.column * Columns + lane % 4 * 2;
    bool arePairs = product.targetRow % 2 == 0 &&
                    (uint64_t)product.target % (product.isNarrow ? 4 : 8) == 0;
#pragma unroll
    for (int32_t lower = 0; lower < 2; ++lower) {
      if (row + 8 * lower >= product.rows)
        continue;
      int64_t start = (row + 8 * lower) * product.targetRow;
#pragma unroll
      for (int32_t i = 0; i < Columns / 8; ++i) {
        int32_t at = column + 8 * i;
        float first = sums[4 * i + 2 * lower],
              second = sums[4 * i + 2 * lower + 1];
        if (at + 1 < product.columns && arePairs)
          storePair(start + at, first, second);
        else {
          if (at < product.columns)
            storeOne(start + at, first);
          if (at + 1 < product.columns)
            storeOne(start + at + 1, second);
        }
      }
    }
  }

  using Narrow = uint16_t;
  static Narrow narrow(float value) {
    if constexpr (Type == Factor::Bf16)
      return __builtin_bit_cast(Narrow, (__bf16)value);
    else
      return __builtin_bit_cast(Narrow, (_Float16)value);
  }
  void storePair(int64_t place, float first, float second) const {
    if (product.isNarrow)
      ((uint32_t *)product.target)[place / 2] =
          narrow(first) | (uint32_t)narrow(second) << 16;
    else {
      typedef float Pair __attribute__((vector_size(8)));
      ((Pair *)product.target)[place / 2] = Pair{first, second};
    }
  }
  void storeOne(int64_t place, float value) const {
    if (product.isNarrow)
      ((Narrow *)product.target)[place] = narrow(value);
    else
      ((float *)product.target)[place] = value;
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
