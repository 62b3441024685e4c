// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One thread that helps with parallel loops, one at a time.

#ifndef TEGULA_LAUNCH_THREADS_HELPERTHREAD_H
#define TEGULA_LAUNCH_THREADS_HELPERTHREAD_H

#include <atomic>
#include <cstdint>

namespace tegula {

class ParallelFor;

/// Looks out for work for a while and then sleeps until it is woken.
class alignas(128) HelperThread {
public:
  /// A helper that lives as long as the process; null if the system gives no
  /// more threads.
  static HelperThread *start();

  /// True if it was free: it will come, if it is not released before. `next` is
  /// what `release` returns.
  bool ask(ParallelFor &loop, HelperThread *next);

  /// Ends what a successful `ask` began: it comes no more, or what it had begun
  /// is done.
  HelperThread *release();

private:
  enum State : uint32_t {
    Free,
    /// Whoever asks it is about to say for what.
    Taken,
    Asked,
    Working,
    /// Not free before it is released.
    Done
  };

  explicit HelperThread(unsigned number) : number(number) {}
  static void *run(void *self);
  void awaitRequest();
  void awaitEnd();
  void keepFromCoreOfCaller();

  /// How many there were before it.
  unsigned number;
  std::atomic<uint32_t> state{Free};
  /// What the system knows it by; 0 until it runs.
  std::atomic<int> thread{0};
  /// Whether it is to run on one core only until it has woken.
  std::atomic<bool> isBound{false};
  /// Whether it sleeps, and whether its caller does.
  std::atomic<bool> isAsleep{false}, isAwaited{false};
  ParallelFor *loop = nullptr;
  HelperThread *next = nullptr;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADS_HELPERTHREAD_H
