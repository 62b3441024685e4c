// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Threads that help whoever runs a parallel loop. They are those of the whole
/// process, and there are no more of them than one caller may have: a caller
/// that finds none free is not the only one.

#ifndef TEGULA_LAUNCH_THREADS_HELPERTHREADS_H
#define TEGULA_LAUNCH_THREADS_HELPERTHREADS_H

namespace tegula {

class ParallelFor;
class HelperThread;

/// Asks helpers for one loop, as long as it lives. At its end those that have
/// not come are told not to, and those that have are waited for.
class HelperThreads {
public:
  HelperThreads(ParallelFor &loop, int count);
  ~HelperThreads();
  HelperThreads(const HelperThreads &) = delete;
  HelperThreads &operator=(const HelperThreads &) = delete;

private:
  /// The first one that was asked; each knows the next.
  HelperThread *asked = nullptr;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADS_HELPERTHREADS_H
