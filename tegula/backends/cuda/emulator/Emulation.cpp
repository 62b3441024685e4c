// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/Emulation.h"

#include "tegula/launch/gpu/abi/DeviceThread.h"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace tegula;
using namespace tegula::emulator;

static thread_local Emulation emulation;

Emulation &emulator::getEmulation() { return emulation; }

HopperBlock *Emulation::findHopper(int32_t block) const {
  const auto &cluster = clusters[block / launch->cluster];
  return cluster ? cluster->blocks[block % launch->cluster].get() : nullptr;
}

HopperBlock &Emulation::getHopper() {
  if (!findHopper(current->block))
    makeCluster(current->block / launch->cluster);
  return *findHopper(current->block);
}

int32_t Emulation::getThreadOfCluster() const {
  return current->block % launch->cluster * launch->threads + current->number;
}

void Emulation::makeCluster(int32_t number) {
  int32_t first = number * launch->cluster;
  std::vector<SharedMemory *> memories;
  for (int32_t i = 0; i < launch->cluster; ++i)
    memories.push_back(&blocks[first + i].shared);
  clusters[number] = std::make_unique<HopperCluster>(
      ClusterShape{launch->threads, launch->cluster, firstBlock + first},
      memories);
  for (int32_t i = 0; i < launch->cluster * launch->threads; ++i)
    if (threads[size_t(first) * launch->threads + i]->doing == Doing::Nothing)
      findHopper(first + i / launch->threads)->leaveUnseen(i);
}

void Emulation::endThread() {
  if (HopperBlock *hopper = findHopper(current->block))
    hopper->leave(getThreadOfCluster());
}

void Emulation::fail(const std::string &words) {
  note(words);
  stop(Doing::AtBarrier);
  // Nobody resumes it.
  std::abort();
}

void Emulation::prepareBlocks(int32_t count) {
  blocks.resize(count);
  memory.reserve(count);
  for (int32_t i = 0; i < count; ++i) {
    blocks[i].shared.reset(memory.at(i), launch->sharedBytes);
    blocks[i].partials.assign(std::max(launch->threads, tegulaGpuNumPartials),
                              -1);
    blocks[i].exchanged.assign(2 * launch->threads, -1);
    blocks[i].isSecondExchange.assign(launch->threads, 0);
  }
  clusters.clear();
  clusters.resize((count + launch->cluster - 1) / launch->cluster);
}

void Emulation::prepare(int32_t numBlocks) {
  size_t count = size_t(numBlocks) * launch->threads;
  while (threads.size() < count) {
    auto thread = std::make_unique<EmulatedThread>();
    EmulatedThread *self = thread.get();
    // Goes on with the next launch when one has ended.
    thread->fiber = std::make_unique<Fiber>([this, self] {
      while (true) {
        launch->kernel(launch->parameters);
        endThread();
        self->doing = Doing::Nothing;
        self->fiber->stop();
      }
    });
    threads.push_back(std::move(thread));
  }
  prepareBlocks(numBlocks);
  for (size_t i = 0; i < count; ++i) {
    threads[i]->number = int32_t(i % launch->threads);
    threads[i]->block = int32_t(i / launch->threads);
    threads[i]->doing = Doing::Running;
  }
}

/// Lets threads go on if all of them wait for the same.
bool Emulation::release(Doing from, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i)
    if (threads[i]->doing != from)
      return false;
  for (size_t i = first; i < last; ++i)
    threads[i]->doing = Doing::Running;
  return true;
}

std::string Emulation::describeHang(size_t all) const {
  size_t atBarrier = 0, atGridBarrier = 0, ended = 0;
  std::map<std::string, size_t> waits;
  for (size_t i = 0; i < all; ++i) {
    const EmulatedThread &thread = *threads[i];
    atBarrier +=
        thread.doing == Doing::AtBarrier || thread.doing == Doing::AtExchange;
    atGridBarrier += thread.doing == Doing::AtGridBarrier;
    ended += thread.doing == Doing::Nothing;
    std::string of =
        ClusterShape{launch->threads, launch->cluster, firstBlock}.ofBlock(
            thread.block);
    if (thread.doing == Doing::AtWait)
      ++waits[of + " " + thread.wait->describe()];
  }
  std::string words = "the emulated GPU hangs: of " + std::to_string(all) +
                      " threads " + std::to_string(atBarrier) +
                      " wait at a barrier, " + std::to_string(atGridBarrier) +
                      " for other blocks, ";
  for (const auto &[what, count] : waits)
    words += std::to_string(count) + what + ", ";
  return words + "and " + std::to_string(ended) + " have ended";
}

/// Runs the threads of a block that may go on, in turn. False if there is none.
bool Emulation::runBlock(size_t first, bool isUpwards) {
  size_t each = launch->threads;
  bool hasRun = false;
  for (size_t i = 0; i < each && problem.empty(); ++i) {
    EmulatedThread &thread = *threads[first + (isUpwards ? i : each - 1 - i)];
    if (thread.doing == Doing::AtWait && thread.wait->isOver())
      thread.doing = Doing::Running;
    if (thread.doing != Doing::Running)
      continue;
    current = &thread;
    thread.fiber->resume();
    hasRun = true;
  }
  return hasRun;
}

/// Lets the threads of a block go on if all have come.
void Emulation::leaveBarrier(size_t first) {
  HopperBlock *hopper = findHopper(threads[first]->block);
  size_t last = first + launch->threads;
  if (release(Doing::AtBarrier, first, last) && hopper)
    hopper->syncAll();
  release(Doing::AtExchange, first, last);
}

/// Some of the copies in flight arrive, one at least if nobody can go on
/// before.
bool Emulation::moveCopies(bool mustMove) {
  bool hasMoved = false;
  for (const auto &cluster : clusters)
    for (size_t i = 0; cluster && i < cluster->blocks.size(); ++i)
      hasMoved |= cluster->blocks[i]->moveCopies(chance, mustMove);
  return hasMoved;
}

/// Blocks run in turn, they and their threads now upwards and now downwards:
/// what is right in one order only comes out wrong.
std::string Emulation::runBlocks(int32_t count) {
  prepare(count);
  size_t each = launch->threads, all = each * count;
  for (bool isUpwards = true;; isUpwards = !isUpwards) {
    bool hasRun = false, isDone = true;
    for (int32_t block = 0; block < count && problem.empty(); ++block) {
      size_t first = each * (isUpwards ? block : count - 1 - block);
      hasRun |= runBlock(first, isUpwards);
      leaveBarrier(first);
      for (size_t i = first; i < first + each; ++i) {
        isDone &= threads[i]->doing == Doing::Nothing;
        hasRun |= threads[i]->doing == Doing::Running;
      }
    }
    if (problem.empty() && !isDone && !moveCopies(!hasRun) && !hasRun &&
        !release(Doing::AtGridBarrier, 0, all))
      problem = describeHang(all);
    if (!problem.empty()) {
      // Fibers in the middle of a kernel are no good for the next.
      threads.clear();
      return problem;
    }
    if (isDone)
      return {};
  }
}

std::string Emulation::run(const EmulatedLaunch &wanted) {
  launch = &wanted;
  problem.clear();
  for (firstBlock = 0; firstBlock < wanted.blocks;
       firstBlock += wanted.atOnce) {
    int32_t count = std::min(wanted.blocks - firstBlock, wanted.atOnce);
    if (std::string words = runBlocks(count); !words.empty())
      return words;
  }
  return {};
}

std::string tegula::emulate(const EmulatedLaunch &launch) {
  return emulation.run(launch);
}
