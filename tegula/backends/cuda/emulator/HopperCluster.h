// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Emulated blocks that run together and reach each other's shared memory. A
/// block that was launched alone is a cluster of one.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_HOPPERCLUSTER_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_HOPPERCLUSTER_H

#include "tegula/backends/cuda/emulator/ClusterBarrier.h"
#include "tegula/backends/cuda/emulator/HopperBlock.h"

namespace tegula::emulator {

struct HopperCluster {
  Knowledge knowledge;
  ClusterBarrier barrier;
  std::vector<std::unique_ptr<HopperBlock>> blocks;

  HopperCluster(const ClusterShape &shape,
                const std::vector<SharedMemory *> &memories)
      : knowledge(shape), barrier(knowledge) {
    for (int32_t i = 0; i < shape.blocks; ++i)
      blocks.push_back(std::make_unique<HopperBlock>(*this, *memories[i], i));
  }
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_HOPPERCLUSTER_H
