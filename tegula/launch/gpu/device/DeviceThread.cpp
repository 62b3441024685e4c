// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of NVIDIA's processors. Compiled for those only.

#include "tegula/launch/gpu/device/DeviceThread.h"

#define SHARED __attribute__((address_space(3)))

extern SHARED char tegulaSharedMemory[];
static SHARED
    __attribute__((aligned(16))) int64_t partials[tegulaGpuNumPartials];

int32_t tegulaGpuThread() { return __nvvm_read_ptx_sreg_tid_x(); }
int32_t tegulaGpuNumThreads() { return __nvvm_read_ptx_sreg_ntid_x(); }
int32_t tegulaGpuBlock() { return __nvvm_read_ptx_sreg_ctaid_x(); }
int32_t tegulaGpuNumBlocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }

// The compiler knows for which chip this is.
void tegulaGpuAwaitEarlier() {}

void tegulaGpuBarrier() { __syncthreads(); }

void tegulaGpuRowBarrier(int32_t width) {
  if (width <= 32)
    __nvvm_bar_warp_sync(0xffffffff);
  else
    __syncthreads();
}

int32_t tegulaGpuExchange(int32_t number, int32_t apart) {
  return __nvvm_shfl_sync_bfly_i32(0xffffffff, number, apart, 31);
}

char *tegulaGpuShared() { return (char *)tegulaSharedMemory; }
int64_t *tegulaGpuPartials() { return (int64_t *)partials; }

uint32_t tegulaGpuSwap(uint32_t *word, uint32_t expected, uint32_t wanted) {
  // The host may look as well.
  __nvvm_membar_sys();
  uint32_t before = __nvvm_atom_cas_gen_i((int *)word, expected, wanted);
  __nvvm_membar_sys();
  return before;
}

uint32_t tegulaGpuAdd(uint32_t *word, uint32_t number) {
  return __nvvm_atom_add_gen_i((int *)word, number);
}
void tegulaGpuAddLong(uint64_t *word, uint64_t number) {
  __nvvm_atom_add_gen_ll((long long *)word, number);
}

/// Nobody leaves before as many have come as there are blocks; the count goes
/// on from one meeting to the next.
void tegulaGpuMeet(TegulaGpuMeeting *meeting) {
  __syncthreads();
  uint32_t blocks = tegulaGpuNumBlocks();
  // Threads of one block have seen each other's memory already.
  if (blocks == 1)
    return;
  if (tegulaGpuThread() == 0) {
    __nvvm_membar_gl();
    uint32_t ticket = __nvvm_atom_add_gen_i((int *)&meeting->arrived, 1);
    uint32_t last = (ticket / blocks + 1) * blocks;
    auto *arrived = (volatile uint32_t *)&meeting->arrived;
    while ((int32_t)(*arrived - last) < 0) {
    }
    __nvvm_membar_gl();
  }
  __syncthreads();
}
