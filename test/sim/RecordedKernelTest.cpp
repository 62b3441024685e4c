// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/RecordedKernel.h"

#include "gtest/gtest.h"

using namespace tegula;
using namespace tegula::sim;

/// Tells as many vector regions of one element as its first slot says.
static void emitMany(const int64_t *slots, TegulaCallState *state) {
  auto *call = reinterpret_cast<TegulaTraceCall *>(state);
  for (int64_t index = 0; index < slots[0]; ++index) {
    // A line, a tile, no ranges; then formula, rows and columns.
    int64_t numbers[] = {1, 0, 0, 0, 0, 0, 0, 1, 1};
    call->emit(call, TegulaTraceVector, numbers);
  }
}

static int64_t countRecorded(const RecordedKernel &recorded) {
  const TegulaTraceKernel &kernel = recorded.getKernel();
  int64_t count = 0;
  for (int64_t phase = 0, items = 0;
       (items = kernel.startPhase(kernel.context, phase)) >= 0; ++phase)
    for (int64_t item = 0; item < items; ++item) {
      TegulaTraceCursor cursor{};
      TegulaTraceOp ops[16];
      while (int32_t given = kernel.next(kernel.context, phase, item, &cursor,
                                         ops, std::size(ops)))
        count += given;
    }
  return count;
}

TEST(RecordedKernel, KeepsWhatWasEmitted) {
  RecordedKernel recorded("many", emitMany, {100}, {}, {{}}, /*mostOps=*/100);
  EXPECT_FALSE(recorded.isTooLong());
  EXPECT_EQ(countRecorded(recorded), 100);
}

TEST(RecordedKernel, KeepsNothingOfWhatIsTooLong) {
  RecordedKernel recorded("many", emitMany, {1000}, {}, {{}}, /*mostOps=*/100);
  EXPECT_TRUE(recorded.isTooLong());
  EXPECT_EQ(countRecorded(recorded), 0);
}
