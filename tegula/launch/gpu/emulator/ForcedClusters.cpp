// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/emulator/ForcedClusters.h"

using namespace tegula::emulator;

/// 0 if there is none.
static thread_local int32_t forced = 0;

ForcedClusters::ForcedClusters(int32_t blocks) { forced = blocks; }

ForcedClusters::~ForcedClusters() { forced = 0; }

int32_t ForcedClusters::replace(int32_t wanted) {
  return forced ? forced : wanted;
}
