// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/Backend.h"

#include "tegula/runtime/Compiler.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <thread>

using namespace tegula;
using testing::StartsWith;

/// The key of the target, or what is wrong with the text.
static std::string keyOf(llvm::StringRef text) {
  Expected<std::shared_ptr<const Target>> target = findTarget(text);
  return target ? (*target)->getKey() : llvm::toString(target.takeError());
}

TEST(Backend, KeysMakeTheirTargetsAgain) {
  EXPECT_EQ(keyOf(""), "cpu");
  for (const char *text :
       {"cpu", "cpu:x86-64-v3", "cpu:no-threads", "cpu:x86-64-v3,no-threads",
        "cpu:poison", "cpu:stream=1", "cpu:x86-64-v3,panels=1,share=5",
        "interpreter", "interpreter:inferred", "interpreter:tiles"})
    EXPECT_EQ(keyOf(text), text);
  EXPECT_EQ(keyOf("interpreter:frontend"), "interpreter");
}

TEST(Backend, MakesATargetOnce) {
  std::shared_ptr<const Target> first = llvm::cantFail(findTarget("cpu"));
  EXPECT_EQ(llvm::cantFail(findTarget("cpu")), first);
}

TEST(Backend, SaysWhatIsWrongWithATarget) {
  EXPECT_EQ(
      keyOf("abacus"),
      "there is no target 'abacus'; there is: cpu, interpreter, npu, cuda");
  EXPECT_EQ(keyOf("CPU"),
            "there is no target 'CPU'; there is: cpu, interpreter, npu, cuda");
  EXPECT_EQ(keyOf("cpu:"),
            "target 'cpu:': nothing follows the colon; targets "
            "are written "
            "cpu[:[PROCESSOR][,no-threads][,lines][,poison][,CHOICE=NUMBER]]");
  EXPECT_EQ(keyOf("cpu:abacus"), "target 'cpu:abacus': there is no processor "
                                 "'abacus' for x86_64");
  EXPECT_EQ(
      keyOf("cpu:x86-64-v3,fast"),
      "target 'cpu:x86-64-v3,fast': there is no option 'fast'; there is: "
      "no-threads, lines, poison, panels=NUMBER, strips=NUMBER, narrow=NUMBER, "
      "stream=NUMBER, share=NUMBER");
  EXPECT_EQ(keyOf("cpu:panels=many"), "target 'cpu:panels=many': 'panels' "
                                      "wants a number from 0 to 1, got 'many'");
  for (const char *text : {"cpu:no-threads,", "cpu:,no-threads"})
    EXPECT_EQ(
        keyOf(text),
        "target '" + std::string(text) +
            "': an option is missing next to a comma; targets are written "
            "cpu[:[PROCESSOR][,no-threads][,lines][,poison][,CHOICE=NUMBER]]");
  EXPECT_THAT(keyOf("interpreter:asm"),
              StartsWith("target 'interpreter:asm': there is no stage 'asm'; "
                         "there is: frontend, inferred, tiles"));
}

TEST(Backend, HasTheCommonStagesFirst) {
  std::vector<std::string> stages = llvm::cantFail(listStages("cpu"));
  ASSERT_GE(stages.size(), 5u);
  EXPECT_EQ(stages.front(), "frontend");
  EXPECT_EQ(stages[stages.size() - 2], "llvm");
  EXPECT_EQ(stages.back(), "asm");
  stages.resize(stages.size() - 2);
  EXPECT_EQ(llvm::cantFail(listStages("interpreter")), stages);
}

TEST(Backend, RunsNoImagesUnlessItSaysSo) {
  std::unique_ptr<LoadedImage> loaded;
  Problem problem = findBackend("cpu")->load({}, loaded);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem.getText(), "the back end 'cpu' runs no images of its own");
}

static KernelSource doubling(const char *target) {
  KernelSource source = {"double.py", "", R"py(
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def double(x: pl.Tensor[[M], pl.FP32], i: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x + pl.read(x, [i])
)py"};
  source.target = target;
  return source;
}

TEST(Backend, EveryTargetGivesTheSame) {
  for (const char *target : {"cpu", "cpu:x86-64-v3,no-threads", "interpreter",
                             "interpreter:inferred", "interpreter:tiles"}) {
    SCOPED_TRACE(target);
    Expected<Kernel> kernel = loadKernel(doubling(target));
    ASSERT_TRUE(static_cast<bool>(kernel))
        << llvm::toString(kernel.takeError());
    float x[5] = {1, 2, 3, 4, 5}, y[5] = {};
    auto call = [&](int64_t index) {
      return llvm::toString(
          (*kernel)({TensorView(x, {5}), index, TensorView(y, {5})}));
    };
    EXPECT_EQ(call(1), "");
    EXPECT_EQ(y[4], 7);
    EXPECT_THAT(call(9), StartsWith("double.py:9:"));
    float z[4];
    EXPECT_EQ(
        llvm::toString(
            (*kernel)({TensorView(x, {5}), int64_t(0), TensorView(z, {4})})),
        "argument 'y': axis 0 is 4, but M is 5 (from argument 'x' axis 0)");
  }
}

TEST(Backend, InterpretedKernelsMayBeCalledFromSeveralThreads) {
  Expected<Kernel> kernel = loadKernel(doubling("interpreter"));
  ASSERT_TRUE(static_cast<bool>(kernel));
  std::vector<std::thread> threads;
  std::atomic<int> numRight = 0;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&, number] {
      std::vector<float> x(100, static_cast<float>(number)), y(100);
      for (int iteration = 0; iteration < 20; ++iteration)
        if (!(*kernel)({TensorView(x.data(), {100}), int64_t(iteration),
                        TensorView(y.data(), {100})}))
          numRight += y[99] == static_cast<float>(2 * number);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(numRight, 80);
}
