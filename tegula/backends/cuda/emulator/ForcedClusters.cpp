// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/ForcedClusters.h"

using namespace tegula::emulator;

static thread_local ForcedClusters *current = nullptr;

ForcedClusters::ForcedClusters(int32_t blocks) : blocks(blocks) {
  current = this;
}

ForcedClusters::~ForcedClusters() { current = nullptr; }

int32_t ForcedClusters::replace(int32_t wanted) {
  if (!current)
    return wanted;
  ++current->launches;
  return current->blocks;
}
