// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the kernels of this folder know of the thread that runs them, and words
/// for what compilers for GPUs have. Elsewhere, such as in tests, whoever runs
/// kernels has the functions.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILETHREAD_H
#define TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILETHREAD_H

#include <cstdint>

// What a thread knows must not leave its registers.
#define INLINE __attribute__((always_inline))

#ifdef __NVPTX__
#define SHARED __attribute__((address_space(3)))
#define UNROLL _Pragma("unroll")
#define TILE_KERNEL extern "C" __attribute__((device_kernel)) void
#else
#define SHARED
#define UNROLL
#define TILE_KERNEL extern "C" void
#endif

/// The memory of a launch that threads of a block share.
extern "C" SHARED __attribute__((aligned(128))) char tegulaTileMemory[];

namespace tegula::tiles {

#ifdef __NVPTX__

inline int32_t threadOfBlock() { return __nvvm_read_ptx_sreg_tid_x(); }
inline int32_t block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
inline int32_t countBlocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }
/// Waits for all threads of the block; what they wrote can be read then.
inline void syncThreads() { __syncthreads(); }
/// The address of shared memory, as instructions take it.
inline uint32_t startOfMemory() { return (uint32_t)(uint64_t)tegulaTileMemory; }

#else

int32_t threadOfBlock();
int32_t block();
int32_t countBlocks();
void syncThreads();
inline uint32_t startOfMemory() { return 0; }

#endif

} // namespace tegula::tiles

#endif // TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILETHREAD_H
