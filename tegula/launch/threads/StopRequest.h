// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How whoever waits for a compile says that it should stop: the compiler asks
/// now and then.

#ifndef TEGULA_LAUNCH_THREADS_STOPREQUEST_H
#define TEGULA_LAUNCH_THREADS_STOPREQUEST_H

#include <atomic>

namespace tegula {

/// Asks, in the thread that compiles, whether to stop. It may run anything but
/// the kernel that is being compiled.
using StopQuestion = bool (*)();

/// Sets what is asked, for all threads; null if nobody wants to stop.
void setStopQuestion(StopQuestion question);

/// True if the compile that this thread runs, or waits for, should stop. Cheap
/// enough for inner loops: the question is asked some fifty times a second.
bool isStopWanted();

/// Makes this thread one that helps another with its compile: it stops when
/// the other says so, and asks nobody. `isStopped` outlives its help.
void helpUntil(const std::atomic<bool> &isStopped);

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADS_STOPREQUEST_H
