// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The iterations of a parallel loop, shared out among the thread that calls
/// and others that help it. Nobody waits for a helper that has not begun:
/// whoever is there does what is left.

#ifndef TEGULA_LAUNCH_THREADS_PARALLELFOR_H
#define TEGULA_LAUNCH_THREADS_PARALLELFOR_H

#include "tegula/support/KernelAbi.h"

#include <atomic>

namespace tegula {

/// One loop while it runs. Each thread has a part of the iterations that lie
/// one after the other, which it does a few at a time, and then takes from the
/// parts of others.
class ParallelFor {
public:
  /// A part, on a line of the cache of its own.
  struct alignas(64) Part {
    std::atomic<int64_t> next;
    int64_t end;
  };

  /// `parts` is memory for `numThreads` of them.
  ParallelFor(TegulaLoopBody run, void *context, int64_t count, Part *parts,
              int numThreads);

  /// Does iterations until none is left that nobody has begun. The first to
  /// come is number 0.
  void work();

private:
  TegulaLoopBody run;
  void *context;
  Part *parts;
  int numThreads;
  /// How many iterations are taken at a time.
  int64_t share;
  std::atomic<int> numCome{0};
  /// How the caller rounds, and what it does with the smallest numbers.
  unsigned floatControl;
};

/// True while this thread waits in a loop for others, or looks for work there.
bool isBetweenIterations();

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADS_PARALLELFOR_H
