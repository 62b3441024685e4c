// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kernels by several threads at once: guard, variants, parallel loops.
#include "test/threads/Together.h"

using namespace tegula;

static const char *const addText = R"(import tegula.language as pl
M = pl.dynamic("M")

@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x + 1.0
)";

static const char *const openText = R"(import tegula.language as pl

@pl.jit
def k(x, y: pl.Out[pl.Tensor]):
    y[:] = x + 1.0
)";

static const char *const parallelText = R"(import tegula.language as pl
M = pl.dynamic("M")
N = pl.dynamic("N")

@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 8):
        t = pl.exp(x[i : i + 8, :] * 0.0) + x[i : i + 8, :]
        y[i : i + 8, :] = t - pl.row_max(t) + pl.row_max(t)
)";

TEST(ThreadCalls, GuardAnswersEachByItself) {
  Kernel add = loadText(addText);
  runTogether(4, [&](int number) {
    for (int64_t size = 0; size < 200; ++size) {
      std::vector<float> x(size, number), y(size + 1);
      EXPECT_EQ(callKernel(add, {TensorView(x.data(), {size}),
                                 TensorView(y.data(), {size})}),
                "");
      for (int64_t index = 0; index < size; ++index)
        EXPECT_EQ(y[index], number + 1.0f);
      EXPECT_NE(callKernel(add, {TensorView(x.data(), {size}),
                                 TensorView(y.data(), {size + 1})}),
                "");
    }
  });
}

TEST(ThreadCalls, NewVariantsAppearWhileOthersAreCalled) {
  Kernel add = loadText(openText);
  runTogether(4, [&](int number) {
    for (int64_t round = 0; round < 40; ++round) {
      int64_t size = 1 + (number + round) % 8;
      std::vector<float> x(size, round), y(size);
      EXPECT_EQ(callKernel(add, {TensorView(x.data(), {size}),
                                 TensorView(y.data(), {size})}),
                "");
      EXPECT_EQ(y[size - 1], round + 1.0f);
    }
  });
}

TEST(ThreadCalls, AVariantIsWholeForWhoFindsIt) {
  Kernel add = loadText(openText);
  // Relaxed, so that nothing but the table itself orders the threads.
  std::atomic<int64_t> made = 0;
  runTogether(3, [&](int number) {
    for (int64_t size = 1; size <= 6; ++size) {
      while (number != 0 && made.load(std::memory_order_relaxed) < size)
        std::this_thread::yield();
      std::vector<float> x(size, 2.0f), y(size);
      EXPECT_EQ(callKernel(add, {TensorView(x.data(), {size}),
                                 TensorView(y.data(), {size})}),
                "");
      EXPECT_EQ(y[size - 1], 3.0f);
      if (number == 0)
        made.store(size, std::memory_order_relaxed);
    }
  });
}

TEST(ThreadCalls, ParallelLoopsRunForSeveralCallers) {
  Kernel parallel = loadText(parallelText);
  constexpr int64_t rows = 300, columns = 1000;
  runTogether(3, [&](int number) {
    std::vector<float> x(rows * columns, number), y(rows * columns);
    for (int round = 0; round < 5; ++round) {
      y.assign(rows * columns, -1.0f);
      EXPECT_EQ(callKernel(parallel, {TensorView(x.data(), {rows, columns}),
                                      TensorView(y.data(), {rows, columns})}),
                "");
      for (float value : y)
        ASSERT_EQ(value, number + 1.0f);
    }
  });
}

TEST(ThreadCalls, KernelsComeAndGo) {
  runTogether(3, [&](int number) {
    for (int round = 0; round < 3; ++round) {
      Kernel add = loadText(addText + std::string(number, '\n'));
      float x = round, y = 0;
      EXPECT_EQ(callKernel(add, {TensorView(&x, {1}), TensorView(&y, {1})}),
                "");
      EXPECT_EQ(y, round + 1.0f);
    }
  });
}
