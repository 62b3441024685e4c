// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals are the business of the program that compiles kernels.

#include "tegula/launch/threads/StopRequest.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/Export.h"

#include "gtest/gtest.h"
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>

using namespace tegula;

static const char *kernel = R"(import tegula.language as pl
M = pl.dynamic("M")
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y = x * 1.0
    for i in pl.unroll(20):
        y = pl.exp(y) + x
    out[:] = y
)";

using Handler = void (*)(int);

/// The handler and the flags of each signal.
static std::map<int, std::pair<Handler, int>> listHandlers() {
  std::map<int, std::pair<Handler, int>> handlers;
  // Set by the C library on whatever passes through it.
  constexpr int restorer = 0x04000000;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0)
      handlers[signal] = {action.sa_handler, action.sa_flags & ~restorer};
  }
  return handlers;
}

TEST(Signals, AreAsBeforeAfterACompile) {
  auto before = listHandlers();
  Expected<Kernel> loaded = loadKernel({"signals.py", "", kernel});
  ASSERT_TRUE(static_cast<bool>(loaded));
  EXPECT_EQ(listHandlers(), before);
  Expected<std::string> text = printStage({"signals.py", "", kernel}, "asm");
  ASSERT_TRUE(static_cast<bool>(text));
  EXPECT_EQ(listHandlers(), before);
  llvm::consumeError(
      loadKernel({"signals.py", "", "import nothing\n"}).takeError());
  EXPECT_EQ(listHandlers(), before);
  std::string path =
      testing::TempDir() + "signals-" + std::to_string(getpid()) + ".so";
  // Compiled for sanitizers, the launch library cannot be linked into another.
  llvm::consumeError(
      exportKernels({{{"signals.py", "", kernel}, {}}}, {path, "", "", ""})
          .takeError());
  std::filesystem::remove(path);
  EXPECT_EQ(listHandlers(), before);
}

static unsigned numQuestions = 0;
static unsigned stopAt = 0;

TEST(Signals, StopACompileWhereverItIs) {
  bool isDone = false;
  for (stopAt = 1; !isDone; ++stopAt) {
    numQuestions = 0;
    setStopQuestion([] { return ++numQuestions == stopAt; });
    // Another text each time, so that it is not found on the disk.
    std::string text = kernel + std::string("# ") + std::to_string(stopAt) +
                       " " + std::to_string(getpid()) + "\n";
    Expected<Kernel> loaded = loadKernel({"signals.py", "", text});
    isDone = static_cast<bool>(loaded);
    if (!isDone) {
      EXPECT_EQ(llvm::toString(loaded.takeError()), "stopped while compiling");
    }
  }
  setStopQuestion(nullptr);
  EXPECT_GT(stopAt, 2u);
}
