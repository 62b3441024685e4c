// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/threads/ParallelFor.h"

#include "tegula/launch/threads/ThreadCount.h"
#include "tegula/support/KernelAbi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <immintrin.h>
#include <sched.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tegula;

using Body = std::function<void(int64_t)>;

/// Runs iterations on so many threads.
static void share(int64_t count, int threads, const Body &body) {
  auto run = [](void *context, int64_t first, int64_t last) {
    for (int64_t number = first; number < last; ++number)
      (*static_cast<const Body *>(context))(number);
  };
  tegulaParallelFor(run, const_cast<Body *>(&body), count, threads);
}

/// How often each iteration was done.
static std::vector<int> countRuns(int64_t count, int threads) {
  std::vector<std::atomic<int>> runs(count);
  share(count, threads, [&](int64_t number) { ++runs[number]; });
  return {runs.begin(), runs.end()};
}

/// Waits for another thread; false if it does not come.
static bool await(const std::atomic<bool> &flag) {
  for (int tries = 0; tries < 5000 && !flag; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return flag;
}

TEST(ParallelFor, AreEachDoneOnce) {
  for (int64_t count : {0, 1, 2, 3, 7, 15, 16, 17, 100, 1000})
    for (int threads : {1, 2, 3, 8, 33})
      EXPECT_EQ(countRuns(count, threads), std::vector<int>(count, 1))
          << count << " on " << threads;
}

TEST(ParallelFor, AreDoneForSeveralCallersAtOnce) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 5; ++caller)
    callers.emplace_back([caller] {
      for (int round = 0; round < 200; ++round)
        ASSERT_EQ(countRuns(50 + caller, 3), std::vector<int>(50 + caller, 1));
    });
  for (std::thread &caller : callers)
    caller.join();
}

TEST(ParallelFor, AreDoneByHelpersToo) {
  // The caller stays in its iteration until somebody else has done one.
  std::atomic<bool> hasCome = false;
  std::thread::id self = std::this_thread::get_id();
  share(2, 2, [&](int64_t) {
    if (std::this_thread::get_id() != self)
      hasCome = true;
    else
      EXPECT_TRUE(await(hasCome));
  });
}

TEST(ParallelFor, DoNotWaitForHelpersThatDoNotCome) {
  // Another loop keeps all the helpers there can be for this one.
  std::atomic<int> numBusy = 0;
  std::atomic<bool> allAreBusy = false, mayEnd = false;
  constexpr int most = 40;
  std::thread other([&] {
    share(most, most, [&](int64_t) {
      if (++numBusy == most)
        allAreBusy = true;
      await(mayEnd);
    });
  });
  EXPECT_TRUE(await(allAreBusy));
  std::set<std::thread::id> threads;
  share(1000, 2, [&](int64_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
  mayEnd = true;
  other.join();
}

TEST(ParallelFor, InsideOthersStayInTheirThread) {
  share(8, 4, [](int64_t) {
    EXPECT_EQ(tegulaCountThreads(), 1);
    std::thread::id self = std::this_thread::get_id();
    share(20, 4, [&](int64_t) { EXPECT_EQ(std::this_thread::get_id(), self); });
  });
  EXPECT_EQ(tegulaCountThreads(), countThreads());
}

TEST(ParallelFor, ComputeAsTheirCallerDoes) {
  unsigned before = _mm_getcsr();
  for (unsigned control : {before | 0x8040, before})
    for (int round = 0; round < 50; ++round) {
      _mm_setcsr(control);
      share(64, 4, [&](int64_t) {
        EXPECT_EQ(_mm_getcsr() & 0xffc0, control & 0xffc0);
      });
    }
  _mm_setcsr(before);
}

TEST(ParallelFor, LeaveSignalsToTheProgram) {
  std::thread::id self = std::this_thread::get_id();
  std::atomic<bool> hasCome = false;
  share(2, 2, [&](int64_t) {
    if (std::this_thread::get_id() == self) {
      EXPECT_TRUE(await(hasCome));
      return;
    }
    sigset_t blocked;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_TRUE(::sigismember(&blocked, SIGINT));
    EXPECT_FALSE(::sigismember(&blocked, SIGSEGV));
    hasCome = true;
  });
}

TEST(ParallelFor, KnowWhetherAThreadIsInOne) {
  EXPECT_FALSE(isBetweenIterations());
  share(16, 2, [](int64_t) { EXPECT_FALSE(isBetweenIterations()); });
  EXPECT_FALSE(isBetweenIterations());
}

TEST(ParallelFor, AreDoneInAForkedProcess) {
  EXPECT_EQ(countRuns(100, 3), std::vector<int>(100, 1));
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(countRuns(100, 3) == std::vector<int>(100, 1) ? 0 : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

/// A thread that has a lock is not there in a child.
TEST(ParallelFor, LocksOfSumsAreFreeInAForkedProcess) {
  int tensor = 0;
  tegulaLockReduction(&tensor);
  pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    tegulaLockReduction(&tensor);
    ::_exit(0);
  }
  tegulaUnlockReduction(&tensor);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ParallelFor, HelpersAreNotBoundToTheCoreOfWhoeverAsksFirst) {
  cpu_set_t all, first;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(all), &all), 0);
  pid_t child = ::fork();
  if (child == 0) {
    std::atomic<int> most = 0;
    std::thread caller([&] {
      CPU_ZERO(&first);
      for (int core = 0; CPU_COUNT(&first) == 0; ++core)
        if (CPU_ISSET(core, &all))
          CPU_SET(core, &first);
      ::sched_setaffinity(0, sizeof(first), &first);
      for (int tries = 0; tries < 1000 && most < CPU_COUNT(&all); ++tries)
        share(64, 2, [&](int64_t) {
          cpu_set_t own;
          ::sched_getaffinity(0, sizeof(own), &own);
          most = std::max<int>(most, CPU_COUNT(&own));
          ::usleep(10);
        });
    });
    caller.join();
    ::_exit(most == CPU_COUNT(&all) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ParallelFor, HelpersThatWereWokenMayRunAnywhere) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(all), &all), 0);
  std::atomic<int> least = CPU_SETSIZE;
  for (int tries = 0; tries < 20; ++tries) {
    // By now they sleep.
    ::usleep(1000);
    share(64, 2, [&](int64_t) {
      cpu_set_t own;
      ::sched_getaffinity(0, sizeof(own), &own);
      least = std::min<int>(least, CPU_COUNT(&own));
      ::usleep(10);
    });
  }
  EXPECT_EQ(least, CPU_COUNT(&all));
}

TEST(ThreadCount, IsReadFromASetting) {
  EXPECT_EQ(readThreadSetting("4"), 4);
  EXPECT_EQ(readThreadSetting(" 4,2"), 4);
  EXPECT_EQ(readThreadSetting("\t4\n"), 4);
  EXPECT_EQ(readThreadSetting("99999"), mostThreads);
  EXPECT_EQ(readThreadSetting("99999999999"), mostThreads);
  for (const char *text : {"", "0", "-1", "x", "4x", ","})
    EXPECT_EQ(readThreadSetting(text), std::nullopt) << text;
}
