// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What instructions for clusters of blocks do.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERACTIONS_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERACTIONS_H

#include "tegula/backends/cuda/emulator/HopperBlock.h"
#include "tegula/backends/cuda/emulator/PtxMachine.h"

namespace tegula::emulator {

/// An address in the shared memory of a block of the cluster.
struct ClusterAddress {
  HopperBlock *block;
  uint32_t offset;
};

/// The address that `[address]` means; it has so many bytes. Only instructions
/// for clusters reach other blocks than the thread's.
ClusterAddress findAddress(PtxCall &call, const PtxInstruction &instruction,
                           const PtxOperand &address, int64_t bytes);

/// The blocks that a mask of 16 bits means.
std::vector<HopperBlock *> findBlocks(uint32_t mask);

// barrier.cluster
void arriveAtCluster(PtxCall &call, const PtxInstruction &instruction);
void awaitCluster(PtxCall &call, const PtxInstruction &instruction);
// mapa
void mapAddress(PtxCall &call, const PtxInstruction &instruction);

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERACTIONS_H
