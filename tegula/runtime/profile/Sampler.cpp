// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/profile/Sampler.h"

#include "tegula/launch/threads/ParallelFor.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

using namespace tegula;

namespace {

/// What the handler of the signal writes to; it may not allocate.
struct Record {
  static constexpr size_t capacity = 1 << 16;

  std::vector<Sample> samples = std::vector<Sample>(capacity);
  std::atomic<size_t> count = 0;
  CodeRange code;
  /// The stack of the thread; no frame lies elsewhere.
  uintptr_t stackBegin = 0, stackEnd = 0;
};

} // namespace

/// A prime, so that no loop keeps its step.
static constexpr long interval = 199 * 1000;

static std::atomic<Record *> active = nullptr;

/// What other libraries push before they call no further, in words, mostly.
static constexpr size_t mostPushed = 512;

/// Where a function outside the code returns to, which has no frame to follow:
/// the first word on the stack that looks like it.
static uintptr_t findReturn(const Record &record, uintptr_t top) {
  if (top < record.stackBegin || top % sizeof(void *) != 0)
    return 0;
  auto *words = reinterpret_cast<const uintptr_t *>(top);
  size_t count = (record.stackEnd - top) / sizeof(void *);
  for (size_t number = 0; number < std::min(count, mostPushed); ++number)
    if (record.code.contains(words[number]))
      return words[number];
  return 0;
}

/// Follows frames as long as each lies above the one before.
static void follow(const Record &record, uintptr_t frame,
                   decltype(Sample::frames) &frames, size_t depth) {
  uintptr_t above = record.stackBegin;
  while (depth < frames.size()) {
    bool isFrame = frame > above && frame % sizeof(void *) == 0 &&
                   frame + 2 * sizeof(void *) <= record.stackEnd;
    if (!isFrame)
      return;
    auto *words = reinterpret_cast<const uintptr_t *>(frame);
    if (record.code.contains(words[1]))
      frames[depth++] = words[1];
    above = frame;
    frame = words[0];
  }
}

static void takeSample(int, siginfo_t *, void *context) {
  Record *record = active.load(std::memory_order_acquire);
  if (!record)
    return;
  size_t number = record->count.load(std::memory_order_relaxed);
  if (number == Record::capacity)
    return;
  const auto &registers =
      static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
  Sample sample;
  auto now = static_cast<uintptr_t>(registers[REG_RIP]);
  sample.frames[0] = now;
  size_t depth = 1;
  if (!record->code.contains(now)) {
    auto top = static_cast<uintptr_t>(registers[REG_RSP]);
    sample.isWaiting = isBetweenIterations();
    sample.frames[depth++] = findReturn(*record, top);
  }
  follow(*record, static_cast<uintptr_t>(registers[REG_RBP]), sample.frames,
         depth);
  record->samples[number] = sample;
  record->count.store(number + 1, std::memory_order_release);
}

struct Sampler::Clock {
  Record record;
  timer_t timer = {};
  struct sigaction before = {};
};

static Error findStack(Record &record) {
  pthread_attr_t attributes;
  void *begin = nullptr;
  size_t size = 0;
  if (int code = pthread_getattr_np(pthread_self(), &attributes))
    return makeSystemError(code, "cannot find the stack");
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  record.stackBegin = reinterpret_cast<uintptr_t>(begin);
  record.stackEnd = record.stackBegin + size;
  return Error::success();
}

Expected<std::unique_ptr<Sampler>> Sampler::start(CodeRange code) {
  std::unique_ptr<Sampler> sampler(new Sampler());
  auto clock = std::make_unique<Clock>();
  clock->record.code = code;
  if (Error error = findStack(clock->record))
    return error;
  struct sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_MONOTONIC, &event, &clock->timer) != 0)
    return makeSystemError(errno, "cannot make a timer");
  Record *none = nullptr;
  if (!active.compare_exchange_strong(none, &clock->record)) {
    timer_delete(clock->timer);
    return makeError("a kernel is being sampled already");
  }
  struct sigaction action = {};
  action.sa_sigaction = takeSample;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, &clock->before);
  struct itimerspec every = {{0, interval}, {0, interval}};
  timer_settime(clock->timer, 0, &every, nullptr);
  sampler->clock = std::move(clock);
  return sampler;
}

Sampler::~Sampler() {
  if (!clock)
    return;
  timer_delete(clock->timer);
  sigaction(SIGPROF, &clock->before, nullptr);
  active.store(nullptr, std::memory_order_release);
}

std::vector<Sample> Sampler::list() const {
  size_t count = clock->record.count.load(std::memory_order_acquire);
  const std::vector<Sample> &samples = clock->record.samples;
  return {samples.begin(), samples.begin() + static_cast<ptrdiff_t>(count)};
}
