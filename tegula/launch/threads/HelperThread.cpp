// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/threads/HelperThread.h"

#include "tegula/launch/threads/ParallelFor.h"

#include <chrono>
#include <climits>
#include <csignal>
#include <immintrin.h>
#include <initializer_list>
#include <linux/futex.h>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tegula;

/// As long as a call or two of a kernel that is worth threads. Whoever sleeps
/// takes some 50 microseconds to come; whoever does not keeps others from
/// running.
static constexpr std::chrono::microseconds patience(60);

/// Code on a stack that this thread may need.
static constexpr size_t stackBytes = size_t(8) << 20;

/// Sleeps unless the value is another one by now, until it is woken or for no
/// reason.
static void sleepOn(std::atomic<uint32_t> &word, uint32_t value) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

static void wake(std::atomic<uint32_t> &word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

/// True as soon as the word has the value, false if it takes too long.
static bool spinUntil(const std::atomic<uint32_t> &word, uint32_t value) {
  auto now = [] { return std::chrono::steady_clock::now(); };
  auto end = now() + patience;
  do {
    for (int tries = 0; tries < 32; ++tries) {
      if (word.load(std::memory_order_acquire) == value)
        return true;
      _mm_pause();
    }
  } while (now() < end);
  return false;
}

/// Sleeps until the word has the value. `isAsleep` tells whoever changes the
/// word, who looks at it afterwards, that somebody is to be woken.
static void sleepUntil(std::atomic<uint32_t> &word, uint32_t value,
                       std::atomic<bool> &isAsleep) {
  isAsleep.store(true, std::memory_order_seq_cst);
  while (true) {
    uint32_t seen = word.load(std::memory_order_seq_cst);
    if (seen == value)
      break;
    sleepOn(word, seen);
  }
  isAsleep.store(false, std::memory_order_relaxed);
}

/// The cores that the process may use. Whoever asks first may be bound to one;
/// helpers are everybody's.
static bool findCores(cpu_set_t &cores) {
  return ::sched_getaffinity(::getpid(), sizeof(cores), &cores) == 0;
}

HelperThread *HelperThread::start() {
  static std::atomic<unsigned> count{0};
  auto *helper = new (std::nothrow) HelperThread(count++);
  if (!helper)
    return nullptr;
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  ::pthread_attr_setstacksize(&attributes, stackBytes);
  cpu_set_t cores;
  if (findCores(cores))
    ::pthread_attr_setaffinity_np(&attributes, sizeof(cores), &cores);
  // Signals are for the threads of the program, which know what to do with
  // them, but for those that are this thread's own fault.
  sigset_t others, before;
  ::sigfillset(&others);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
    ::sigdelset(&others, own);
  ::pthread_sigmask(SIG_SETMASK, &others, &before);
  pthread_t thread;
  bool isStarted = ::pthread_create(&thread, &attributes, run, helper) == 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::pthread_attr_destroy(&attributes);
  if (isStarted)
    return helper;
  delete helper;
  return nullptr;
}

void *HelperThread::run(void *self) {
  auto *helper = static_cast<HelperThread *>(self);
  ::pthread_setname_np(::pthread_self(), "tegula");
  helper->thread = static_cast<int>(::syscall(SYS_gettid));
  while (true) {
    helper->awaitRequest();
    uint32_t expected = Asked;
    if (!helper->state.compare_exchange_strong(expected, Working,
                                               std::memory_order_acq_rel))
      continue;
    helper->loop->work();
    helper->state.store(Done, std::memory_order_seq_cst);
    if (helper->isAwaited.load(std::memory_order_seq_cst))
      wake(helper->state);
  }
}

void HelperThread::awaitRequest() {
  if (spinUntil(state, Asked))
    return;
  sleepUntil(state, Asked, isAsleep);
  cpu_set_t cores;
  if (isBound.exchange(false, std::memory_order_relaxed) && findCores(cores))
    ::sched_setaffinity(0, sizeof(cores), &cores);
}

/// Some systems wake a thread on the core of whoever wakes it though others are
/// idle, and let both share it for milliseconds. So it wakes on another one.
void HelperThread::keepFromCoreOfCaller() {
  cpu_set_t cores;
  int self = thread.load(std::memory_order_relaxed), from = ::sched_getcpu();
  if (self == 0 || from < 0 || !findCores(cores) || CPU_COUNT(&cores) < 2)
    return;
  // Others of the same caller wake on others.
  int to = from;
  for (unsigned left = number % (CPU_COUNT(&cores) - 1) + 1; left > 0;) {
    to = (to + 1) % CPU_SETSIZE;
    left -= to != from && CPU_ISSET(to, &cores);
  }
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(to, &only);
  isBound.store(true, std::memory_order_relaxed);
  ::sched_setaffinity(self, sizeof(only), &only);
}

void HelperThread::awaitEnd() {
  if (!spinUntil(state, Done))
    sleepUntil(state, Done, isAwaited);
}

bool HelperThread::ask(ParallelFor &loop, HelperThread *next) {
  uint32_t expected = Free;
  if (!state.compare_exchange_strong(expected, Taken, std::memory_order_acquire,
                                     std::memory_order_relaxed))
    return false;
  this->loop = &loop;
  this->next = next;
  state.store(Asked, std::memory_order_seq_cst);
  if (isAsleep.load(std::memory_order_seq_cst)) {
    keepFromCoreOfCaller();
    wake(state);
  }
  return true;
}

HelperThread *HelperThread::release() {
  HelperThread *after = next;
  uint32_t expected = Asked;
  if (state.compare_exchange_strong(expected, Free, std::memory_order_acq_rel))
    return after;
  awaitEnd();
  state.store(Free, std::memory_order_release);
  return after;
}
