// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/threads/ParallelFor.h"

#include "tegula/launch/routines/ScratchStack.h"
#include "tegula/launch/threads/HelperThreads.h"
#include "tegula/launch/threads/ThreadCount.h"

#include <algorithm>
#include <immintrin.h>
#include <new>

using namespace tegula;

/// Shares of one thread if all come at once. More of them even out what comes
/// late, each costs some 20 nanoseconds.
static constexpr int64_t sharesPerThread = 8;

/// Without the flags that say what happened.
static constexpr unsigned controlBits = 0xffc0;

/// What this thread does in a loop that is shared out.
enum class Activity : uint8_t { Elsewhere, BetweenIterations, InIterations };
static thread_local Activity activity = Activity::Elsewhere;

bool tegula::isBetweenIterations() {
  return activity == Activity::BetweenIterations;
}

ParallelFor::ParallelFor(TegulaLoopBody run, void *context, int64_t count,
                         Part *parts, int numThreads)
    : run(run), context(context), parts(parts), numThreads(numThreads),
      share(std::max<int64_t>(1, count / (numThreads * sharesPerThread))),
      floatControl(_mm_getcsr() & controlBits) {
  int64_t each = count / numThreads, more = count % numThreads, start = 0;
  for (int number = 0; number < numThreads; ++number) {
    Part *part = new (&parts[number]) Part();
    part->next.store(start, std::memory_order_relaxed);
    start += each + (number < more ? 1 : 0);
    part->end = start;
  }
}

void ParallelFor::work() {
  unsigned before = _mm_getcsr();
  if ((before & controlBits) != floatControl)
    _mm_setcsr(floatControl);
  int own = numCome.fetch_add(1, std::memory_order_relaxed);
  for (int number = 0; number < numThreads; ++number) {
    Part &part = parts[(own + number) % numThreads];
    while (part.next.load(std::memory_order_relaxed) < part.end) {
      int64_t first = part.next.fetch_add(share, std::memory_order_relaxed);
      if (first >= part.end)
        break;
      activity = Activity::InIterations;
      run(context, first, std::min(first + share, part.end));
      activity = Activity::BetweenIterations;
    }
  }
  if ((before & controlBits) != floatControl)
    _mm_setcsr(before);
}

int32_t tegulaCountThreads() {
  return activity == Activity::Elsewhere ? countThreads() : 1;
}

void tegulaParallelFor(TegulaLoopBody run, void *context, int64_t count,
                       int32_t threads) {
  if (count < 1)
    return;
  int numThreads =
      static_cast<int>(std::min<int64_t>({threads, count, mostThreads}));
  // What several threads do already is not divided again.
  if (numThreads < 2 || activity != Activity::Elsewhere)
    return run(context, 0, count);
  ScratchStack &scratch = scratchOfThread();
  void *parts = scratch.push(numThreads * sizeof(ParallelFor::Part));
  if (!parts)
    return run(context, 0, count);
  activity = Activity::BetweenIterations;
  ParallelFor loop(run, context, count, static_cast<ParallelFor::Part *>(parts),
                   numThreads);
  {
    HelperThreads helpers(loop, numThreads - 1);
    loop.work();
  }
  activity = Activity::Elsewhere;
  scratch.pop(parts);
}
