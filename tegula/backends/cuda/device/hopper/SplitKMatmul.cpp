// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of few rows on Hopper chips. There are fewer tiles than SMs, so
// several blocks, a cluster, share the steps of a tile, each with a ring of its
// own. Then each of them adds up a part of the accumulators of all, in the
// order of the blocks. Compiled for sm_90a only.

#include "tegula/backends/cuda/device/hopper/AccumulatorStaging.h"
#include "tegula/backends/cuda/device/hopper/Instructions.h"
#include "tegula/backends/cuda/device/hopper/OperandType.h"
#include "tegula/backends/cuda/device/hopper/RingSlot.h"
#include "tegula/backends/cuda/device/hopper/StepAccumulators.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"

using namespace tegula::hopper;

#define SHARED __attribute__((address_space(3)))
#define INLINE __attribute__((always_inline))

extern SHARED char tegulaMatmulMemory[];

namespace {

constexpr int32_t rows = tegulaSplitRows;
constexpr int32_t warpgroupThreads = 128;
constexpr int32_t leftBytes = rows * rowBytes;
/// Times that threads store accumulators, eight of each 64 columns, and rows of
/// each.
constexpr int32_t numChunks = 4, chunkRows = rows / numChunks;

template <OperandType Type, bool IsAcross, int32_t Columns> struct SplitKernel {
  static constexpr int32_t columns = Columns;
  static constexpr int32_t depth = OperandTraits<Type>::depth;
  static constexpr int32_t boxColumns = OperandTraits<Type>::boxColumns;
  static constexpr int32_t boxBytes = OperandTraits<Type>::boxBytes;
  /// Whether threads transpose the rhs in its buffer, as matmuls do not take it
  /// as it is there.
  static constexpr bool isTransposed =
      IsAcross && OperandTraits<Type>::bytes != 2;
  static constexpr bool isAcross = IsAcross && !isTransposed;
  static constexpr int32_t rightBytes = columns * rowBytes;
  static constexpr int32_t stageBytes = leftBytes + rightBytes;
  static constexpr int32_t stages = tegulaSplitStages(columns);
  using Sums = float[columns / 2];

  const TegulaTensorMap *left, *right;
  const TegulaMatmul &matmul;
  uint32_t memory, full, empty;
  int32_t tileRow, tileColumn, block, blocks, first, last;

  SplitKernel(const TegulaTensorMap *left, const TegulaTensorMap *right,
              const TegulaMatmul &matmul)
      : left(left), right(right), matmul(matmul) {
    auto start = (uint32_t)(uint64_t)tegulaMatmulMemory;
    memory = (start + 1023) & ~1023u;
    full = memory + stages * stageBytes;
    empty = full + stages * 8;
    block = getBlockOfCluster();
    blocks = countBlocksOfCluster();
    int32_t tile = (int32_t)__nvvm_read_ptx_sreg_ctaid_x() / blocks;
    int32_t tileRows = (matmul.rows + rows - 1) / rows;
    tileRow = tile % tileRows;
    tileColumn = tile / tileRows;
    int64_t steps = (matmul.inner + depth - 1) / depth;
    first = (int32_t)(steps * block / blocks);
    last = (int32_t)(steps * (block + 1) / blocks);
  }

  INLINE void run() {
    int32_t thread = __nvvm_read_ptx_sreg_tid_x();
    if (thread == 0) {
      prefetchMap(left);
      prefetchMap(right);
      for (int32_t i = 0; i < stages; ++i) {
        initBarrier(full + 8 * i, 1);
        initBarrier(empty + 8 * i, 1);
      }
      fenceBarriers();
    }
    __syncthreads();
    awaitEarlier();
    if (thread == 0)
      copy();
    // Who has ended is not waited for.
    if (thread < warpgroupThreads)
      return;
    thread -= warpgroupThreads;
    multiply(thread);
    syncCluster();
    chooseSide(matmul, [&](auto side) INLINE {
      for (int32_t part = block; part < numChunks; part += blocks)
        store<decltype(side)::value>(part, thread);
    });
    // Others may still read this block's accumulators.
    syncCluster();
  }

  void copy() {
    RingSlot<stages> slot;
    for (int32_t step = first; step < last; ++step) {
      // In the first round all buffers are empty.
      await(empty + 8 * slot.stage, slot.round ^ 1);
      uint32_t to = memory + slot.stage * stageBytes;
      uint32_t barrier = full + 8 * slot.stage;
      // Accumulators of rows that are not there are not stored.
      expectBytes(barrier, matmul.boxRows * rowBytes + rightBytes);
      copyBox(to, left, step * depth, tileRow * rows, barrier);
      to += leftBytes;
      if constexpr (IsAcross)
        for (int32_t box = 0; box < columns / boxColumns; ++box)
          copyBox(to + box * boxBytes, right,
                  tileColumn * columns + box * boxColumns, step * depth,
                  barrier);
      else
        copyBox(to, right, step * depth, tileColumn * columns, barrier);
      slot.next();
    }
  }

  /// Waits for the operands of a step and transposes the rhs, of words, where
  /// it is, while matmuls of the step before run. A box has as many rows as
  /// columns, so its columns take its memory as rows; some warps share one.
  INLINE void transpose(const RingSlot<stages> &slot, int32_t thread) {
    constexpr int32_t together = 4 * boxColumns / columns;
    constexpr int32_t count = depth / together;
    await(full + 8 * slot.stage, slot.round);
    uint32_t at = memory + slot.stage * stageBytes + leftBytes;
    int32_t lane = thread % 32, warp = thread / 32;
    uint32_t box = at + warp / together * boxBytes;
    int32_t first = warp % together * count;
    float words[count];
#pragma unroll
    for (int32_t i = 0; i < count; ++i)
      words[i] = readOne(box + (first + i) * rowBytes +
                         ((lane / 4 ^ i % 8) << 4) + lane % 4 * 4);
    awaitWarpgroup(1);
#pragma unroll
    for (int32_t i = 0; i < count; i += 4)
      writeFour(box + lane * rowBytes + (((first + i) / 4 ^ lane % 8) << 4),
                words[i], words[i + 1], words[i + 2], words[i + 3]);
    fenceStores();
    awaitWarpgroup(1);
  }

  /// Leaves this block's accumulators in shared memory.
  INLINE void multiply(int32_t thread) {
    RingSlot<stages> slot;
    Sums sums;
    for (float &sum : sums)
      sum = 0;
    if constexpr (tegula::isAddedUp(Type))
      addUp(sums, thread, slot);
    else
      multiplySteps(sums, thread, slot);
    // All copies have come, and all matmuls were computed by all warps.
    awaitWarpgroup(1);
    int32_t lane = thread % 32, warp = thread / 32;
#pragma unroll
    for (int32_t i = 0; i < 2; ++i)
      AccumulatorStaging(memory + (warp * 2 + i) * AccumulatorStaging::bytes)
          .write(sums + 2 * i, lane, columns);
  }

  INLINE void multiplySteps(Sums &sums, int32_t thread,
                            RingSlot<stages> &slot) {
    int32_t before = -1;
    if constexpr (isTransposed)
      transpose(slot, thread);
    for (int32_t step = first; step < last; ++step) {
      if constexpr (!isTransposed)
        await(full + 8 * slot.stage, slot.round);
      uint32_t at = memory + slot.stage * stageBytes;
      uint64_t a = describeOperand(at, 0);
      uint64_t b = describeOperand(at + leftBytes, isAcross ? boxBytes : 0);
      warpgroupArrive();
#pragma unroll
      for (int32_t part = 0; part < wgmmasPerStep; ++part)
        tegula::hopper::multiply<Type, isAcross>(
            sums, a + (part * wgmmaBytes >> 4),
            b + ((isAcross ? part * 2048 : part * wgmmaBytes) >> 4),
            step == first && part == 0);
      warpgroupCommit();
      int32_t done = isTransposed ? slot.stage : before;
      before = slot.stage;
      slot.next();
      if constexpr (isTransposed) {
        if (step + 1 < last)
          transpose(slot, thread);
        finish(sums);
      } else {
        finishAllButLast();
      }
      // The matmuls of a step are done, so its buffer is free.
      if (done >= 0 && thread == 0)
        arrive(empty + 8 * done);
    }
    finish(sums);
  }

  /// The same where accumulators of a step are added to others.
  INLINE void addUp(Sums &sums, int32_t thread, RingSlot<stages> &slot) {
    for (int32_t step = first; step < last; ++step) {
      await(full + 8 * slot.stage, slot.round);
      uint32_t at = memory + slot.stage * stageBytes;
      StepAccumulators<Type, columns / 2> made(
          describeOperand(at, 0), describeOperand(at + leftBytes, 0));
      if (thread == 0)
        arrive(empty + 8 * slot.stage);
      made.addTo(sums);
      slot.next();
    }
  }

  /// Adds up and stores accumulators of each thread.
  template <int32_t Side> INLINE void store(int32_t part, int32_t thread) {
    int32_t row = part * chunkRows + thread / 8, lane = thread % 8;
    int32_t at = tileRow * rows + row;
    int32_t first = tileColumn * columns + lane * 8;
    int32_t end = (tileColumn + 1) * columns;
    end = end < matmul.columns ? end : matmul.columns;
    ReadWords words;
    if constexpr (Side == 8)
      words.read(matmul, at, first, end);
    float d[16];
    for (float &sum : d)
      sum = 0;
    for (int32_t from = 0; from < blocks; ++from)
#pragma unroll
      for (int32_t i = 0; i < columns / 32; ++i)
        addFour<tegula::hasIntegerSums(Type)>(
            d + 4 * i,
            ofBlock(AccumulatorStaging(memory).offsetOf(row, lane, i), from));
    if (at < matmul.rows && first < end)
      storeAccumulators<Side>(matmul, at, first, end - first, words.words, d);
  }
};

} // namespace

#define KERNEL(NAME, TYPE, IS_ACROSS, COLUMNS)                                 \
  extern "C" __attribute__((device_kernel)) void NAME(                         \
      TegulaTensorMap left, TegulaTensorMap right, TegulaMatmul matmul) {      \
    SplitKernel<TYPE, IS_ACROSS, COLUMNS>(&left, &right, matmul).run();        \
  }
#define KERNELS(NAME, TYPE, IS_ACROSS)                                         \
  KERNEL(NAME##Split128, TYPE, IS_ACROSS, 128)                                 \
  KERNEL(NAME##Split64, TYPE, IS_ACROSS, 64)

// Those of a kind of types.
#define KERNELS_Half(NAME)                                                     \
  KERNELS(tegulaMatmul##NAME##Across, OperandType::NAME, true)                 \
  KERNELS(tegulaMatmul##NAME##Along, OperandType::NAME, false)
#define KERNELS_Word(NAME) KERNELS_Half(NAME)
#define KERNELS_Integer(NAME)                                                  \
  KERNELS(tegulaMatmul##NAME##Along, OperandType::NAME, false)
#define KERNELS_Float8(NAME) KERNELS_Integer(NAME)
#define KERNELS_Ordinary(NAME)
#define ROW(NAME, KIND, ...) KERNELS_##KIND(NAME)
TEGULA_GPU_OPERAND_TYPES(ROW)
