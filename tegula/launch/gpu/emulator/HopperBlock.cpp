// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/emulator/HopperBlock.h"

#include "tegula/launch/gpu/emulator/Emulation.h"

using namespace tegula;
using namespace tegula::emulator;

HopperBlock::HopperBlock(SharedMemory &memory, int32_t threads)
    : memory(memory), threads(threads), knowledge(threads), accesses(knowledge),
      barriers(knowledge), numbered(knowledge), warps(threads),
      registers(threads), copies(*this, threads),
      threadCopies(memory, threads) {
  for (int32_t first = 0; first + groupThreads <= threads;
       first += groupThreads)
    products.emplace_back(*this, first);
}

/// Says on which stage of a ring, if a barrier of one is known.
void HopperBlock::reportRace(int32_t thread, Bytes bytes,
                             const std::string &words, const Access &other,
                             const MemoryBarrier *barrier) {
  if (other.kind == Access::Kind::CopyIn)
    barrier = &barriers.get(other.owner);
  std::string place = "bytes " +
                      std::to_string(std::max(bytes.begin, other.bytes.begin) -
                                     SharedMemory::kept) +
                      " to " +
                      std::to_string(std::min(bytes.end, other.bytes.end) - 1 -
                                     SharedMemory::kept) +
                      " of shared memory";
  if (barrier && barrier->hasCopies)
    place = barriers.nameStage(*barrier) + " (" + place + ")";
  getEmulation().fail("race on " + place + ": " + words + " " +
                      describe(other) + ", as far as thread " +
                      std::to_string(thread) + " knows");
}

void HopperBlock::checkRead(int32_t thread, Bytes bytes, const char *who) {
  if (const Access *other = accesses.findUnwritten(thread, bytes))
    reportRace(thread, bytes, std::string(who) + " reads", *other, nullptr);
}

void HopperBlock::checkWrite(int32_t thread, Bytes bytes, const char *who,
                             const MemoryBarrier *barrier) {
  if (const Access *other = accesses.findUsed(thread, bytes))
    reportRace(thread, bytes, std::string(who) + " overwrites", *other,
               barrier);
}

void HopperBlock::meetAll() {
  // Nothing has happened yet that is to be known.
  if (barriers.isEmpty() && accesses.isEmpty())
    return;
  Clock all = knowledge.makeClock();
  for (int32_t thread = 0; thread < threads; ++thread)
    knowledge.give(thread, all);
  for (int32_t thread = 0; thread < threads; ++thread)
    knowledge.take(thread, all);
}

void HopperBlock::leave() {
  int32_t thread = getEmulation().getThread().number;
  copies.leave(thread);
  if (size_t group = thread / groupThreads; group < products.size())
    products[group].leave(thread);
}
