// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instructions of chips since sm_80 that C++ has no words for: copies to
/// shared memory in the background, and matmuls on the tensor cores.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILEINSTRUCTIONS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILEINSTRUCTIONS_H

#include "tegula/backends/cuda/device/tiles/TileThread.h"
#include "tegula/launch/gpu/abi/GpuOperandType.h"

namespace tegula::tiles {

using OperandType = GpuOperandType;

template <bool IsInteger> struct SumOf {
  using Type = float;
};
template <> struct SumOf<true> {
  using Type = int32_t;
};
/// What accumulators of such operands are.
template <OperandType Type>
using Sum = typename SumOf<hasIntegerSums(Type)>::Type;

#ifdef __NVPTX__

/// Copies four bytes to shared memory; as many of them as `bytes` says are
/// read, the others are zero.
inline void copyWord(uint32_t to, uint64_t from, int32_t bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to),
               "l"(from), "r"(bytes)
               : "memory");
}
inline void copyWord(uint32_t to, uint64_t from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from)
               : "memory");
}

/// The same for sixteen bytes, at multiples of that.
inline void copyQuad(uint32_t to, uint64_t from, int32_t bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
               "l"(from), "r"(bytes)
               : "memory");
}

/// Ends a group of copies; waits for all groups but the last ones.
inline void endCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int32_t Last> inline void awaitCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Last) : "memory");
}

/// Four matrices of eight rows of 16 bytes; each lane has the address of one
/// row, and gets four bytes of each matrix. If transposed, elements of two
/// bytes change rows for columns.
template <bool IsTransposed>
inline void loadMatrices(uint32_t (&words)[4], uint32_t address) {
  if constexpr (IsTransposed)
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, "
        "[%4];"
        : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
        : "r"(address)
        : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
                 "[%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]),
                   "=r"(words[3])
                 : "r"(address)
                 : "memory");
}

/// Tells other blocks that what this one wrote can be read, and says how many
/// have told so. All threads of the block call it.
inline int32_t countArrivals(uint32_t *arrivals) {
  auto *answer = (SHARED uint32_t *)tegulaTileMemory;
  __nvvm_membar_gl();
  syncThreads();
  if (threadOfBlock() == 0)
    *answer = __nvvm_atom_add_gen_i((int *)arrivals, 1) + 1;
  syncThreads();
  __nvvm_membar_gl();
  return *answer;
}

/// The bits of an FP32, rounded to the nearest TF32, away from zero in the
/// middle.
inline uint32_t roundToTf32(uint32_t bits) {
  uint32_t rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "r"(bits));
  return rounded;
}

// d += a * b for 16 rows and 8 columns, 32 bytes of each summed up.
#define TILE_MMA(WORDS, LETTER)                                                \
  asm("mma.sync.aligned.m16n8" WORDS " {%0, %1, %2, %3}, "                     \
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                          \
      : "+" LETTER(d[0]), "+" LETTER(d[1]), "+" LETTER(d[2]), "+" LETTER(d[3]) \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
#define TILE_MMA_Half(PTX) TILE_MMA(TEGULA_MMA_Half(PTX), "f")
#define TILE_MMA_Word(PTX) TILE_MMA(TEGULA_MMA_Word(PTX), "f")
#define TILE_MMA_Integer(PTX) TILE_MMA(TEGULA_MMA_Integer(PTX), "r")
// These have other instructions, or none.
#define TILE_MMA_Float8(PTX)
#define TILE_MMA_Ordinary(PTX)

template <OperandType Type>
inline void multiply(Sum<Type> (&d)[4], const uint32_t (&a)[4], uint32_t b0,
                     uint32_t b1) {
#define ROW(NAME, KIND, DTYPE, PTX, ...)                                       \
  if constexpr (Type == OperandType::NAME)                                     \
    TILE_MMA_##KIND(PTX);
  TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
}

#undef TILE_MMA

#else

// Whoever runs kernels elsewhere has these.

void copyWord(uint32_t to, uint64_t from, int32_t bytes);
inline void copyWord(uint32_t to, uint64_t from) { copyWord(to, from, 4); }
void copyQuad(uint32_t to, uint64_t from, int32_t bytes);
void endCopies();
template <int32_t Last> void awaitCopies();
int32_t countArrivals(uint32_t *arrivals);
uint32_t roundToTf32(uint32_t bits);
template <bool IsTransposed>
void loadMatrices(uint32_t (&words)[4], uint32_t address);
template <OperandType Type>
void multiply(Sum<Type> (&d)[4], const uint32_t (&a)[4], uint32_t b0,
              uint32_t b1);

#endif

} // namespace tegula::tiles

#endif // TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILEINSTRUCTIONS_H
