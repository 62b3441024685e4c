// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/Emulator.h"

#include "tegula/launch/gpu/device/DeviceThread.h"
#include "tegula/support/Fiber.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

using namespace tegula;

namespace {

/// What a thread does, or waits for.
enum class Doing { Running, AtBarrier, AtMeeting, Nothing };

/// A thread of a block.
struct EmulatedThread {
  int32_t number = 0;
  int32_t block = 0;
  Doing doing = Doing::Nothing;
  std::unique_ptr<Fiber> fiber;
};

/// What the threads of a block share.
struct EmulatedBlock {
  std::vector<char> shared;
  std::vector<int64_t> partials;
  std::vector<int32_t> exchanged;
};

/// All threads of a launch. Fibers are kept from one launch to the next.
class Emulation {
public:
  std::string run(const EmulatedLaunch &wanted);

  EmulatedThread &getThread() { return *current; }
  EmulatedBlock &getBlock() { return blocks[current->block]; }
  const EmulatedLaunch &getLaunch() const { return *launch; }
  /// Called by a thread: others run until it may go on.
  void wait(Doing doing) {
    current->doing = doing;
    current->fiber->stop();
  }

private:
  void prepare();
  void resume(EmulatedThread &thread);
  bool release(Doing from, size_t first, size_t last);
  std::string describeHang() const;

  const EmulatedLaunch *launch = nullptr;
  std::vector<std::unique_ptr<EmulatedThread>> threads;
  std::vector<EmulatedBlock> blocks;
  EmulatedThread *current = nullptr;
};

} // namespace

static thread_local Emulation emulation;

/// What is in memory before it is written: NaN as a float.
static constexpr int poison = 0xff;

void Emulation::prepare() {
  size_t count = size_t(launch->blocks) * launch->threads;
  while (threads.size() < count) {
    auto thread = std::make_unique<EmulatedThread>();
    EmulatedThread *self = thread.get();
    // Goes on with the next launch when one has ended.
    thread->fiber = std::make_unique<Fiber>([this, self] {
      while (true) {
        launch->kernel(launch->parameters);
        self->doing = Doing::Nothing;
        self->fiber->stop();
      }
    });
    threads.push_back(std::move(thread));
  }
  blocks.resize(launch->blocks);
  for (EmulatedBlock &block : blocks) {
    block.shared.resize(launch->sharedBytes + 64);
    std::memset(block.shared.data(), poison, block.shared.size());
    block.partials.assign(launch->threads, -1);
    block.exchanged.assign(launch->threads, -1);
  }
  for (size_t i = 0; i < count; ++i) {
    threads[i]->number = int32_t(i % launch->threads);
    threads[i]->block = int32_t(i / launch->threads);
    threads[i]->doing = Doing::Running;
  }
}

void Emulation::resume(EmulatedThread &thread) {
  current = &thread;
  thread.fiber->resume();
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

std::string Emulation::describeHang() const {
  size_t counts[4] = {};
  size_t all = size_t(launch->blocks) * launch->threads;
  for (size_t i = 0; i < all; ++i)
    ++counts[size_t(threads[i]->doing)];
  auto some = [&](Doing doing) {
    return std::to_string(counts[size_t(doing)]);
  };
  return "the emulated GPU hangs: of " + std::to_string(all) + " threads " +
         some(Doing::AtBarrier) + " wait at a barrier, " +
         some(Doing::AtMeeting) + " for other blocks, and " +
         some(Doing::Nothing) + " have ended";
}

/// Blocks run in turn, their threads now upwards and now downwards: what is
/// right in one order only comes out wrong.
std::string Emulation::run(const EmulatedLaunch &wanted) {
  launch = &wanted;
  prepare();
  size_t each = wanted.threads, all = each * wanted.blocks;
  bool isUpwards = true;
  while (true) {
    bool hasRun = false, isDone = true;
    for (size_t first = 0; first < all; first += each) {
      for (size_t i = 0; i < each; ++i) {
        EmulatedThread &thread =
            *threads[first + (isUpwards ? i : each - 1 - i)];
        if (thread.doing != Doing::Running)
          continue;
        resume(thread);
        hasRun = true;
      }
      hasRun |= release(Doing::AtBarrier, first, first + each);
      for (size_t i = first; i < first + each; ++i)
        isDone &= threads[i]->doing == Doing::Nothing;
    }
    if (isDone)
      return {};
    if (!hasRun && !release(Doing::AtMeeting, 0, all)) {
      // Fibers in the middle of a kernel are no good for the next.
      std::string words = describeHang();
      threads.clear();
      return words;
    }
    isUpwards = !isUpwards;
  }
}

std::string tegula::emulate(const EmulatedLaunch &launch) {
  return emulation.run(launch);
}

int32_t tegulaGpuThread() { return emulation.getThread().number; }
int32_t tegulaGpuNumThreads() { return emulation.getLaunch().threads; }
int32_t tegulaGpuBlock() {
  return emulation.getLaunch().firstBlock + emulation.getThread().block;
}
int32_t tegulaGpuNumBlocks() { return emulation.getLaunch().blocks; }
void tegulaGpuBarrier() { emulation.wait(Doing::AtBarrier); }
void tegulaGpuRowBarrier(int32_t) { emulation.wait(Doing::AtBarrier); }
void tegulaGpuMeet(TegulaGpuMeeting *) { emulation.wait(Doing::AtMeeting); }

char *tegulaGpuShared() {
  auto address =
      reinterpret_cast<uintptr_t>(emulation.getBlock().shared.data());
  return reinterpret_cast<char *>((address + 63) / 64 * 64);
}

/// Nobody writes again before all have read.
int32_t tegulaGpuExchange(int32_t number, int32_t apart) {
  std::vector<int32_t> &all = emulation.getBlock().exchanged;
  int32_t self = tegulaGpuThread();
  all[self] = number;
  tegulaGpuBarrier();
  int32_t found = all[self ^ apart];
  tegulaGpuBarrier();
  return found;
}

int64_t *tegulaGpuPartials() { return emulation.getBlock().partials.data(); }

/// Who does not get what it wants lets others run.
uint32_t tegulaGpuSwap(uint32_t *word, uint32_t expected, uint32_t wanted) {
  uint32_t before = *word;
  if (before == expected)
    *word = wanted;
  else
    emulation.wait(Doing::Running);
  return before;
}
