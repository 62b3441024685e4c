// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Threads that begin at the same moment, and kernels for them to call.

#ifndef TEGULA_TEST_THREADS_TOGETHER_H
#define TEGULA_TEST_THREADS_TOGETHER_H

#include "tegula/runtime/Compiler.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace tegula {

/// Runs `body` with the number of the thread in each of `count` threads.
inline void runTogether(int count, const std::function<void(int)> &body) {
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < count; ++number)
    threads.emplace_back([&, number] {
      ++ready;
      while (ready < count)
        std::this_thread::yield();
      body(number);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// The kernel k of a text.
inline Kernel loadText(const std::string &text) {
  Expected<Kernel> kernel = loadKernel(KernelSource{"k.py", "k", text});
  EXPECT_TRUE(static_cast<bool>(kernel));
  return std::move(*kernel);
}

/// What a call says; empty if all is well.
inline std::string callKernel(const Kernel &kernel,
                              llvm::ArrayRef<Argument> arguments) {
  return llvm::toString(kernel(arguments));
}

} // namespace tegula

#endif // TEGULA_TEST_THREADS_TOGETHER_H
