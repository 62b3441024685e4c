// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/HopperBlock.h"

#include "tegula/backends/cuda/emulator/Emulation.h"

using namespace tegula;
using namespace tegula::emulator;

HopperBlock::HopperBlock(HopperCluster &cluster, SharedMemory &memory,
                         int32_t number)
    : cluster(cluster), memory(memory), number(number),
      firstThread(number * cluster.knowledge.shape.threads),
      threads(cluster.knowledge.shape.threads), knowledge(cluster.knowledge),
      accesses(knowledge), words(knowledge), barriers(knowledge, number),
      numbered(knowledge), warps(threads), registers(threads),
      copies(*this, threads), threadCopies(memory, threads), staying(threads),
      ended(knowledge.makeClock()), reaches(knowledge.shape.countThreads()),
      warpClocks((threads + WarpExchange::lanes - 1) / WarpExchange::lanes,
                 knowledge.makeClock()) {
  for (int32_t first = 0; first + warpgroupThreads <= threads;
       first += warpgroupThreads)
    wgmmaQueues.emplace_back(*this, firstThread + first);
}

/// Says on which stage of a ring, if a barrier of one is known.
void HopperBlock::reportRace(int32_t thread, Bytes bytes,
                             const std::string &words, const Access &other,
                             const MemoryBarrier *barrier) {
  if (other.kind == Access::Kind::CopyIn)
    barrier = &barriers.get(other.owner);
  std::string location =
      "bytes " +
      std::to_string(std::max(bytes.begin, other.bytes.begin) -
                     SharedMemory::kept) +
      " to " +
      std::to_string(std::min(bytes.end, other.bytes.end) - 1 -
                     SharedMemory::kept) +
      " of shared memory" + knowledge.shape.ofBlock(number);
  if (barrier && barrier->hasCopies)
    location = barriers.nameStage(*barrier) + " (" + location + ")";
  getEmulation().fail("race on " + location + ": " + words + " " +
                      describe(other, knowledge.shape) + ", as far as " +
                      nameThread(thread) + " knows");
}

void HopperBlock::checkRead(int32_t thread, Bytes bytes, const char *who) {
  if (const Access *other =
          accesses.findUnwritten(thread, bytes, /*needsFence=*/true))
    reportRace(thread, bytes, std::string(who) + " reads", *other, nullptr);
  // Warps do the same, and there are many words.
  if (thread % WarpExchange::lanes != 0)
    return;
  if (std::optional<Access> other = words.findUnfenced(thread, bytes))
    reportRace(thread, bytes, std::string(who) + " reads", *other, nullptr);
}

void HopperBlock::checkWrite(int32_t thread, Bytes bytes, const char *who,
                             const MemoryBarrier *barrier) {
  if (const Access *other = accesses.findUsed(thread, bytes))
    reportRace(thread, bytes, std::string(who) + " overwrites", *other,
               barrier);
  std::optional<Access> other = words.findLoad(thread, bytes);
  if (!other)
    other = words.findStore(thread, bytes);
  if (other)
    reportRace(thread, bytes, std::string(who) + " overwrites", *other,
               barrier);
}

void HopperBlock::load(int32_t thread, Bytes bytes) {
  reach(thread, "read its shared memory");
  if (const Access *other =
          accesses.findUnwritten(thread, bytes, /*needsFence=*/false))
    reportRace(thread, bytes, "a load reads", *other, nullptr);
  if (std::optional<Access> other = words.findStore(thread, bytes))
    reportRace(thread, bytes, "a load reads", *other, nullptr);
  words.load(thread, bytes);
}

void HopperBlock::store(int32_t thread, Bytes bytes) {
  checkWrite(thread, bytes, "a store");
  words.store(thread, bytes);
}

void HopperBlock::reportEnd(int32_t thread, const char *what) {
  getEmulation().fail(knowledge.shape.nameBlock(number) + " ends although " +
                      nameThread(thread) + " may still " + what);
}

void HopperBlock::checkStays(int32_t thread, const char *what) {
  if (staying == 0)
    reportEnd(thread, what);
}

void HopperBlock::reach(int32_t thread, const char *what) {
  checkStays(thread, what);
  if (!isOwn(thread))
    reaches[thread] = {knowledge.getTime(thread), what};
}

void HopperBlock::syncAll() {
  // Nothing has happened yet that is to be known.
  if (barriers.isEmpty() && accesses.isEmpty() && words.isEmpty())
    return;
  Clock all = knowledge.makeClock();
  for (int32_t i = 0; i < threads; ++i)
    knowledge.give(firstThread + i, all);
  for (int32_t i = 0; i < threads; ++i)
    knowledge.take(firstThread + i, all);
}

void HopperBlock::syncWarp(int32_t thread) {
  int32_t own = thread - firstThread;
  Clock &met = warpClocks[own / WarpExchange::lanes];
  knowledge.give(thread, met);
  warps.exchange(own, {});
  knowledge.take(thread, met);
}

void HopperBlock::leaveUnseen(int32_t thread) {
  --staying;
  cluster.barrier.leave(thread);
}

void HopperBlock::leave(int32_t thread) {
  copies.leave(thread);
  size_t group = (thread - firstThread) / warpgroupThreads;
  if (group < wgmmaQueues.size())
    wgmmaQueues[group].leave(thread);
  knowledge.give(thread, ended);
  leaveUnseen(thread);
  if (staying == 0)
    end(thread);
}

/// The last thread has ended: one of them must know that all is over that
/// others do to the block.
void HopperBlock::end(int32_t last) {
  knowledge.take(last, ended);
  for (size_t i = 0; i < reaches.size(); ++i)
    if (auto other = static_cast<int32_t>(i);
        !knowledge.knows(last, other, reaches[i].when))
      reportEnd(other, reaches[i].what);
  if (const Access *copy = accesses.findArriving(last))
    getEmulation().fail(knowledge.shape.nameBlock(number) +
                        " ends although what is copied to " +
                        barriers.nameStage(barriers.get(copy->owner)) +
                        " may not have arrived");
}
