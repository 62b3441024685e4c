// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/variants/RowLaunchCache.h"

#include <algorithm>

using namespace tegula;

bool RowLaunchCache::find(const std::vector<GpuTensor> &tensors,
                          const int64_t *slots, int64_t numSlots,
                          GpuRowLaunch &launch) {
  Lease lease(isTaken);
  if (!lease.isOurs || count != numSlots)
    return false;
  int64_t difference = 0;
  for (int64_t i = 0; i < numSlots; ++i)
    difference |= (slots[i] ^ known[i]) & masks[i];
  if (difference != 0)
    return false;
  launch.variant = variant;
  launch.blocks = blocks;
  launch.threads = threads;
  if (!ownsSlots)
    return true;
  launch.slots.assign(own, own + numSlots);
  for (const GpuTensor &tensor : tensors)
    launch.slots[tensor.slot] = slots[tensor.slot];
  return true;
}

void RowLaunchCache::keep(const std::vector<GpuTensor> &tensors,
                          const int64_t *slots, int64_t numSlots,
                          const GpuRowLaunch &launch) {
  Lease lease(isTaken);
  if (!lease.isOurs || numSlots > mostSlots)
    return;
  count = numSlots;
  std::copy(slots, slots + numSlots, known);
  std::fill(masks, masks + numSlots, -1);
  for (const GpuTensor &tensor : tensors)
    masks[tensor.slot] = lowBits;
  variant = launch.variant;
  blocks = launch.blocks;
  threads = launch.threads;
  ownsSlots = !launch.slots.empty();
  if (ownsSlots)
    std::copy(launch.slots.begin(), launch.slots.end(), own);
}
