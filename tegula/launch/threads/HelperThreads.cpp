// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/threads/HelperThreads.h"

#include "tegula/launch/threads/HelperThread.h"
#include "tegula/launch/threads/ThreadCount.h"
#include "tegula/launch/threads/WipedOnFork.h"

#include <array>
#include <mutex>

using namespace tegula;

namespace {

/// All helpers of the process, the first `count` of them.
struct Pool {
  std::array<std::atomic<HelperThread *>, mostThreads> helpers = {};
  std::atomic<int> count{0};
  /// For who starts more of them.
  std::mutex mutex;
  /// How many loops will do with those that are there, because the system gave
  /// no more.
  std::atomic<int> content{0};
};

} // namespace

/// In a child a pool without helpers, whose lock is free.
static WipedOnFork<Pool> pool;

/// Loops that ask for no more helpers after the system refused one.
static constexpr int loopsBetweenTries = 1000;

/// Starts helpers until there are as many as are wanted and may be.
static void start(int wanted) {
  if (pool->content.load(std::memory_order_relaxed) > 0) {
    pool->content.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  std::lock_guard<std::mutex> lock(pool->mutex);
  for (int count = pool->count.load(); count < wanted; ++count) {
    HelperThread *helper = HelperThread::start();
    if (!helper) {
      pool->content.store(loopsBetweenTries, std::memory_order_relaxed);
      return;
    }
    pool->helpers[count].store(helper, std::memory_order_relaxed);
    pool->count.store(count + 1, std::memory_order_release);
  }
}

HelperThreads::HelperThreads(ParallelFor &loop, int count) {
  if (pool->count.load(std::memory_order_acquire) < count)
    start(count);
  int there = pool->count.load(std::memory_order_acquire);
  for (int number = 0; number < there && count > 0; ++number) {
    HelperThread *helper =
        pool->helpers[number].load(std::memory_order_relaxed);
    if (!helper->ask(loop, asked))
      continue;
    asked = helper;
    --count;
  }
}

HelperThreads::~HelperThreads() {
  while (asked)
    asked = asked->release();
}
