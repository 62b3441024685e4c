// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/StepBeside.h"

#include "tegula/launch/StopRequest.h"
#include "tegula/support/Recovery.h"

using namespace tegula;

StepBeside::StepBeside(std::function<void()> given) : step(std::move(given)) {
  // Threads of C++ throw if there can be no more of them.
  isThreaded = ::pthread_create(&thread, nullptr, &run, this) == 0;
}

void *StepBeside::run(void *beside) {
  auto &self = *static_cast<StepBeside *>(beside);
  helpUntil(self.isStopped);
  self.ended = runRecovering(self.step);
  return nullptr;
}

Error StepBeside::finish(bool stops) {
  isStopped = stops;
  if (isThreaded)
    ::pthread_join(thread, nullptr);
  else if (!stops)
    return runRecovering(step);
  return std::move(ended);
}
