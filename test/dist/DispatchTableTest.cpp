// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/DispatchTable.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tegula;
using testing::ElementsAre;
using testing::IsEmpty;

static float memory[64];

/// Rows of a matrix of eight columns.
static DispatchUse rows(int64_t first, int64_t count, bool writes) {
  const int64_t shape[] = {count, 8, 8, 1};
  return DispatchUse({memory + 8 * first, shape, 2, 32, !writes, writes});
}

/// One column of it.
static DispatchUse column(int64_t number, bool writes) {
  const int64_t shape[] = {8, 8};
  return DispatchUse({memory + number, shape, 1, 32, !writes, writes});
}

TEST(DispatchTable, FindsConflictsInAllThreeOrders) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 2, true)}});
  table.add({2, 1, {rows(2, 2, false)}});
  EXPECT_THAT(table.findConflicts(rows(1, 1, false)), ElementsAre(0));
  EXPECT_THAT(table.findConflicts(rows(1, 1, true)), ElementsAre(0));
  EXPECT_THAT(table.findConflicts(rows(2, 1, true)), ElementsAre(1));
  EXPECT_THAT(table.findConflicts(rows(2, 1, false)), IsEmpty());
  EXPECT_THAT(table.findConflicts(rows(1, 2, true)), ElementsAre(0, 1));
  EXPECT_THAT(table.findConflicts(rows(4, 4, true)), IsEmpty());
}

TEST(DispatchTable, TellsColumnsApart) {
  DispatchTable table;
  table.add({1, 0, {column(3, true)}});
  EXPECT_THAT(table.findConflicts(column(4, true)), IsEmpty());
  EXPECT_THAT(table.findConflicts(column(3, false)), ElementsAre(0));
}

TEST(DispatchTable, ComparesBoxesAsElementsDo) {
  // All pairs of boxes of a small matrix, by their elements.
  auto box = [](int code, int64_t *shape) {
    int64_t row = code % 3, column = code / 3 % 3;
    shape[0] = 1 + code / 9 % 2;
    shape[1] = 1 + code / 18 % 3;
    shape[2] = 8;
    shape[3] = 1 + code / 54 % 2;
    return memory + 8 * row + column;
  };
  auto touches = [](float *data, const int64_t *shape) {
    uint64_t bits = 0;
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j)
        bits |= uint64_t(1) << (data - memory + 8 * i + shape[3] * j);
    return bits;
  };
  for (int lhs = 0; lhs < 108; ++lhs)
    for (int rhs = 0; rhs < 108; ++rhs) {
      int64_t lhsShape[4], rhsShape[4];
      float *lhsData = box(lhs, lhsShape), *rhsData = box(rhs, rhsShape);
      DispatchUse first({lhsData, lhsShape, 2, 32, 0, 1});
      DispatchUse second({rhsData, rhsShape, 2, 32, 0, 1});
      ASSERT_EQ(first.overlaps(second),
                (touches(lhsData, lhsShape) & touches(rhsData, rhsShape)) != 0)
          << lhs << " and " << rhs;
    }
}

TEST(DispatchTable, ALaterOneStandsForEarlierOnesLikeIt) {
  DispatchTable table;
  table.add({1, 0, {column(1, true)}});
  table.add({2, 1, {column(1, true)}});
  table.add({3, 0, {column(1, true)}});
  ASSERT_EQ(table.getAll().size(), 2u);
  EXPECT_EQ(table.getAll()[0].moment, 2u);
  EXPECT_EQ(table.getAll()[1].moment, 3u);
}

TEST(DispatchTable, NothingConflictsWithNoElements) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 8, true)}});
  EXPECT_THAT(table.findConflicts(rows(2, 0, true)), IsEmpty());
}

TEST(DispatchTable, ReceivesEarlierChunksFirst) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 4, true)}});
  table.add({2, 1, {rows(3, 3, true)}});
  table.add({3, 2, {rows(6, 1, true)}});
  const size_t second = 1;
  EXPECT_THAT(table.findUnreceived(second), ElementsAre(0, 1));
  table.getAll()[0].isReceived = true;
  EXPECT_THAT(table.findUnreceived(second), ElementsAre(1));
}

TEST(DispatchTable, ReceivesNothingThatWasOnlyRead) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 4, false)}});
  const size_t first = 0;
  EXPECT_THAT(table.findUnreceived(first), IsEmpty());
}

TEST(DispatchTable, ForgetsWhatIsOver) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 4, true)}});
  table.add({2, 1, {rows(0, 4, true)}});
  table.forget([](const Dispatch &dispatch) { return dispatch.moment == 1; });
  EXPECT_EQ(table.getAll().size(), 1u);
  EXPECT_EQ(table.getAll()[0].moment, 2u);
}
