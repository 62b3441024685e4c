// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls on Hopper chips. A block has two consumer warpgroups, and a producer
// warpgroup that copies their operands to a ring of buffers. The consumers have
// 64 rows each of every tile, or ping-pong: while one multiplies a tile, the
// other computes the epilogue of the tile before, and of a block's last tile
// each computes half of the epilogue. Tiles are distributed to as many blocks
// as there are SMs. Blocks of a cluster have tiles below each other at the same
// time, and each multicasts a part of the columns. Where warpgroups do not
// ping-pong, an epilogue operand goes through the ring as well, behind the last
// step. Compiled for sm_90a only.

#include "tegula/backends/cuda/device/hopper/AccumulatorStaging.h"
#include "tegula/backends/cuda/device/hopper/EpilogueOperandCopy.h"
#include "tegula/backends/cuda/device/hopper/Instructions.h"
#include "tegula/backends/cuda/device/hopper/RingSlot.h"
#include "tegula/backends/cuda/device/hopper/StepAccumulators.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"

using namespace tegula::hopper;

#define SHARED __attribute__((address_space(3)))
// Accumulators stay in registers; matmuls run on only within a function.
#define INLINE __attribute__((always_inline))

extern SHARED char tegulaMatmulMemory[];

namespace {

constexpr int32_t warpgroupThreads = 128;
constexpr int32_t warpgroupWarps = warpgroupThreads / warpThreads;
constexpr int32_t leftBytes = rows * rowBytes, halfBytes = leftBytes / 2;

template <OperandType Type, bool IsAcross, int32_t Columns, int32_t Stages,
          bool IsPingPong>
struct MatmulKernel {
  static constexpr int32_t depth = OperandTraits<Type>::depth;
  static constexpr int32_t boxColumns = OperandTraits<Type>::boxColumns;
  static constexpr int32_t boxBytes = OperandTraits<Type>::boxBytes;
  static constexpr int32_t rightBytes = Columns * rowBytes;
  static constexpr int32_t stageBytes = leftBytes + rightBytes;
  /// Matmuls of 64 rows that a warpgroup has of a tile, and their accumulators.
  using Share = TileShare<Columns, IsPingPong>;
  using Copy = EpilogueOperandCopy<Columns, Stages, IsPingPong>;
  static constexpr int32_t halves = Share::halves, across = Share::across;
  static constexpr int32_t parts = Share::parts;
  using Slot = RingSlot<Stages>;
  using Words = PrefetchedWords;
  using Sums = float[halves][Columns / 2];
  /// Columns of accumulators that are added up at a time: registers are few.
  static constexpr int32_t addedColumns = Columns == 256 ? 128 : Columns;

  const TegulaTensorMap *left, *right, *epilogueOperand;
  const TegulaMatmul &matmul;
  uint32_t memory, full, empty, pingPong, given, copied, prefetched;
  /// Tiles; where a cluster has several, so many times as many rows of them.
  int32_t tileRows, tileColumns, steps;
  /// Blocks of the cluster, and which of them this is.
  int32_t blocks, block;

  MatmulKernel(const TegulaTensorMap *left, const TegulaTensorMap *right,
               const TegulaTensorMap *epilogueOperand,
               const TegulaMatmul &matmul)
      : left(left), right(right), epilogueOperand(epilogueOperand),
        matmul(matmul) {
    auto start = (uint32_t)(uint64_t)tegulaMatmulMemory;
    memory = (start + 1023) & ~1023u;
    full = memory + Stages * stageBytes;
    empty = full + Stages * 8;
    pingPong = empty + Stages * 8;
    given = pingPong + 2 * 8;
    copied = given + 8;
    prefetched = copied + 8;
    blocks = matmul.cluster;
    block = blocks > 1 ? getBlockOfCluster() : 0;
    tileRows = (matmul.rows + rows * blocks - 1) / (rows * blocks);
    tileColumns = (matmul.columns + Columns - 1) / Columns;
    steps = (matmul.inner + depth - 1) / depth;
  }

  INLINE void run() {
    int32_t thread = __nvvm_read_ptx_sreg_tid_x();
    if (thread == 0) {
      prefetchMap(left);
      prefetchMap(right);
      if (hasCopy())
        prefetchMap(epilogueOperand);
      for (int32_t i = 0; i < Stages; ++i) {
        initBarrier(full + 8 * i, 1);
        initBarrier(empty + 8 * i, (IsPingPong ? 1 : 2) *
                                       (blocks > 1 ? blocks : warpgroupWarps));
      }
      initBarrier(copied, 1);
      initBarrier(prefetched, 1);
      if (IsPingPong) {
        for (int32_t warpgroup = 0; warpgroup < 2; ++warpgroup)
          initBarrier(pingPong + 8 * warpgroup, warpgroupWarps);
        initBarrier(given, warpgroupWarps);
      }
      fenceBarriers();
    }
    if (blocks > 1)
      syncCluster();
    else
      __syncthreads();
    awaitEarlier();
    int32_t warpgroup = thread / warpgroupThreads;
    if (warpgroup == 0) {
      giveRegistersBack();
      if (thread == 0)
        copyTiles();
      else if (thread >= warpThreads && thread < 2 * warpThreads)
        prefetchTiles(thread % warpThreads);
      return;
    }
    takeRegisters();
    multiplyTiles(warpgroup - 1, thread % warpgroupThreads);
    // Others may still say that they are done with what this block copied.
    if (blocks > 1)
      syncCluster();
  }

  INLINE int32_t countTiles() const { return tileRows * tileColumns; }
  INLINE int32_t countClusters() const {
    return (int32_t)__nvvm_read_ptx_sreg_nctaid_x() / blocks;
  }
  /// Whether the last tile fills all stages, after the other warpgroup's tile.
  INLINE bool hasManySteps() const {
    constexpr int32_t many = 8;
    static_assert(!IsPingPong || Stages <= many);
    return steps >= many;
  }
  /// Whether the producer copies the epilogue operand: by eight columns only.
  INLINE bool hasCopy() const { return Copy::isMade() && matmul.areEights; }
  /// Whether both consumer warpgroups store the last tile.
  INLINE bool sharesLast() const { return IsPingPong && hasManySteps(); }
  /// The number of the cluster's first tile, or of that after so many others.
  INLINE int32_t numberOf(int32_t iteration) const {
    return (int32_t)__nvvm_read_ptx_sreg_ctaid_x() / blocks +
           iteration * countClusters();
  }
  INLINE TileCoord tileOf(int32_t number) const {
    TileCoord tile(number, tileRows, tileColumns, 8 / blocks);
    tile.row = tile.row * blocks + block;
    return tile;
  }

  void copyTiles() {
    Slot slot;
    uint32_t round = 1;
    for (int32_t number = numberOf(0); number < countTiles();
         number += countClusters()) {
      copyTile(tileOf(number), slot);
      if (hasCopy())
        copyEpilogueOperand(tileOf(number), slot);
      if (!hasPrefetches())
        continue;
      // In the first round nothing was asked for.
      await(prefetched, round);
      arrive(copied);
      round ^= 1;
    }
  }

  INLINE void copyTile(TileCoord tile, Slot &slot) {
    for (int32_t step = 0; step < steps; ++step) {
      // In the first round all buffers are empty.
      await(empty + 8 * slot.stage, slot.round ^ 1);
      uint32_t to = memory + slot.stage * stageBytes;
      uint32_t barrier = full + 8 * slot.stage;
      expectBytes(barrier, stageBytes);
      copyBox(to, left, step * depth, tile.row * rows, barrier);
      copyRight(to + leftBytes, step * depth, tile.column * Columns, barrier);
      slot.next();
    }
  }

  /// Copies the epilogue operand of a tile.
  INLINE void copyEpilogueOperand(TileCoord tile, Slot &slot) {
    for (int32_t i = 0; i < Copy::countBuffers(); ++i) {
      await(empty + 8 * slot.stage, slot.round ^ 1);
      uint32_t barrier = full + 8 * slot.stage;
      expectBytes(barrier, Copy::getBytes());
      copyBox(memory + slot.stage * stageBytes, epilogueOperand,
              tile.column * Columns, tile.row * rows + i * Copy::countRows(),
              barrier);
      slot.next();
    }
  }

  INLINE void awaitCopy(Slot slot) {
    for (int32_t i = 0; i < Copy::countBuffers(); ++i) {
      await(full + 8 * slot.stage, slot.round);
      slot.next();
    }
  }

  /// Releases the copied operand; one thread arrives for its warpgroup.
  INLINE void releaseCopy(Slot &slot, int32_t warpgroup, int32_t thread) {
    if (blocks > 1)
      awaitWarpgroup(1 + warpgroup);
    else
      awaitWarp();
    for (int32_t i = 0; i < Copy::countBuffers(); ++i) {
      release(slot.stage, thread);
      slot.next();
    }
  }

  /// Whether epilogue operands are prefetched to L2. Where warpgroups ping-pong
  /// that would delay copies, and there is time unless steps are few.
  INLINE bool hasPrefetches() const {
    constexpr int32_t few = 16;
    return tegulaMatmulCountReads() > (hasCopy() ? 1 : 0) &&
           (!IsPingPong || steps < few);
  }
  INLINE int32_t firstPrefetch() const {
    return hasCopy() ? 64 * tegulaMatmulEpilogueOperandBytes() / 128 : 0;
  }

  /// One warp prefetches a tile's epilogue operands once the whole tile is in
  /// flight: earlier they might be evicted before they are read.
  INLINE void prefetchTiles(int32_t lane) {
    if (!hasPrefetches())
      return;
    uint32_t round = 0;
    for (int32_t number = numberOf(0); number < countTiles();
         number += countClusters()) {
      await(copied, round);
      round ^= 1;
      TileCoord tile = tileOf(number);
      for (int32_t row = lane; row < rows; row += warpThreads)
        for (int32_t column = 0; column < Columns; column += 64)
          forEachRead(tile.row * rows + row, tile.column * Columns + column,
                      prefetchLine);
      awaitWarp();
      if (lane == 0)
        arrive(prefetched);
    }
  }

  /// This block's part of the rhs's box, for all of the cluster.
  INLINE void copyRight(uint32_t to, int32_t inner, int32_t column,
                        uint32_t barrier) {
    if constexpr (IsAcross) {
      for (int32_t box = block; box < Columns / boxColumns; box += blocks)
        copyBoxToCluster(to + box * boxBytes, column + box * boxColumns, inner,
                         barrier);
    } else {
      int32_t first = Columns / blocks * block;
      copyBoxToCluster(to + first * rowBytes, inner, column + first, barrier);
    }
  }

  INLINE void copyBoxToCluster(uint32_t to, int32_t inner, int32_t outer,
                               uint32_t barrier) {
    if (blocks > 1)
      copyBoxToAll(to, right, inner, outer, barrier, (1 << blocks) - 1);
    else
      copyBox(to, right, inner, outer, barrier);
  }

  /// Releases a stage to all producers that copy to it.
  INLINE void release(int32_t stage, int32_t thread) {
    uint32_t barrier = empty + 8 * stage;
    if (blocks == 1)
      arriveOfWarp(barrier);
    else if (thread < blocks)
      arriveThere(ofBlock(barrier, thread));
  }

  INLINE void multiplyTiles(int32_t warpgroup, int32_t thread) {
    Slot slot;
    uint32_t round = 0;
    if (!IsPingPong) {
      for (int32_t number = numberOf(0); number < countTiles();
           number += countClusters())
        visitTile(number, warpgroup, thread, slot, round);
      return;
    }
    slot.skip(warpgroup * steps);
    // The first warpgroup begins.
    if (warpgroup == 1)
      arriveForOtherGroup(warpgroup);
    // The number after the last tile's is that of who helps with it.
    int32_t end = countTiles() + (sharesLast() ? countClusters() : 0);
    for (int32_t number = numberOf(warpgroup); number < end;
         number += 2 * countClusters()) {
      visitTile(number, warpgroup, thread, slot, round);
      slot.skip(steps);
    }
  }

  /// Computes a tile and its epilogue, or the half that the other leaves.
  INLINE void visitTile(int32_t number, int32_t warpgroup, int32_t thread,
                        Slot &slot, uint32_t &round) {
    bool isOwn = !IsPingPong || number < countTiles();
    TileCoord tile = tileOf(isOwn ? number : number - countClusters());
    bool isWhole =
        matmul.areEights && (tile.column + 1) * Columns <= matmul.columns;
    bool isShared = sharesLast() && (isWhole || !matmul.areEights) &&
                    number + countClusters() >= countTiles();
    if (!isOwn && !isShared)
      return;
    // Whose own accumulators are left as well has their registers.
    bool leavesAll = isShared && isWhole && tegulaMatmulIsLong();
    int32_t first = isOwn ? 0 : parts / 2;
    int32_t end = isOwn && isShared ? parts / 2 : parts;
    Sums sums;
    Words current;
    if (isOwn) {
      // Buffers say only whether their round is an even one, so
      // who is too early would take the last one's for its own.
      if (IsPingPong)
        await(pingPong + 8 * warpgroup, round);
      round ^= 1;
      auto prefetch = [&]() INLINE {
        if (matmul.areEights)
          read(current, Share(matmul, tile, warpgroup, thread), first);
      };
      if constexpr (isAddedUp(Type)) {
        addUpTile(sums, warpgroup, thread, slot);
        prefetch();
      } else {
        multiplyTile(sums, warpgroup, thread, slot, prefetch);
      }
      if (isShared)
        leave(sums, leavesAll ? 0 : end, thread);
    } else {
      // It has none, which the assembler sees only if they are set: else it
      // keeps registers for those of its last tile.
      clear(sums);
      if (matmul.areEights)
        read(current, Share(matmul, tile, warpgroup, thread), first);
      await(given, 0);
    }
    if (hasCopy())
      awaitCopy(slot);
    if (leavesAll || (!isOwn && isWhole))
      return storeLeft(current, first, end, tile, warpgroup, thread);
    StoredChunks work{first, end, isOwn};
    chooseSide(matmul, [&](auto side) INLINE {
      store<decltype(side)::value>(sums, current, work, tile, slot, warpgroup,
                                   thread);
    });
    if (hasCopy())
      releaseCopy(slot, warpgroup, thread);
  }

  /// Where a warp leaves part of the last tile: in buffers that nobody fills
  /// again.
  INLINE uint32_t roomOf(int32_t part, int32_t thread) const {
    static_assert(!IsPingPong ||
                  parts * warpgroupWarps * AccumulatorStaging::bytes <=
                      Stages * stageBytes);
    return memory + (part * warpgroupWarps + thread / warpThreads) *
                        AccumulatorStaging::bytes;
  }

  /// Leaves the accumulators of the last tile, from a part on, in memory: first
  /// what the other warpgroup waits for.
  INLINE void leave(const Sums &sums, int32_t first, int32_t thread) {
    thread = (int32_t)(asUnknown(thread) % warpgroupThreads);
    // Matmuls of other warps may still read the buffers. Only one warpgroup has
    // the last tile.
    awaitWarpgroup(1);
#pragma unroll
    for (int32_t i = parts - 1; i >= 0; --i) {
      if (i >= first)
        write(sums, i, roomOf(i, thread), thread % warpThreads);
      if (i == parts / 2) {
        awaitWarp();
        arriveOfWarp(given);
      }
    }
    awaitWarp();
  }

  /// Lets the other warpgroup begin. All warps arrive: a late one would miss a
  /// phase of the barrier otherwise.
  INLINE void arriveForOtherGroup(int32_t warpgroup) {
    arriveOfWarp(pingPong + 8 * (1 - warpgroup));
  }

  static INLINE void clear(Sums &sums) {
    for (int32_t i = 0; i < halves; ++i)
      for (int32_t j = 0; j < Columns / 2; ++j)
        sums[i][j] = 0;
  }

  /// Accumulates a tile; does `meanwhile` while the last wgmma runs.
  template <typename Meanwhile>
  INLINE void multiplyTile(Sums &sums, int32_t warpgroup, int32_t thread,
                           Slot &slot, Meanwhile meanwhile) {
    int32_t half = IsPingPong ? 0 : warpgroup;
    clear(sums);
    int32_t before = -1;
    for (int32_t step = 0; step < steps; ++step) {
      await(full + 8 * slot.stage, slot.round);
      uint32_t at = memory + slot.stage * stageBytes;
      uint64_t a = describeOperand(at + half * halfBytes, 0);
      uint64_t b = describeOperand(at + leftBytes, IsAcross ? boxBytes : 0);
      warpgroupArrive();
#pragma unroll
      for (int32_t part = 0; part < wgmmasPerStep; ++part)
#pragma unroll
        for (int32_t i = 0; i < halves; ++i)
          multiply<Type, IsAcross>(
              sums[i], a + ((i * halfBytes + part * wgmmaBytes) >> 4),
              b + ((IsAcross ? part * 2048 : part * wgmmaBytes) >> 4),
              step == 0 && part == 0);
      warpgroupCommit();
      finishAllButLast();
      // The matmuls of the step before are done, so its buffer is free.
      if (before >= 0)
        release(before, thread);
      before = slot.stage;
      slot.next();
    }
    if (IsPingPong)
      arriveForOtherGroup(warpgroup);
    meanwhile();
#pragma unroll
    for (int32_t i = 0; i < halves; ++i)
      finish(sums[i]);
    if (before >= 0)
      release(before, thread);
  }

  /// With two-level accumulation: each step's accumulators are added in FP32.
  INLINE void addUpTile(Sums &sums, int32_t warpgroup, int32_t thread,
                        Slot &slot) {
    static_assert(!isAddedUp(Type) || (!IsPingPong && !IsAcross));
    clear(sums);
    for (int32_t step = 0; step < steps; ++step) {
      await(full + 8 * slot.stage, slot.round);
      uint32_t at = memory + slot.stage * stageBytes;
      uint64_t a = describeOperand(at + warpgroup * halfBytes, 0);
#pragma unroll
      for (int32_t first = 0; first < Columns; first += addedColumns) {
        StepAccumulators<Type, addedColumns / 2> made(
            a, describeOperand(at + leftBytes + first * rowBytes, 0));
        if (first + addedColumns == Columns)
          release(slot.stage, thread);
        made.addTo(sums[0] + first / 2);
      }
      slot.next();
    }
  }

  INLINE void read(Words &current, const Share &share, int32_t part) {
#pragma unroll
    for (int32_t i = 0; i < 2; ++i)
      current.rows[i].read(matmul, share.rowOf(part) + 4 * i,
                           share.columnOf(part), share.end, Copy::isMade());
  }

  /// Reads what comes after that, unless it is the same for all parts.
  INLINE void readNext(Words &next, const Words &current, const Share &share,
                       int32_t part) {
    bool isRead = tegulaMatmulCountReads() > (Copy::isMade() ? 1 : 0);
    if (across == 1 && !isRead)
      next = current;
    else
      read(next, share, part);
  }

  /// Reads the copy of one of the two rows.
  INLINE void readCopy(Words &current, const Share &share, int32_t part,
                       int32_t number, TileCoord tile, Slot copy) {
    if (!Copy::isMade())
      return;
    int32_t row = share.rowOf(part) + 4 * number - tile.row * rows;
    int32_t column = share.columnOf(part) - tile.column * Columns;
    current.rows[number].readCopy(
        Copy::find(memory, stageBytes, copy, row, column),
        tegulaMatmulEpilogueOperandBytes());
  }

  INLINE void write(const Sums &sums, int32_t part, uint32_t room,
                    int32_t lane) {
    AccumulatorStaging(room).write(
        sums[part / across / 2] + 64 * (part % across) +
            2 * (part / across % 2),
        lane, part % across * 128 + 128 > Columns ? 64 : 128);
  }

  /// The epilogue. Operands of the next part are read meanwhile.
  template <int32_t Side>
  INLINE void store(const Sums &sums, Words &current, const StoredChunks &work,
                    TileCoord tile, const Slot &copy, int32_t warpgroup,
                    int32_t thread) {
    // Registers are short there.
    if (IsPingPong && Side == 8 && tegulaMatmulIsLong())
      thread = (int32_t)(asUnknown(thread) % warpgroupThreads);
    int32_t lane = thread % warpThreads, warp = thread / warpThreads;
    // Eights that others left are stored elsewhere.
    bool isOwn = Side == 8 || work.isOwn;
    uint32_t own = full + tegulaMatmulBarriers +
                   (warpgroup * 4 + warp) * AccumulatorStaging::bytes;
    uint32_t room = isOwn ? own : roomOf(work.first, thread);
    Share share(matmul, tile, warpgroup, thread);
    // What is stored is the same code for all of them.
#pragma unroll 1
    for (int32_t part = work.first; part < work.end; ++part) {
      awaitWarp();
#pragma unroll
      for (int32_t i = 0; i < parts; ++i)
        if (isOwn && i == part)
          write(sums, i, IsPingPong ? room : own, lane);
      Words next;
      if constexpr (Side == 8)
        readNext(next, current, share, part + 1 < work.end ? part + 1 : part);
      awaitWarp();
      AccumulatorStaging used(IsPingPong ? room : own);
      int32_t at = share.rowOf(part), first = share.columnOf(part);
#pragma unroll
      for (int32_t i = 0; i < 2; ++i) {
        if constexpr (Side == 8)
          readCopy(current, share, part, i, tile, copy);
        float d[16];
        used.read(d, lane / 8 + 4 * i, lane % 8);
        if (at + 4 * i < matmul.rows && first < share.end)
          storeAccumulators<Side>(matmul, at + 4 * i, first, share.end - first,
                                  current.rows[i].words, d);
      }
      current = next;
      if (!isOwn)
        room = roomOf(part + 1, thread);
    }
  }

  /// The epilogue of accumulators that the other warpgroup left, of a whole
  /// tile. Registers are free then, so much is computed at once.
  INLINE void storeLeft(Words &current, int32_t first, int32_t end,
                        TileCoord tile, int32_t warpgroup, int32_t thread) {
    thread = (int32_t)(asUnknown(thread) % warpgroupThreads);
    int32_t lane = thread % warpThreads;
    Share share(matmul, tile, warpgroup, thread);
#pragma unroll 1
    for (int32_t part = first; part < end; ++part) {
      Words next;
      readNext(next, current, share, part + 1 < end ? part + 1 : part);
      AccumulatorStaging room(roomOf(part, thread));
#pragma unroll
      for (int32_t i = 0; i < 2; ++i) {
        float d[16];
        room.read(d, lane / 8 + 4 * i, lane % 8);
        int32_t row = share.rowOf(part) + 4 * i;
        if (row < matmul.rows)
          storeAccumulators<8>(matmul, row, share.columnOf(part), Columns,
                               current.rows[i].words, d);
      }
      current = next;
    }
  }

  /// Where something is that will be read for 64 columns of a row.
  template <typename Visit>
  INLINE void forEachRead(int32_t row, int32_t column, Visit visit) {
    if (row >= matmul.rows || column >= matmul.columns)
      return;
    for (int32_t number = firstPrefetch();
         const void *address =
             tegulaMatmulPrefetch(matmul.slots, row, column, number);
         ++number)
      visit(address);
  }
};

} // namespace

// TMA descriptors are parameters; copies take their addresses.
#define KERNEL(NAME, TYPE, IS_ACROSS, COLUMNS, IS_PING_PONG)                   \
  extern "C" __attribute__((device_kernel)) void NAME(                         \
      TegulaTensorMap left, TegulaTensorMap right, TegulaMatmul matmul,        \
      TegulaTensorMap epilogueOperand) {                                       \
    MatmulKernel<TYPE, IS_ACROSS, COLUMNS, tegulaMatmulStages(COLUMNS),        \
                 IS_PING_PONG>(&left, &right, &epilogueOperand, matmul)        \
        .run();                                                                \
  }
#define SHARED_KERNELS(NAME, TYPE, IS_ACROSS)                                  \
  KERNEL(NAME##256, TYPE, IS_ACROSS, 256, false)                               \
  KERNEL(NAME##192, TYPE, IS_ACROSS, 192, false)                               \
  KERNEL(NAME##128, TYPE, IS_ACROSS, 128, false)
#define KERNELS(NAME, TYPE, IS_ACROSS)                                         \
  SHARED_KERNELS(NAME, TYPE, IS_ACROSS)                                        \
  KERNEL(NAME##PingPong128, TYPE, IS_ACROSS, 128, true)

// By kind. What is added up would leave tensor cores waiting in ping-pong.
#define KERNELS_Word(NAME)                                                     \
  KERNELS(tegulaMatmul##NAME##Along, OperandType::NAME, false)
#define KERNELS_Half(NAME)                                                     \
  KERNELS(tegulaMatmul##NAME##Across, OperandType::NAME, true)                 \
  KERNELS_Word(NAME)
#define KERNELS_Integer(NAME) KERNELS_Word(NAME)
#define KERNELS_Float8(NAME)                                                   \
  SHARED_KERNELS(tegulaMatmul##NAME##Along, OperandType::NAME, false)
#define KERNELS_Ordinary(NAME)
#define ROW(NAME, KIND, ...) KERNELS_##KIND(NAME)
TEGULA_GPU_OPERAND_TYPES(ROW)
