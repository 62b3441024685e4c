// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention on Hopper chips. A block has warpgroups that compute, 64 queries
// each, and one that copies queries, keys and values to rings of buffers. While
// one warpgroup multiplies, another one computes exponentials: they ping-pong.
// The scores of the next keys are begun before the values of the last ones are
// added, so that a warpgroup need not wait for its own matmuls. Keys come from
// the last to the first: those that not all queries see come before the others.
// Compiled for sm_90a only.

#include "tegula/backends/cuda/device/hopper/AttentionInstructions.h"
#include "tegula/backends/cuda/device/hopper/RingSlot.h"
#include "tegula/launch/gpu/abi/AttentionAbi.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"

using namespace tegula::hopper;

#define SHARED __attribute__((address_space(3)))

extern SHARED char tegulaMatmulMemory[];

// What keeps its numbers in registers must be part of its caller.
#define INLINE __attribute__((always_inline))

namespace {

constexpr int32_t rowBytes = 128, boxColumns = 64;
constexpr int32_t warpgroupThreads = 128, warpgroupRows = 64;
constexpr int32_t blockKeys = tegulaAttentionKeys;
constexpr int32_t stages = tegulaAttentionStages;
constexpr float nothing = -__builtin_inff();
/// The first of the barriers by which warpgroups ping-pong, and by which the
/// threads of a warpgroup synchronise.
constexpr int32_t pingPongBarrier = 1, warpgroupBarrier = 4;

/// The maps of a call.
struct Maps {
  const TegulaTensorMap *queries, *keys, *values, *result;
};

/// The queries that a block computes at once, and how many blocks of keys they
/// see.
struct Tile {
  int32_t head, row, steps;
};

/// The tiles of one block, so many rows each.
class TileScheduler {
public:
  TileScheduler(const TegulaAttention &sizes, int32_t rows)
      : sizes(sizes), rows(rows), each((sizes.queries + rows - 1) / rows),
        block(__nvvm_read_ptx_sreg_ctaid_x()),
        blocks(__nvvm_read_ptx_sreg_nctaid_x()) {}

  /// False if there are no more.
  INLINE bool next(Tile &tile) {
    for (;; ++iteration) {
      int32_t head, rowBlock;
      if (sizes.together == 0 ? !takePair(head, rowBlock)
                              : !takeSorted(head, rowBlock))
        return false;
      if (rowBlock < 0)
        continue;
      tile.head = head;
      tile.row = rowBlock * rows;
      int32_t seen = sizes.past + tile.row + rows;
      seen = seen < sizes.keys ? seen : sizes.keys;
      tile.steps = (seen + blockKeys - 1) / blockKeys;
      ++iteration;
      return true;
    }
  }

private:
  /// Every second iteration has the other tile of a pair; the one in the middle
  /// has none.
  INLINE bool takePair(int32_t &head, int32_t &rowBlock) const {
    int32_t half = (each + 1) / 2, number = block + iteration / 2 * blocks;
    head = number / half;
    int32_t first = number % half, last = each - 1 - first;
    rowBlock = iteration % 2 == 0 ? last : first < last ? first : -1;
    return head < sizes.heads;
  }

  /// Tiles of some heads follow each other, those that see most first. Who had
  /// the longest tile of an iteration has the shortest of the next one.
  INLINE bool takeSorted(int32_t &head, int32_t &rowBlock) const {
    int32_t start = iteration * blocks, count = each * sizes.heads;
    int32_t number = start + (iteration % 2 == 0 ? block : blocks - 1 - block);
    int32_t first = number / (each * sizes.together) * sizes.together;
    int32_t rest = sizes.heads - first;
    int32_t together = rest < sizes.together ? rest : sizes.together;
    rowBlock = -1;
    if (number < count) {
      number -= first * each;
      head = first + number % together;
      rowBlock = each - 1 - number / together;
    }
    return start < count;
  }

  const TegulaAttention &sizes;
  int32_t rows, each, block, blocks, iteration = 0;
};

template <OperandType Type, int32_t HeadSize> struct AttentionKernel {
  static constexpr int32_t warpgroups = tegulaAttentionGroups(HeadSize);
  static constexpr int32_t rows = warpgroups * warpgroupRows;
  static constexpr int32_t boxes = HeadSize / boxColumns;
  static constexpr int32_t queryBox = rows * rowBytes,
                           keyBox = blockKeys * rowBytes;
  static constexpr int32_t queryBytes = boxes * queryBox,
                           keyBytes = boxes * keyBox;

  const Maps &maps;
  const TegulaAttention &sizes;
  // In shared memory: buffers, and barriers that say that one was filled, or
  // that all warpgroups are done with it.
  uint32_t queries, keys, values;
  uint32_t queryFull, queryEmpty, keyFull, keyEmpty, valueFull, valueEmpty;

  AttentionKernel(const Maps &maps, const TegulaAttention &sizes)
      : maps(maps), sizes(sizes) {
    auto start = (uint32_t)(uint64_t)tegulaMatmulMemory;
    queries = (start + 1023) & ~1023u;
    keys = queries + 2 * queryBytes;
    values = keys + stages * keyBytes;
    queryFull = values + stages * keyBytes;
    queryEmpty = queryFull + 2 * 8;
    keyFull = queryEmpty + 2 * 8;
    keyEmpty = keyFull + stages * 8;
    valueFull = keyEmpty + stages * 8;
    valueEmpty = valueFull + stages * 8;
  }

  INLINE void run() {
    int32_t thread = __nvvm_read_ptx_sreg_tid_x();
    if (thread == 0)
      initBarriers();
    __syncthreads();
    awaitEarlier();
    int32_t warpgroup = thread / warpgroupThreads;
    if (warpgroup == 0) {
      giveRegistersForAttention<warpgroups>();
      if (thread == 0)
        copyTiles();
      return;
    }
    takeRegistersForAttention<warpgroups>();
    attendTiles(warpgroup - 1, thread % warpgroupThreads);
  }

  void initBarriers() const {
    for (int32_t i = 0; i < 2; ++i) {
      initBarrier(queryFull + 8 * i, 1);
      initBarrier(queryEmpty + 8 * i, warpgroups);
    }
    for (int32_t i = 0; i < stages; ++i) {
      initBarrier(keyFull + 8 * i, 1);
      initBarrier(valueFull + 8 * i, 1);
      initBarrier(keyEmpty + 8 * i, warpgroups);
      initBarrier(valueEmpty + 8 * i, warpgroups);
    }
    fenceBarriers();
  }

  template <typename Visit> INLINE void forEachTile(Visit visit) const {
    TileScheduler scheduler(sizes, rows);
    Tile tile;
    while (scheduler.next(tile))
      visit(tile);
  }

  // The warpgroup that copies.

  /// Fills the next buffer of a ring with rows of a tensor.
  template <int32_t Stages>
  void fill(RingSlot<Stages> &slot, uint32_t full, uint32_t empty,
            uint32_t buffers, int32_t bytes, const TegulaTensorMap *map,
            int32_t row, int32_t head) const {
    // In the first round all buffers are empty.
    await(empty + 8 * slot.stage, slot.round ^ 1);
    uint32_t barrier = full + 8 * slot.stage;
    expectBytes(barrier, bytes);
    for (int32_t box = 0; box < boxes; ++box)
      copyBox(buffers + slot.stage * bytes + box * (bytes / boxes), map,
              box * boxColumns, row, head, barrier);
    slot.next();
  }

  void copyTiles() {
    RingSlot<2> query;
    RingSlot<stages> key, value;
    forEachTile([&](Tile tile) {
      int32_t head = tile.head / sizes.sharing;
      fill(query, queryFull, queryEmpty, queries, queryBytes, maps.queries,
           tile.row, tile.head);
      // In the order in which they are needed.
      for (int32_t step = tile.steps; step >= 0; --step) {
        if (step > 0)
          fill(key, keyFull, keyEmpty, keys, keyBytes, maps.keys,
               (step - 1) * blockKeys, head);
        if (step < tile.steps)
          fill(value, valueFull, valueEmpty, values, keyBytes, maps.values,
               step * blockKeys, head);
      }
    });
  }

  // The warpgroups that compute.

  /// What one thread has of two rows: the largest score so far, the total of
  /// its weights, the weighted values, and weights whose values are still to be
  /// added.
  struct Rows {
    float largest[2], total[2];
    float result[HeadSize / 2];
    uint32_t weights[blockKeys / 4];
  };

  /// Begins scores = queries * keys, transposed.
  INLINE static void beginScores(float (&scores)[blockKeys / 2], uint32_t query,
                                 uint32_t key) {
    uint64_t a = describeOperand(query, 0), b = describeOperand(key, 0);
#pragma unroll
    for (int32_t part = 0; part < HeadSize / 16; ++part) {
      int32_t box = part / 4, within = part % 4 * 32;
      multiply<Type, false>(scores, a + ((box * queryBox + within) >> 4),
                            b + ((box * keyBox + within) >> 4), part == 0);
    }
    warpgroupCommit();
  }

  /// Begins result += weights * values.
  INLINE static void beginResult(Rows &own, uint32_t value) {
    uint64_t b = describeOperand(value, keyBox);
#pragma unroll
    for (int32_t part = 0; part < blockKeys / 16; ++part)
      multiplyRegisters<Type>(own.result, own.weights + 4 * part,
                              b + (part * 2048 >> 4));
    warpgroupCommit();
  }

  /// Hides keys that come after the last one that a row sees. `limit` is that
  /// of the thread's first row, counted from its first column.
  INLINE static void hide(float (&scores)[blockKeys / 2], int32_t first,
                          int32_t second) {
#pragma unroll
    for (int32_t i = 0; i < blockKeys / 8; ++i)
#pragma unroll
      for (int32_t odd = 0; odd < 2; ++odd) {
        float &upper = scores[4 * i + odd], &lower = scores[4 * i + 2 + odd];
        upper = 8 * i + odd <= first ? upper : nothing;
        lower = 8 * i + odd <= second ? lower : nothing;
      }
  }

  /// Scores become weights; says by how much what was summed up before fades.
  INLINE void weigh(float (&scores)[blockKeys / 2], Rows &own,
                    float (&faded)[2]) const {
    constexpr int32_t chains = 4;
#pragma unroll
    for (int32_t lower = 0; lower < 2; ++lower) {
      float most[chains];
#pragma unroll
      for (int32_t i = 0; i < blockKeys / 4; ++i) {
        float score = scores[4 * (i / 2) + 2 * lower + i % 2];
        most[i % chains] =
            i < chains ? score : __nvvm_fmax_f(most[i % chains], score);
      }
      float before = own.largest[lower];
      float largest = __nvvm_fmax_f(__nvvm_fmax_f(most[0], most[1]),
                                    __nvvm_fmax_f(most[2], most[3]));
      // A row is in four neighbouring threads.
      largest = __nvvm_fmax_f(largest,
                              __nvvm_shfl_sync_bfly_f32(-1u, largest, 1, 0x1f));
      largest = __nvvm_fmax_f(largest,
                              __nvvm_shfl_sync_bfly_f32(-1u, largest, 2, 0x1f));
      largest = __nvvm_fmax_f(largest, before);
      own.largest[lower] = largest;
      // Rows that have seen no key yet have weights of 0.
      float minus = largest == nothing ? 0.0f : -largest * sizes.scale;
      faded[lower] = exp2(__builtin_fmaf(before, sizes.scale, minus));
      float sums[chains];
#pragma unroll
      for (int32_t i = 0; i < blockKeys / 4; ++i) {
        float &score = scores[4 * (i / 2) + 2 * lower + i % 2];
        score = exp2(__builtin_fmaf(score, sizes.scale, minus));
        sums[i % chains] = i < chains ? score : sums[i % chains] + score;
      }
      own.total[lower] =
          __builtin_fmaf(own.total[lower], faded[lower],
                         (sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
  }

  INLINE static void roundWeights(const float (&scores)[blockKeys / 2],
                                  Rows &own) {
#pragma unroll
    for (int32_t i = 0; i < blockKeys / 4; ++i)
      own.weights[i] = roundPair<Type>(scores[2 * i], scores[2 * i + 1]);
  }

  INLINE void attendTiles(int32_t warpgroup, int32_t thread) {
    RingSlot<2> query;
    RingSlot<stages> key, value;
    // The first warpgroup begins.
    if (warpgroup == warpgroups - 1)
      passPingPong(warpgroup);
    forEachTile([&](Tile tile) INLINE {
      uint32_t own = queries + query.stage * queryBytes +
                     warpgroup * warpgroupRows * rowBytes;
      Rows state;
      await(queryFull + 8 * query.stage, query.round);
      attend(tile, warpgroup, thread, own, key, value, state);
      store(tile, warpgroup, thread, own, query.stage, state);
      query.next();
    });
    // No other warpgroup waits any more.
    if (warpgroup == 0)
      awaitPingPong(warpgroup);
  }

  INLINE void attend(Tile tile, int32_t warpgroup, int32_t thread,
                     uint32_t query, RingSlot<stages> &key,
                     RingSlot<stages> &value, Rows &own) {
    int32_t lane = thread % 32, warp = thread / 32;
    int32_t firstRow = tile.row + warpgroup * warpgroupRows;
    int32_t row = firstRow + warp * 16 + lane / 4, column = lane % 4 * 2;
    float scores[blockKeys / 2], faded[2];
    own.largest[0] = own.largest[1] = nothing;
    own.total[0] = own.total[1] = 0;
#pragma unroll
    for (int32_t i = 0; i < HeadSize / 2; ++i)
      own.result[i] = 0;
    auto limit = [&](int32_t row) INLINE {
      int32_t last = sizes.past + row;
      return last < sizes.keys - 1 ? last : sizes.keys - 1;
    };
    auto weighBlock = [&](int32_t step) INLINE {
      int32_t first = step * blockKeys;
      if (first + blockKeys - 1 > limit(firstRow))
        hide(scores, limit(row) - first - column,
             limit(row + 8) - first - column);
      weigh(scores, own, faded);
    };

    await(keyFull + 8 * key.stage, key.round);
    awaitPingPong(warpgroup);
    warpgroupArrive();
    beginScores(scores, query, keys + key.stage * keyBytes);
    passPingPong(warpgroup);
    finish(scores);
    release(keyEmpty, key, thread);
    weighBlock(tile.steps - 1);
    roundWeights(scores, own);
    for (int32_t step = tile.steps - 2; step >= 0; --step) {
      await(keyFull + 8 * key.stage, key.round);
      awaitPingPong(warpgroup);
      warpgroupArrive(own.result);
      beginScores(scores, query, keys + key.stage * keyBytes);
      await(valueFull + 8 * value.stage, value.round);
      beginResult(own, values + value.stage * keyBytes);
      passPingPong(warpgroup);
      finishAllButLast(scores);
      release(keyEmpty, key, thread);
      weighBlock(step);
      finish(own.result);
      release(valueEmpty, value, thread);
#pragma unroll
      for (int32_t i = 0; i < HeadSize / 2; ++i)
        own.result[i] *= faded[i / 2 % 2];
      roundWeights(scores, own);
    }
    await(valueFull + 8 * value.stage, value.round);
    awaitPingPong(warpgroup);
    warpgroupArrive(own.result);
    beginResult(own, values + value.stage * keyBytes);
    passPingPong(warpgroup);
    finish(own.result);
    release(valueEmpty, value, thread);
  }

  INLINE static void awaitPingPong(int32_t warpgroup) {
    syncBarrier(pingPongBarrier + warpgroup, 2 * warpgroupThreads);
  }
  INLINE static void passPingPong(int32_t warpgroup) {
    passBarrier(pingPongBarrier + (warpgroup + 1) % warpgroups,
                2 * warpgroupThreads);
  }

  /// Gives a buffer back to the warpgroup that copies.
  INLINE static void release(uint32_t empty, RingSlot<stages> &slot,
                             int32_t thread) {
    if (thread == 0)
      arrive(empty + 8 * slot.stage);
    slot.next();
  }

  /// Divides and stores the result, through the memory of the queries.
  INLINE void store(Tile tile, int32_t warpgroup, int32_t thread,
                    uint32_t memory, int32_t stage, Rows &own) const {
    int32_t lane = thread % 32, warp = thread / 32;
    float inverse[2];
#pragma unroll
    for (int32_t lower = 0; lower < 2; ++lower) {
      float total = own.total[lower];
      total += __nvvm_shfl_sync_bfly_f32(-1u, total, 1, 0x1f);
      total += __nvvm_shfl_sync_bfly_f32(-1u, total, 2, 0x1f);
      inverse[lower] = 1.0f / total;
    }
    int32_t row = warp * 16 + lane % 16, chunk = lane / 16;
#pragma unroll
    for (int32_t part = 0; part < HeadSize / 16; ++part) {
      uint32_t words[4];
#pragma unroll
      for (int32_t i = 0; i < 4; ++i)
        words[i] =
            roundPair<Type>(own.result[8 * part + 2 * i] * inverse[i % 2],
                            own.result[8 * part + 2 * i + 1] * inverse[i % 2]);
      int32_t at = (part % 4 * 2 + chunk) ^ (row % 8);
      storeMatrices(memory + part / 4 * queryBox + row * rowBytes + at * 16,
                    words);
    }
    fenceStores();
    syncBarrier(warpgroupBarrier + warpgroup, warpgroupThreads);
    if (thread != 0)
      return;
    for (int32_t box = 0; box < boxes; ++box)
      storeBox(maps.result, memory + box * queryBox, box * boxColumns,
               tile.row + warpgroup * warpgroupRows, tile.head);
    endStores();
    finishStores();
    arrive(queryEmpty + 8 * stage);
  }
};

} // namespace

// The maps are parameters, and copies are told where those are.
#define KERNEL(NAME, TYPE, HEAD_SIZE)                                          \
  extern "C" __attribute__((device_kernel)) void NAME(                         \
      TegulaTensorMap queries, TegulaTensorMap keys, TegulaTensorMap values,   \
      TegulaTensorMap result, TegulaAttention sizes) {                         \
    Maps maps{&queries, &keys, &values, &result};                              \
    AttentionKernel<TYPE, HEAD_SIZE>(maps, sizes).run();                       \
  }

KERNEL(tegulaAttentionBf16Head64, OperandType::Bf16, 64)
KERNEL(tegulaAttentionBf16Head128, OperandType::Bf16, 128)
KERNEL(tegulaAttentionFp16Head64, OperandType::Fp16, 64)
KERNEL(tegulaAttentionFp16Head128, OperandType::Fp16, 128)
