// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/LastReads.h"

#include "test/sim/OpList.h"

using namespace tegula;
using namespace tegula::sim;

static TegulaTraceOp reading(int64_t at) {
  TegulaTraceOp op = makeVector(1, 1);
  addRead(op, makeRange(at, 4), 4, /*isLast=*/false);
  return op;
}

/// Marks the last reads of a list.
static std::vector<TegulaTraceOp> follow(std::vector<TegulaTraceOp> ops) {
  auto find = [&](int64_t number) { return &ops[size_t(number)]; };
  LastReads lastReads;
  for (size_t number = 0; number < ops.size(); ++number)
    lastReads.add(int64_t(number), ops[number], find);
  lastReads.end(find);
  return ops;
}

TEST(LastReads, AreThoseBeforeBytesAreOverwritten) {
  TegulaTraceOp load = makeTransfer(TegulaTraceLoad, 0, 4, 64);
  std::vector<TegulaTraceOp> ops =
      follow({load, reading(64), reading(64), load, reading(64)});
  EXPECT_FALSE(ops[1].reads[0].isLast);
  EXPECT_TRUE(ops[2].reads[0].isLast);
  EXPECT_TRUE(ops[4].reads[0].isLast);
}

TEST(LastReads, AreNotThoseOfWhatIsComputedInPlace) {
  TegulaTraceOp inPlace = reading(0);
  addWrite(inPlace, makeRange(0, 4), 4);
  TegulaTraceOp matmul = makeMatmul(1, 1, 1, TegulaTraceAccumulate);
  addWrite(matmul, makeRange(0, 4), 4);
  std::vector<TegulaTraceOp> ops =
      follow({reading(0), inPlace, reading(0), matmul, reading(0)});
  for (size_t number : {0, 1, 2})
    EXPECT_FALSE(ops[number].reads[0].isLast) << number;
  EXPECT_TRUE(ops[4].reads[0].isLast);
}
