// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/ClusterActions.h"

#include "tegula/backends/cuda/emulator/Emulation.h"

using namespace tegula;
using namespace tegula::emulator;

static HopperBlock &block() { return getEmulation().getHopper(); }
static int32_t self() { return getEmulation().getThreadOfCluster(); }

ClusterAddress emulator::findAddress(PtxCall &call,
                                     const PtxInstruction &instruction,
                                     const PtxOperand &address, int64_t bytes) {
  if (instruction.has("shared::cluster"))
    for (const auto &other : block().cluster.blocks)
      if (uint32_t offset = other->memory.toOffset(call.getWord(address));
          other->memory.has(offset, bytes))
        return {other.get(), offset};
  return {&block(), call.getOffset(address, bytes)};
}

std::vector<HopperBlock *> emulator::findBlocks(uint32_t mask) {
  const auto &all = block().cluster.blocks;
  std::vector<HopperBlock *> found;
  for (size_t i = 0; i < all.size(); ++i)
    if (mask >> i & 1)
      found.push_back(all[i].get());
  if (found.empty() || mask >> all.size() != 0)
    getEmulation().fail("a copy is for the blocks of mask " +
                        std::to_string(mask) + " in a cluster of " +
                        std::to_string(all.size()));
  return found;
}

void emulator::arriveAtCluster(PtxCall &, const PtxInstruction &instruction) {
  block().cluster.barrier.arrive(self(), !instruction.has("relaxed"));
}

void emulator::awaitCluster(PtxCall &, const PtxInstruction &instruction) {
  block().cluster.barrier.await(self(), !instruction.has("relaxed"));
}

/// `result, address, block`
void emulator::mapAddress(PtxCall &call, const PtxInstruction &instruction) {
  const std::vector<PtxOperand> &operands = instruction.operands;
  const auto &all = block().cluster.blocks;
  uint32_t number = call.getWord(operands[2]);
  if (number >= all.size())
    getEmulation().fail("there is no block " + std::to_string(number) +
                        " in a cluster of " + std::to_string(all.size()));
  uint32_t offset = call.getOffset(operands[1], 1);
  call.set(operands[0], all[number]->memory.toAddress(offset));
}
