// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/Recovery.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "gtest/gtest.h"
#include <new>
#include <thread>

using namespace tegula;
using Cause = StepEnded::Cause;

/// Why the step ends, and what the error says.
static std::pair<std::optional<Cause>, std::string>
endOf(llvm::function_ref<void()> step) {
  std::optional<Cause> cause;
  std::string text;
  llvm::handleAllErrors(runRecovering(step), [&](const StepEnded &ended) {
    cause = ended.getCause();
    text = ended.message();
  });
  return {cause, text};
}

/// Too much for every machine, and no constant that a compiler could see.
static volatile size_t tooMuch = ~size_t(0) / 4;

TEST(Recovery, LetsAStepThatEndsBe) {
  bool hasRun = false;
  EXPECT_EQ(endOf([&] { hasRun = true; }).first, std::nullopt);
  EXPECT_TRUE(hasRun);
}

TEST(Recovery, EndsWhatLlvmCallsFatal) {
  auto [cause, text] =
      endOf([] { llvm::report_fatal_error("cannot select: x"); });
  EXPECT_EQ(cause, Cause::FatalError);
  EXPECT_EQ(text, "the compiler failed: cannot select: x");
}

TEST(Recovery, EndsAtMissingMemory) {
  EXPECT_EQ(endOf([] { std::__throw_bad_alloc(); }).first, Cause::NoMemory);
  EXPECT_EQ(endOf([] {
              llvm::SmallVector<char, 0> bytes;
              bytes.reserve(tooMuch);
            }).first,
            Cause::NoMemory);
}

TEST(Recovery, EndsTheInnermostStep) {
  std::optional<Cause> inner;
  EXPECT_EQ(endOf([&] { inner = endOf(stopStep).first; }).first, std::nullopt);
  EXPECT_EQ(inner, Cause::Stopped);
  stopStep();
}

TEST(Recovery, EndsAStepAsAnInnerOneEnded) {
  auto endAgain = [](llvm::function_ref<void()> step) {
    return endOf(
        [&] { ADD_FAILURE() << toString(endStep(runRecovering(step))); });
  };
  EXPECT_EQ(endAgain(stopStep).first, Cause::Stopped);
  auto [cause, text] =
      endAgain([] { llvm::report_fatal_error("cannot select: x"); });
  EXPECT_EQ(cause, Cause::FatalError);
  EXPECT_EQ(text, "the compiler failed: cannot select: x");
  // Outside of steps the error is given back.
  EXPECT_EQ(toString(endStep(runRecovering(stopStep))),
            "stopped while compiling");
}

TEST(Recovery, LeavesNoTraceOfTheStack) {
  const void *before = llvm::SavePrettyStackState();
  EXPECT_EQ(endOf([] {
              llvm::PrettyStackTraceString entry("in a step");
              stopStep();
            }).first,
            Cause::Stopped);
  EXPECT_EQ(llvm::SavePrettyStackState(), before);
}

TEST(Recovery, IsForOneThread) {
  std::vector<std::thread> threads;
  std::atomic<unsigned> numEnded = 0;
  for (unsigned number = 0; number < 8; ++number)
    threads.emplace_back([&, number] {
      for (unsigned round = 0; round < 100; ++round)
        numEnded += endOf([&] {
                      if (number % 2)
                        llvm::report_fatal_error("odd");
                    }).first.has_value();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(numEnded, 400u);
}

TEST(RecoveryDeathTest, LeavesFatalErrorsOfOthersAlone) {
  ASSERT_FALSE(endOf([] {}).first);
  EXPECT_DEATH(llvm::report_fatal_error("of somebody else"),
               "LLVM ERROR: of somebody else");
}
