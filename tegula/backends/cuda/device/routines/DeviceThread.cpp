// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of NVIDIA's processors. Compiled for those only.

#include "tegula/launch/gpu/abi/DeviceThread.h"

#define SHARED __attribute__((address_space(3)))

// Matmuls of warpgroups find rows of operands by the bits of their addresses.
extern SHARED __attribute__((aligned(1024))) char tegulaSharedMemory[];
static SHARED
    __attribute__((aligned(16))) int64_t partials[tegulaGpuNumPartials];
static SHARED
    __attribute__((aligned(16))) int64_t fewPartials[tegulaGpuNumFewPartials];

int32_t tegulaGpuThread() { return __nvvm_read_ptx_sreg_tid_x(); }
int32_t tegulaGpuNumThreads() { return __nvvm_read_ptx_sreg_ntid_x(); }
int32_t tegulaGpuNumThreadsOfLaunch() { return __nvvm_read_ptx_sreg_ntid_x(); }
int32_t tegulaGpuBlock() { return __nvvm_read_ptx_sreg_ctaid_x(); }
int32_t tegulaGpuNumBlocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }

// The compiler knows for which chip this is. Nobody else is to know that
// nothing is done here.
void tegulaGpuAwaitEarlier() {}
__attribute__((weak)) void tegulaGpuPrefetchBulk(const char *, int32_t) {}

int32_t tegulaGpuNumSMs() { return __nvvm_read_ptx_sreg_nsmid(); }

void tegulaGpuPrefetch(const char *start, int64_t bytes) {
  constexpr int64_t chunk = 16, most = 1 << 20;
  auto address = (uint64_t)start;
  int64_t before = -address % chunk;
  int64_t whole = (bytes < most ? bytes : most) - before;
  if (whole >= chunk)
    tegulaGpuPrefetchBulk(start + before, (int32_t)(whole / chunk * chunk));
}

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

int64_t tegulaGpuExchangeLong(int64_t number, int32_t apart) {
  auto low = (uint32_t)tegulaGpuExchange((int32_t)number, apart);
  return (int64_t)tegulaGpuExchange((int32_t)(number >> 32), apart) << 32 | low;
}

uint32_t tegulaGpuMatch(uint32_t number, int32_t bits) {
  uint32_t same = 0xffffffff;
  for (int32_t bit = 0; bit < bits; ++bit) {
    bool isSet = number >> bit & 1;
    uint32_t others = __nvvm_vote_ballot_sync(0xffffffff, isSet);
    same &= isSet ? others : ~others;
  }
  return same;
}

char *tegulaGpuShared() { return (char *)tegulaSharedMemory; }
int64_t *tegulaGpuPartials() { return (int64_t *)partials; }
int64_t *tegulaGpuFewPartials() { return (int64_t *)fewPartials; }

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
void tegulaGpuAddGlobal(uint64_t *word, uint64_t number) {
  asm volatile("{ .reg .u64 far; cvta.to.global.u64 far, %0; "
               "red.relaxed.gpu.global.add.u64 [far], %1; }" ::"l"(word),
               "l"(number)
               : "memory");
}
void tegulaGpuMax(uint32_t *word, uint32_t number) {
  __nvvm_atom_max_gen_ui(word, number);
}

/// Nobody leaves before the last has come, who leaves everything as it was but
/// for the number of rounds: the next launch may have more blocks or fewer.
void tegulaGpuGridBarrier(TegulaGpuGridBarrier *barrier) {
  __syncthreads();
  uint32_t blocks = tegulaGpuNumBlocks();
  // Threads of one block have seen each other's memory already.
  if (blocks == 1)
    return;
  if (tegulaGpuThread() == 0) {
    auto *times = (volatile uint32_t *)&barrier->times;
    // Others do not pass without this block.
    uint32_t before = *times;
    __nvvm_membar_gl();
    uint32_t earlier = __nvvm_atom_add_gen_i((int *)&barrier->arrived, 1);
    if (earlier + 1 == blocks) {
      *(volatile uint32_t *)&barrier->arrived = 0;
      __nvvm_membar_gl();
      *times = before + 1;
    } else {
      while (*times == before) {
      }
    }
    __nvvm_membar_gl();
  }
  __syncthreads();
}
