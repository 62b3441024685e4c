// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/routines/ScratchStack.h"

#include <gtest/gtest.h>

using namespace tegula;

static constexpr int64_t small = 4096;
static constexpr int64_t huge = 8 * ScratchStack::retainedBytes;

/// A call that needs so many bytes in two pieces.
static void call(ScratchStack &stack, int64_t bytes) {
  void *frame = stack.push(bytes / 2);
  ASSERT_NE(frame, nullptr);
  ASSERT_NE(stack.push(bytes / 2), nullptr);
  stack.pop(frame);
}

TEST(ScratchStack, AsksForMemoryOnce) {
  ScratchStack stack;
  call(stack, small);
  int64_t reserved = stack.getReserved();
  EXPECT_GE(reserved, small);
  for (int i = 0; i < 100; ++i)
    call(stack, small);
  EXPECT_EQ(stack.getReserved(), reserved);
}

TEST(ScratchStack, PutsLargeMemoryWhereHugePagesBegin) {
  ScratchStack stack;
  auto block = reinterpret_cast<uintptr_t>(stack.push(huge));
  EXPECT_EQ(block % 64, 0u);
  EXPECT_LT(block % (2 << 20), 4096u);
}

TEST(ScratchStack, SaysTheMostACallNeeded) {
  ScratchStack stack;
  call(stack, huge);
  EXPECT_GE(stack.getMost(), huge);
  call(stack, small);
  EXPECT_GE(stack.getMost(), small);
  EXPECT_LT(stack.getMost(), 2 * small);
}

TEST(ScratchStack, GivesBackWhatOneHugeCallNeeded) {
  ScratchStack stack;
  call(stack, small);
  call(stack, huge);
  EXPECT_LE(stack.getReserved(), ScratchStack::retainedBytes);
}

TEST(ScratchStack, KeepsWhatCallsNeedAgainAndAgain) {
  ScratchStack stack;
  call(stack, huge);
  call(stack, huge);
  int64_t reserved = stack.getReserved();
  EXPECT_GE(reserved, huge);
  call(stack, huge);
  EXPECT_EQ(stack.getReserved(), reserved);
}

TEST(ScratchStack, GivesBackWhenCallsAreSmallAgain) {
  ScratchStack stack;
  call(stack, huge);
  call(stack, huge);
  for (int i = 0; i < 4; ++i)
    call(stack, small);
  EXPECT_LE(stack.getReserved(), ScratchStack::retainedBytes);
  // What was large once is not usual for ever.
  for (int i = 0; i < 4; ++i)
    call(stack, small);
  call(stack, huge);
  EXPECT_LE(stack.getReserved(), ScratchStack::retainedBytes);
}

TEST(ScratchStack, HandsOutMemoryAfterItGaveSomeBack) {
  ScratchStack stack;
  call(stack, huge);
  auto *memory = static_cast<char *>(stack.push(small));
  ASSERT_NE(memory, nullptr);
  memory[0] = memory[small - 1] = 1;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
  stack.pop(memory);
}

TEST(ScratchStack, RefusesWhatThereIsNot) {
  ScratchStack stack;
  EXPECT_EQ(stack.push(-1), nullptr);
  EXPECT_EQ(stack.push(int64_t(1) << 60), nullptr);
  EXPECT_EQ(stack.getReserved(), 0);
  EXPECT_NE(stack.push(small), nullptr);
}
