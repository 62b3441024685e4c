// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/MemoryBarriers.h"

#include "tegula/backends/cuda/emulator/Emulation.h"

using namespace tegula;
using namespace tegula::emulator;

std::string MemoryBarriers::nameOf(uint32_t offset) const {
  return "the barrier at byte " + std::to_string(offset - SharedMemory::kept) +
         knowledge.shape.ofBlock(block);
}

void MemoryBarriers::make(int32_t thread, uint32_t offset, uint32_t count) {
  if (offset % 8 != 0)
    getEmulation().fail(nameOf(offset) + " is not at a multiple of 8");
  if (count == 0)
    getEmulation().fail(nameOf(offset) + " is made for no threads");
  auto number = static_cast<int32_t>(barriers.size());
  if (number == Knowledge::mostBarriers)
    getEmulation().fail("there are more than 64 barriers in shared memory");
  if (get(offset))
    getEmulation().fail(nameOf(offset) + " is made twice");
  barriers.push_back(std::make_unique<MemoryBarrier>(
      MemoryBarrier{offset, block * Knowledge::mostBarriers + number, thread,
                    knowledge.getTime(thread), count, count, 0, 0, false, false,
                    knowledge.makeClock(), knowledge.makeClock()}));
}

void MemoryBarriers::fence() {
  for (auto &barrier : barriers)
    barrier->isFenced = true;
}

MemoryBarrier *MemoryBarriers::get(uint32_t offset) const {
  for (const auto &barrier : barriers)
    if (barrier->offset == offset)
      return barrier.get();
  return nullptr;
}

MemoryBarrier &MemoryBarriers::find(int32_t thread, uint32_t offset) {
  MemoryBarrier *barrier = get(offset);
  if (!barrier)
    getEmulation().fail("there is no barrier at byte " +
                        std::to_string(offset - SharedMemory::kept) +
                        knowledge.shape.ofBlock(block));
  if (!knowledge.knows(thread, barrier->maker, barrier->madeWhen))
    getEmulation().fail(knowledge.shape.nameThread(thread) + " uses " +
                        nameOf(offset) +
                        ", which may not have been made, as far as it knows");
  if (knowledge.shape.blockOf(thread) != block && !barrier->isFenced)
    getEmulation().fail(knowledge.shape.nameThread(thread) + " uses " +
                        nameOf(offset) + ", which was not fenced");
  return *barrier;
}

void MemoryBarriers::endRound(MemoryBarrier &barrier) {
  if (barrier.missing != 0 || barrier.missingBytes > 0)
    return;
  if (barrier.missingBytes < 0)
    return getEmulation().note(
        nameStage(barrier) + ": " + std::to_string(-barrier.missingBytes) +
        " bytes more have arrived than " + nameOf(barrier.offset) + " expects");
  knowledge.endRound(barrier.coming, barrier.number, barrier.round);
  barrier.ended = barrier.coming;
  ++barrier.round;
  barrier.missing = barrier.count;
}

void MemoryBarriers::arrive(int32_t thread, MemoryBarrier &barrier) {
  if (barrier.missing == 0)
    getEmulation().fail("more than " + std::to_string(barrier.count) +
                        " threads come to " + nameOf(barrier.offset) +
                        " in one round");
  knowledge.give(thread, barrier.coming);
  --barrier.missing;
  endRound(barrier);
}

void MemoryBarriers::expect(MemoryBarrier &barrier, uint32_t bytes) {
  barrier.missingBytes += bytes;
}

void MemoryBarriers::land(MemoryBarrier &barrier, int64_t bytes) {
  barrier.missingBytes -= bytes;
  endRound(barrier);
}

namespace {

struct RoundWait : Wait {
  const MemoryBarriers &barriers;
  const MemoryBarrier &barrier;
  uint32_t parity;

  RoundWait(const MemoryBarriers &barriers, const MemoryBarrier &barrier,
            uint32_t parity)
      : barriers(barriers), barrier(barrier), parity(parity) {}

  bool isOver() const override { return barrier.round % 2 != parity; }
  std::string describe() const override {
    std::string words = "for round " + std::to_string(barrier.round) + " of " +
                        barriers.nameOf(barrier.offset);
    if (barrier.hasCopies)
      words += " of " + barriers.nameStage(barrier);
    return words + " (" + std::to_string(barrier.missing) + " of " +
           std::to_string(barrier.count) + " threads and " +
           std::to_string(barrier.missingBytes) + " bytes are missing)";
  }
};

} // namespace

void MemoryBarriers::await(int32_t thread, MemoryBarrier &barrier,
                           uint32_t parity) {
  getEmulation().waitFor(RoundWait(*this, barrier, parity));
  knowledge.take(thread, barrier.ended);
}

std::string MemoryBarriers::nameStage(const MemoryBarrier &barrier) const {
  uint32_t stage = 0;
  for (const MemoryBarrier *before = get(barrier.offset - 8);
       before && before->hasCopies; before = get(before->offset - 8))
    ++stage;
  return "stage " + std::to_string(stage);
}
