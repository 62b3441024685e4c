// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code with a stack of its own, that runs until it stops itself and goes on
/// from there when it is resumed.

#ifndef TEGULA_SUPPORT_FIBER_H
#define TEGULA_SUPPORT_FIBER_H

#include <functional>
#include <memory>
#include <ucontext.h>

namespace tegula {

/// One that is destroyed before its body has returned is simply forgotten:
/// nothing on its stack is destroyed.
class Fiber {
public:
  explicit Fiber(std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Runs until the body stops or returns. Must not be called by the body.
  void resume();
  /// Called by the body: goes on where it was resumed.
  void stop();
  bool isDone() const { return hasReturned; }

private:
  static void enter(unsigned high, unsigned low);

  std::function<void()> body;
  void *stack;
  ucontext_t own;
  ucontext_t caller;
  bool hasReturned = false;
};

} // namespace tegula

#endif // TEGULA_SUPPORT_FIBER_H
