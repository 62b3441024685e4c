// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/ranks/LocalRank.h"

#include "tegula/support/HalfBytes.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

using namespace tegula;
using Clock = std::chrono::steady_clock;

namespace {

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};

/// What the program that this thread runs has allocated.
thread_local std::vector<std::unique_ptr<void, FreeMemory>> allocated;

} // namespace

RankReport &LocalRank::lastReport() {
  static thread_local RankReport report;
  return report;
}

void *LocalRank::allocateShared(int64_t bytes, CallLocation location) {
  constexpr int64_t alignment = 64;
  void *memory = nullptr;
  if (bytes >= 0 && bytes <= INT64_MAX - alignment)
    memory = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  if (!memory) {
    location.report(TegulaOutOfMemory, bytes);
    return nullptr;
  }
  allocated.emplace_back(memory);
  return memory;
}

void *LocalRank::allocateWindow(int64_t bytes, CallLocation location) {
  auto *memory = static_cast<char *>(allocateShared(bytes, location));
  if (!memory)
    return nullptr;
  std::memset(memory, 0, bytes);
  std::lock_guard<std::mutex> guard(lock);
  windows[memory] = memory + bytes;
  return memory;
}

bool LocalRank::isReachable(const void *own, int64_t peer,
                            CallLocation location) {
  if (peer != 0) {
    location.report(TegulaNoSuchRank, peer, getCount());
    return false;
  }
  std::lock_guard<std::mutex> guard(lock);
  auto next = windows.upper_bound(static_cast<const char *>(own));
  if (next != windows.begin() && own <= std::prev(next)->second)
    return true;
  location.report(TegulaNotAWindow, 0);
  return false;
}

void *LocalRank::beginPeer(const PeerSlice &part, CallLocation location) {
  void *byte = part.elementBits == 4 ? byteOfHalf(part.own) : part.own;
  return isReachable(byte, part.peer, location) ? part.own : nullptr;
}

void LocalRank::notify(void *own, int64_t peer, int32_t value,
                       TegulaNotifyKind kind, CallLocation location) {
  if (!isReachable(own, peer, location))
    return;
  auto &signal = *static_cast<std::atomic<int32_t> *>(own);
  if (kind == TegulaNotifyAdd)
    signal.fetch_add(value);
  else
    signal.store(value);
}

void LocalRank::wait(void *own, int32_t expected, TegulaWaitKind kind,
                     CallLocation location) {
  if (location.state->error != TegulaNoError || !isReachable(own, 0, location))
    return;
  auto &signal = *static_cast<std::atomic<int32_t> *>(own);
  bool isEqual = kind == TegulaWaitEqual;
  auto isDone = [&] {
    int32_t now = signal.load();
    return isEqual ? now == expected : now >= expected;
  };
  auto start = Clock::now();
  auto patience = std::chrono::seconds(getRankPatience());
  // Only another thread of this program can notify it.
  while (!isDone()) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    auto waited = Clock::now() - start;
    if (patience.count() == 0 || waited < patience)
      continue;
    using std::chrono::milliseconds;
    RankState state = {
        RankState::Doing::Waiting,
        isEqual ? RankState::Awaited::SignalEqual
                : RankState::Awaited::SignalAtLeast,
        location.site,
        -1,
        signal.load(),
        expected,
        std::chrono::duration_cast<milliseconds>(waited).count()};
    lastReport().ranks = {state};
    return location.report(TegulaWaitedTooLong, patience.count());
  }
}

bool LocalRank::beginDispatch(int64_t device, llvm::ArrayRef<TegulaTensorUse>,
                              CallLocation location) {
  if (device < -1 || device >= getCount())
    location.report(TegulaNoSuchRank, device, getCount());
  return location.state->error == TegulaNoError;
}

void LocalRank::endHost(CallLocation) {
  std::lock_guard<std::mutex> guard(lock);
  for (const auto &memory : allocated)
    windows.erase(static_cast<const char *>(memory.get()));
  allocated.clear();
}
