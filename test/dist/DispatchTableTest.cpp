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

TEST(DispatchTable, NothingConflictsWithNoElements) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 8, true)}});
  EXPECT_THAT(table.findConflicts(rows(2, 0, true)), IsEmpty());
}

TEST(DispatchTable, FetchesEarlierPartsFirst) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 4, true)}});
  table.add({2, 1, {rows(3, 3, true)}});
  table.add({3, 2, {rows(6, 1, true)}});
  const size_t second = 1;
  EXPECT_THAT(table.findUnfetched(second), ElementsAre(0, 1));
  table.getAll()[0].isFetched = true;
  EXPECT_THAT(table.findUnfetched(second), ElementsAre(1));
}

TEST(DispatchTable, FetchesNothingThatWasOnlyRead) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 4, false)}});
  const size_t first = 0;
  EXPECT_THAT(table.findUnfetched(first), IsEmpty());
}

TEST(DispatchTable, ForgetsWhatIsOver) {
  DispatchTable table;
  table.add({1, 0, {rows(0, 4, true)}});
  table.add({2, 1, {rows(0, 4, true)}});
  table.forget([](const Dispatch &dispatch) { return dispatch.moment == 1; });
  EXPECT_EQ(table.getAll().size(), 1u);
  EXPECT_EQ(table.getAll()[0].moment, 2u);
}
