// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instructions that attention needs besides those of matmuls: matmuls whose
/// lhs is in registers, boxes of tensors with three axes, barriers of
/// warpgroups, exponentials.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_ATTENTIONINSTRUCTIONS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_ATTENTIONINSTRUCTIONS_H

#include "tegula/backends/cuda/device/hopper/Instructions.h"

namespace tegula::hopper {

// d += a * b: the lhs is in registers, as accumulators of another matmul are
// that were rounded; the right one is given with its columns side by side.
#define REGISTER_WGMMA(COLUMNS, REGISTERS, LEFT, RIGHT, TYPE)                  \
  asm volatile("{ .reg .pred p; setp.eq.b32 p, 0, 0; "                         \
               "wgmma.mma_async.sync.aligned.m64n" COLUMNS "k16.f32." TYPE     \
               "." TYPE " {" SUMS_##REGISTERS "}, {" LEFT "}, " RIGHT          \
                                              ", p, 1, 1, 1; }"                \
               : OPERANDS_##REGISTERS(d)                                       \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))

#define REGISTER_WGMMA_ALL_TYPES(COLUMNS, REGISTERS, LEFT, RIGHT)              \
  template <OperandType Type>                                                  \
  inline void multiplyRegisters(float (&d)[REGISTERS], const uint32_t *a,      \
                                uint64_t b) {                                  \
    if constexpr (Type == OperandType::Bf16)                                   \
      REGISTER_WGMMA(COLUMNS, REGISTERS, LEFT, RIGHT, "bf16");                 \
    else                                                                       \
      REGISTER_WGMMA(COLUMNS, REGISTERS, LEFT, RIGHT, "f16");                  \
  }

REGISTER_WGMMA_ALL_TYPES("128", 64, "%64, %65, %66, %67", "%68")
REGISTER_WGMMA_ALL_TYPES("64", 32, "%32, %33, %34, %35", "%36")

/// Matmuls may begin that add to these accumulators.
inline void warpgroupArrive(float (&d)[32]) {
  asm volatile("wgmma.fence.sync.aligned;" : OPERANDS_32(d)::"memory");
}
inline void warpgroupArrive(float (&d)[64]) {
  asm volatile("wgmma.fence.sync.aligned;" : OPERANDS_64(d)::"memory");
}
/// Waits for all matmuls but those of the last commit group, after which these
/// accumulators can be read.
inline void finishAllButLast(float (&d)[64]) {
  asm volatile("wgmma.wait_group.sync.aligned 1;" : OPERANDS_64(d)::"memory");
}

/// Two numbers, rounded, in one word.
template <OperandType Type>
inline uint32_t roundPair(float first, float second) {
  uint32_t pair;
  if constexpr (Type == OperandType::Bf16)
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}

/// 2 to the power of it, with errors in the last two bits.
inline float exp2(float exponent) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
  return power;
}

/// The box that begins at these coordinates of a tensor of rank 3.
inline void copyBox(uint32_t target, const void *map, int32_t inner,
                    int32_t middle, int32_t outer, uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::"
      "complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(target),
      "l"(map), "r"(inner), "r"(middle), "r"(outer), "r"(barrier)
      : "memory");
}
/// Copies it back in the background; what lies beyond the tensor is dropped.
inline void storeBox(const void *map, uint32_t source, int32_t inner,
                     int32_t middle, int32_t outer) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group "
               "[%0, {%1, %2, %3}], [%4];" ::"l"(map),
               "r"(inner), "r"(middle), "r"(outer), "r"(source)
               : "memory");
}
inline void endStores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until what was stored has been read.
inline void finishStores() {
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/// Four matrices of eight rows of 16 bytes; the lanes 8 i to 8 i + 7 have the
/// addresses of the rows of matrix i.
inline void storeMatrices(uint32_t address, const uint32_t (&words)[4]) {
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
          address),
      "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
      : "memory");
}

// Barriers with a number, for some of the warpgroups of a block.

inline void syncBarrier(int32_t number, int32_t threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
/// Arrives, and does not wait.
inline void passBarrier(int32_t number, int32_t threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/// Warpgroups give registers back, and take them: 512 for one thread of each
/// warpgroup are there.
template <int32_t Groups> inline void giveRegistersForAttention() {
  if constexpr (Groups == 2)
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;" ::: "memory");
  else
    asm volatile("setmaxnreg.dec.sync.aligned.u32 32;" ::: "memory");
}
template <int32_t Groups> inline void takeRegistersForAttention() {
  if constexpr (Groups == 2)
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;" ::: "memory");
  else
    asm volatile("setmaxnreg.inc.sync.aligned.u32 160;" ::: "memory");
}

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_ATTENTIONINSTRUCTIONS_H
