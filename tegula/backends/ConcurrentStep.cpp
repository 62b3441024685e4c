// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/ConcurrentStep.h"

#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/Recovery.h"

#include <cerrno>
#include <ctime>

using namespace tegula;

ConcurrentStep::ConcurrentStep(std::function<void()> given)
    : step(std::move(given)) {
  // Threads of C++ throw if there can be no more of them.
  isThreaded = ::pthread_create(&thread, nullptr, &run, this) == 0;
}

void *ConcurrentStep::run(void *concurrent) {
  auto &self = *static_cast<ConcurrentStep *>(concurrent);
  helpUntil(self.isStopped);
  self.ended = runRecovering(self.step);
  return nullptr;
}

Error ConcurrentStep::finish(bool stops) {
  isStopped = stops;
  if (!isThreaded)
    return stops ? Error::success() : runRecovering(step);
  // Whoever is asked to stop meanwhile stops the step.
  constexpr long pause = 20'000'000, second = 1'000'000'000;
  for (;;) {
    timespec until = {};
    ::clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += pause;
    until.tv_sec += until.tv_nsec / second;
    until.tv_nsec %= second;
    if (::pthread_timedjoin_np(thread, nullptr, &until) != ETIMEDOUT)
      return std::move(ended);
    if (!isStopped && isStopWanted())
      isStopped = true;
  }
}
