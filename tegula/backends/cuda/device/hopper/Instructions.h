// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instructions of Hopper chips that have no other name in C++: matmuls of
/// warpgroups, boxes of tensors that are copied in the background, and barriers
/// that count bytes.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_INSTRUCTIONS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_INSTRUCTIONS_H

#include "tegula/backends/cuda/device/hopper/AccumulatorRegisters.h"
#include "tegula/backends/cuda/device/hopper/OperandType.h"

#include <cstdint>

namespace tegula::hopper {

/// The bits that a matmul finds an operand by: where it is in shared memory, in
/// rows of 128 bytes that are swizzled, and how far boxes are apart.
inline uint64_t describeOperand(uint32_t address, uint32_t boxBytes) {
  return (uint64_t(address & 0x3ffff) >> 4) | uint64_t(boxBytes >> 4) << 16 |
         uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

// d = a * b, plus d unless it `begins`: 64 rows, 32 bytes summed up. WORDS say
// how many elements these are and of which type, MORE whether the rhs is given
// with its columns side by side. Registers have no type, so accumulators of
// integers are in those of floats.
#define WGMMA(WORDS, MORE, COLUMNS, REGISTERS, NEXT, AND, LAST)                \
  asm volatile("{ .reg .pred p; setp.eq.b32 p, " LAST ", 0; "                  \
               "wgmma.mma_async.sync.aligned.m64n" COLUMNS WORDS               \
               " {" SUMS_##REGISTERS "}, " NEXT ", " AND ", p" MORE "; }"      \
               : OPERANDS_##REGISTERS(d)                                       \
               : "l"(a), "l"(b), "r"(begins))

// That of a kind of types.
#define WGMMA_Half(PTX, ...)                                                   \
  if constexpr (IsAcross)                                                      \
    WGMMA(TEGULA_WGMMA_Half(PTX), ", 1, 1, 0, 1", __VA_ARGS__);                \
  else                                                                         \
    WGMMA(TEGULA_WGMMA_Half(PTX), ", 1, 1, 0, 0", __VA_ARGS__)
#define WGMMA_Word(PTX, ...)                                                   \
  WGMMA(TEGULA_WGMMA_Word(PTX), ", 1, 1", __VA_ARGS__)
#define WGMMA_Integer(PTX, ...)                                                \
  WGMMA(TEGULA_WGMMA_Integer(PTX), "", __VA_ARGS__)
#define WGMMA_Float8(PTX, ...)                                                 \
  WGMMA(TEGULA_WGMMA_Float8(PTX), ", 1, 1", __VA_ARGS__)
#define WGMMA_Ordinary(PTX, ...)
#define WGMMA_TYPE(NAME, KIND, DTYPE, PTX, MAP, ...)                           \
  if constexpr (Type == OperandType::NAME) {                                   \
    WGMMA_##KIND(PTX, __VA_ARGS__);                                            \
  }

// Matmuls of one number of columns, for every type and layout of operands.
#define WGMMA_ALL_TYPES(COLUMNS, REGISTERS, NEXT, AND, LAST)                   \
  template <OperandType Type, bool IsAcross>                                   \
  inline void multiply(float (&d)[REGISTERS], uint64_t a, uint64_t b,          \
                       int begins) {                                           \
    static_assert(!IsAcross || OperandTraits<Type>::bytes == 2);               \
    TEGULA_GPU_OPERAND_TYPES(WGMMA_TYPE, COLUMNS, REGISTERS, NEXT, AND, LAST)  \
  }

WGMMA_ALL_TYPES("256", 128, "%128", "%129", "%130")
WGMMA_ALL_TYPES("192", 96, "%96", "%97", "%98")
WGMMA_ALL_TYPES("128", 64, "%64", "%65", "%66")
WGMMA_ALL_TYPES("64", 32, "%32", "%33", "%34")

/// Waits for all matmuls that were begun, after which accumulators can be read.
inline void finish(float (&d)[128]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : OPERANDS_128(d)::"memory");
}
inline void finish(float (&d)[96]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : OPERANDS_96(d)::"memory");
}
inline void finish(float (&d)[64]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : OPERANDS_64(d)::"memory");
}
inline void finish(float (&d)[32]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : OPERANDS_32(d)::"memory");
}

inline void warpgroupArrive() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
inline void warpgroupCommit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits for all matmuls but those of the last commit group.
inline void finishAllButLast() {
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
}

// Barriers in shared memory, which know in which round they are.

inline void initBarrier(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count)
               : "memory");
}
inline void arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Arrives once for a warp, all of whose lanes call it. None of them has to
/// know which it is: that would take a register, or be asked in every step.
inline void arriveOfWarp(uint32_t barrier) {
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; "
               "@p mbarrier.arrive.shared.b64 _, [%0]; }" ::"r"(barrier)
               : "memory");
}
inline void expectBytes(uint32_t barrier, uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier),
      "r"(bytes)
      : "memory");
}
inline void await(uint32_t barrier, uint32_t round) {
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, "
               "[%0], %1; @p bra DONE; bra AGAIN; DONE: }" ::"r"(barrier),
               "r"(round)
               : "memory");
}
/// What this thread stored is there for copies and matmuls, too.
inline void fenceStores() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/// The same of barriers that were made.
inline void fenceBarriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  fenceStores();
}

/// Copies the box of a tensor at these coordinates; the barrier counts
/// its bytes. Beyond the tensor there are zeros.
inline void copyBox(uint32_t target, const void *map, int32_t inner,
                    int32_t outer, uint32_t barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(target),
               "l"(map), "r"(inner), "r"(outer), "r"(barrier)
               : "memory");
}

/// The same to the shared memory of all blocks of a cluster whose bits are set,
/// at the same offset, where the barrier of each counts the bytes.
inline void copyBoxToAll(uint32_t target, const void *map, int32_t inner,
                         int32_t outer, uint32_t barrier, uint16_t blocks) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], "
               "[%4], %5;" ::"r"(target),
               "l"(map), "r"(inner), "r"(outer), "r"(barrier), "h"(blocks)
               : "memory");
}

// Clusters: blocks that run at once and reach each other's shared memory.

inline int32_t getBlockOfCluster() {
  uint32_t number;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(number));
  return (int32_t)number;
}
inline int32_t countBlocksOfCluster() {
  uint32_t number;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(number));
  return (int32_t)number;
}
/// Waits for all threads of all blocks that have not ended; what they wrote to
/// shared memory before is seen.
inline void syncCluster() {
  asm volatile("barrier.cluster.arrive.release.aligned; "
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}
/// Where an offset of this block's shared memory is in that of another one.
inline uint32_t ofBlock(uint32_t address, int32_t block) {
  uint32_t there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(there)
               : "r"(address), "r"(block));
  return there;
}
/// Arrives at a barrier of any block of the cluster.
inline void arriveThere(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier)
               : "memory");
}
inline void writeFour(uint32_t address, float a, float b, float c, float d) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "f"(a), "f"(b), "f"(c), "f"(d)
               : "memory");
}
/// Adds what is in the memory of some block of the cluster, of integers as
/// bits.
template <bool IsInteger> inline void addFour(float *sums, uint32_t address) {
  float found[4];
  asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(found[0]), "=f"(found[1]), "=f"(found[2]), "=f"(found[3])
               : "r"(address)
               : "memory");
#pragma unroll
  for (int32_t i = 0; i < 4; ++i)
    if constexpr (IsInteger)
      sums[i] =
          __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, sums[i]) +
                                        __builtin_bit_cast(uint32_t, found[i]));
    else
      sums[i] += found[i];
}
/// Waits for the other warps of a warpgroup, at a barrier of its own.
inline void awaitWarpgroup(int32_t barrier) {
  asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory");
}
/// Waits for the other lanes of the warp, and sees what they wrote.
inline void awaitWarp() {
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}
inline void writeTwo(uint32_t address, float a, float b) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(a), "f"(b)
               : "memory");
}
inline float readOne(uint32_t address) {
  float found;
  asm volatile("ld.shared.f32 %0, [%1];"
               : "=f"(found)
               : "r"(address)
               : "memory");
  return found;
}
inline void readFour(float *to, uint32_t address) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "r"(address)
               : "memory");
}
inline void readFour(uint32_t *to, uint32_t address) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}
/// Adds here, and not where the result is used: both take registers until then.
inline void addHere(float &sum, float other) {
  asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(sum) : "f"(other));
}
/// The same number, of which the compiler no longer knows that it is: what is
/// computed of it is computed where it is used, and not kept in registers.
inline uint32_t asUnknown(int32_t number) {
  uint32_t same;
  asm volatile("mov.b32 %0, %1;" : "=r"(same) : "r"(number));
  return same;
}
/// Prefetches a line that will be read.
inline void prefetchLine(const void *address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/// Asks for what describes a tensor, which copies will need.
inline void prefetchMap(const void *map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/// Lets the next launch begin, and waits until those before this one have
/// ended: nothing of theirs is read or overwritten before.
inline void awaitEarlier() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

inline void giveRegistersBack() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;" ::: "memory");
}
inline void takeRegisters() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;" ::: "memory");
}

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_INSTRUCTIONS_H
