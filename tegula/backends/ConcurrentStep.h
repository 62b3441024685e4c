// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A part of a compile that another thread does meanwhile.

#ifndef TEGULA_BACKENDS_CONCURRENTSTEP_H
#define TEGULA_BACKENDS_CONCURRENTSTEP_H

#include "tegula/support/Error.h"

#include <atomic>
#include <functional>
#include <pthread.h>

namespace tegula {

/// Runs a step (Recovery.h) in a thread of its own, or where there can be no
/// more threads at the end, in this. Who has begun one finishes it, whatever
/// happens meanwhile: what else may end early is a step itself.
class ConcurrentStep {
public:
  explicit ConcurrentStep(std::function<void()> given);
  ConcurrentStep(const ConcurrentStep &) = delete;
  ConcurrentStep &operator=(const ConcurrentStep &) = delete;

  /// Waits for the step, which ends soon if it is stopped, or if this thread is
  /// asked to stop (StopRequest.h). The error is that of runRecovering.
  [[nodiscard]] Error finish(bool stops);

private:
  static void *run(void *concurrent);

  std::function<void()> step;
  std::atomic<bool> isStopped = false;
  Error ended = Error::success();
  bool isThreaded = false;
  pthread_t thread = {};
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CONCURRENTSTEP_H
