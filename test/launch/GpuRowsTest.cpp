// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/variants/GpuRows.h"

#include "gtest/gtest.h"

using namespace tegula;

static constexpr int64_t numSMs = 100, threads = 256;

/// A kernel with an input and an output, and variants as RowVariants.cpp makes
/// them.
static GpuRows makeKernel(bool hasReductions, int64_t elements = 4) {
  GpuRows rows;
  rows.tensors = {{0, true, true}, {1, true, true}};
  rows.hasReductions = hasReductions;
  rows.mayBeFlat = !hasReductions;
  for (GpuRowAlignment alignment :
       {GpuRowAlignment::Aligned, GpuRowAlignment::Shifted,
        GpuRowAlignment::Single}) {
    auto add = [&](const char *symbol, bool isByWarp, int64_t count) {
      rows.variants.push_back(
          {symbol, isByWarp, count / elements, elements, alignment});
    };
    if (!hasReductions) {
      add("part", false, 8);
      continue;
    }
    add("warp", true, 32);
    add("small", false, 16);
    add("large", false, 64);
  }
  return rows;
}

static const std::vector<GpuTensor> tensors = {{0, 2, 32, false},
                                               {5, 2, 32, true}};

/// Slots of two tensors that are alike.
static std::vector<int64_t> slotsOf(int64_t m, int64_t n, int64_t row,
                                    int64_t column = 1,
                                    int64_t address = 1 << 20) {
  return {address, m, n, row, column, address, m, n, row, column};
}

static std::optional<GpuRowLaunch> plan(const GpuRows &rows,
                                        const std::vector<int64_t> &slots) {
  return planRows(rows, tensors, slots.data(), int64_t(slots.size()), numSMs,
                  threads);
}

TEST(GpuRows, WarpsHaveRowsWhereThereAreMany) {
  GpuRows rows = makeKernel(true);
  auto chosen = [&](int64_t m, int64_t n) {
    auto launch = plan(rows, slotsOf(m, n, n));
    return launch ? rows.variants[launch->variant].symbol : "";
  };
  EXPECT_EQ(chosen(10000, 1000), "warp");
  EXPECT_EQ(chosen(10, 1000), "small");
  EXPECT_EQ(chosen(10000, 1024), "warp");
  EXPECT_EQ(chosen(10000, 1028), "small");
  EXPECT_EQ(chosen(10000, 4096), "small");
  EXPECT_EQ(chosen(10000, 4100), "large");
  EXPECT_EQ(chosen(10000, 16384), "large");
  // What is behind the last two groups is in none.
  EXPECT_EQ(chosen(10000, 16388), "large");
  EXPECT_EQ(chosen(10000, 16392), "");
}

static GpuRowAlignment alignmentOf(const GpuRows &rows,
                                   const std::vector<int64_t> &slots) {
  return rows.variants[plan(rows, slots)->variant].alignment;
}

TEST(GpuRows, GroupsAreReadAtOnceWhereAllBeginAtMultiples) {
  GpuRows rows = makeKernel(true);
  auto isAligned = [&](const std::vector<int64_t> &slots) {
    return alignmentOf(rows, slots) == GpuRowAlignment::Aligned;
  };
  EXPECT_TRUE(isAligned(slotsOf(5, 8, 8)));
  EXPECT_FALSE(isAligned(slotsOf(5, 7, 7)));
  EXPECT_FALSE(isAligned(slotsOf(5, 8, 9)));
  EXPECT_TRUE(isAligned(slotsOf(5, 8, 12)));
  EXPECT_FALSE(isAligned(slotsOf(5, 8, 8, 1, (1 << 20) + 4)));
  // The only row has no next one.
  EXPECT_TRUE(isAligned(slotsOf(1, 8, 9)));
}

TEST(GpuRows, RowsAreShiftedWhereAllAreAlignedAlike) {
  GpuRows rows = makeKernel(true);
  auto isShifted = [&](const std::vector<int64_t> &slots) {
    return alignmentOf(rows, slots) == GpuRowAlignment::Shifted;
  };
  EXPECT_TRUE(isShifted(slotsOf(5, 17, 17)));
  EXPECT_TRUE(isShifted(slotsOf(5, 17, 20)));
  EXPECT_TRUE(isShifted(slotsOf(5, 16, 16, 1, (1 << 20) + 4)));
  // There may be no two whole groups.
  EXPECT_TRUE(isShifted(slotsOf(5, 15, 15)));
  EXPECT_FALSE(isShifted(slotsOf(5, 14, 14)));
  // Rows that go backwards.
  EXPECT_TRUE(isShifted(slotsOf(5, 17, -17)));
  // The other tensor begins elsewhere, or its rows do.
  std::vector<int64_t> other = slotsOf(5, 17, 17);
  other[5] += 4;
  EXPECT_FALSE(isShifted(other));
  other[5] += 12;
  EXPECT_TRUE(isShifted(other));
  other[8] = 18;
  EXPECT_FALSE(isShifted(other));
  other[8] = 21;
  EXPECT_TRUE(isShifted(other));
  // Not at a multiple of an element.
  EXPECT_FALSE(isShifted(slotsOf(5, 17, 17, 1, (1 << 20) + 1)));
}

TEST(GpuRows, OnlyTensorsWithRowsAreAlignedAlike) {
  GpuRows rows = makeKernel(true);
  std::vector<int64_t> slots = slotsOf(5, 17, 17);
  slots[0] += 4;
  EXPECT_EQ(alignmentOf(rows, slots), GpuRowAlignment::Single);
  rows.tensors[0].hasRows = false;
  EXPECT_EQ(alignmentOf(rows, slots), GpuRowAlignment::Shifted);
  // All are alike if none has rows.
  rows.tensors[1].hasRows = false;
  EXPECT_EQ(alignmentOf(rows, slots), GpuRowAlignment::Single);
  slots[0] -= 4;
  EXPECT_EQ(alignmentOf(rows, slots), GpuRowAlignment::Shifted);
}

TEST(GpuRows, GroupsOfEightAreSixteenBytes) {
  GpuRows rows = makeKernel(true, 8);
  std::vector<GpuTensor> halves = tensors;
  for (GpuTensor &tensor : halves)
    tensor.elementBits = 16;
  auto alignment = [&](const std::vector<int64_t> &slots) {
    auto launch = planRows(rows, halves, slots.data(), int64_t(slots.size()),
                           numSMs, threads);
    return rows.variants[launch->variant].alignment;
  };
  EXPECT_EQ(alignment(slotsOf(5, 16, 16)), GpuRowAlignment::Aligned);
  EXPECT_EQ(alignment(slotsOf(5, 36, 36)), GpuRowAlignment::Shifted);
  EXPECT_EQ(alignment(slotsOf(5, 30, 30)), GpuRowAlignment::Single);
  std::vector<int64_t> other = slotsOf(5, 32, 32);
  other[0] += 8;
  EXPECT_EQ(alignment(other), GpuRowAlignment::Single);
  other[5] += 8;
  EXPECT_EQ(alignment(other), GpuRowAlignment::Shifted);
}

TEST(GpuRows, LeavesTheRestToTheFallback) {
  GpuRows rows = makeKernel(true);
  EXPECT_FALSE(plan(rows, slotsOf(0, 8, 8)));
  EXPECT_FALSE(plan(rows, slotsOf(8, 0, 0)));
  EXPECT_FALSE(plan(rows, slotsOf(8, 8, 1, 8)));
  EXPECT_TRUE(plan(rows, slotsOf(8, 1, 1, 8)));
}

TEST(GpuRows, BlocksHaveAllRows) {
  GpuRows rows = makeKernel(true);
  EXPECT_EQ(plan(rows, slotsOf(10001, 1000, 1000))->blocks, 1251);
  EXPECT_EQ(plan(rows, slotsOf(101, 1000, 1000))->blocks, 101);
  // Parts of 2048 columns.
  GpuRows elements = makeKernel(false);
  EXPECT_EQ(plan(elements, slotsOf(10, 2049, 3000))->blocks, 20);
}

/// Blocks that fit have as many warps as whole groups need; what is before and
/// behind them takes none.
TEST(GpuRows, BlocksFitTheirRows) {
  GpuRows rows = makeKernel(true);
  GpuRowVariant variant{"fitted", false, 4, 4, GpuRowAlignment::Shifted};
  variant.isFitted = true;
  variant.sureGroups = 2;
  rows.variants = {variant};
  auto threadsOf = [&](int64_t n) {
    auto launch = plan(rows, slotsOf(10000, n, n));
    return launch ? launch->threads : 0;
  };
  EXPECT_EQ(threadsOf(2047), 128);
  EXPECT_EQ(threadsOf(2049), 128);
  EXPECT_EQ(threadsOf(2053), 160);
  EXPECT_EQ(threadsOf(4099), 256);
  EXPECT_EQ(threadsOf(4103), 256);
  EXPECT_EQ(threadsOf(4105), 0);
  // Shorter rows leave threads without the groups that they count on.
  EXPECT_EQ(threadsOf(263), 32);
  EXPECT_EQ(threadsOf(261), 0);
  // Wherever a row begins.
  for (int64_t n = 15; n < 4200; n += 2)
    if (int64_t taken = threadsOf(n))
      for (int64_t before = 0; before < variant.countLead(); ++before) {
        int64_t whole = (n - before) / variant.countLead() * 2;
        EXPECT_LE(whole, taken * variant.groups) << n;
        EXPECT_GE(whole, taken * variant.sureGroups) << n;
      }
}

/// Variants rely on it: they do not ask whether columns are there that a
/// smaller one would have.
TEST(GpuRows, TheSmallestOfAKindIsTaken) {
  GpuRows rows = makeKernel(true);
  for (int64_t m : {1, 50, 2000, 100000})
    for (int64_t n = 1; n < 16400; n += 7) {
      auto launch = plan(rows, slotsOf(m, n, n));
      if (!launch)
        continue;
      const GpuRowVariant &taken = rows.variants[launch->variant];
      EXPECT_TRUE(taken.holds(n, threads));
      for (const GpuRowVariant &variant : rows.variants)
        EXPECT_FALSE(variant.isByWarp == taken.isByWarp &&
                     variant.alignment == taken.alignment &&
                     variant.groups < taken.groups && variant.holds(n, threads))
            << m << "x" << n;
    }
}

TEST(ShortVector, GoesOnWhereItIsLong) {
  ShortVector<int, 2> numbers;
  for (int i = 0; i < 5; ++i) {
    numbers.push_back(i);
    EXPECT_EQ(numbers.size(), size_t(i) + 1);
    for (int j = 0; j <= i; ++j)
      EXPECT_EQ(numbers[j], j);
  }
  int two[] = {7, 8};
  numbers.assign(two, two + 2);
  EXPECT_EQ(std::vector<int>(numbers.begin(), numbers.end()),
            std::vector<int>({7, 8}));
}

TEST(GpuRows, RowsThatFollowEachOtherAreOne) {
  GpuRows rows = makeKernel(false);
  auto launch = plan(rows, slotsOf(1000, 7, 7));
  ASSERT_TRUE(launch);
  std::vector<int64_t> slots(launch->slots.begin(), launch->slots.end());
  EXPECT_EQ(slots, slotsOf(1, 7000, 7));
  EXPECT_EQ(rows.variants[launch->variant].alignment, GpuRowAlignment::Aligned);
  EXPECT_EQ(launch->blocks, 4);
  // One tensor has gaps.
  std::vector<int64_t> gaps = slotsOf(1000, 7, 7);
  gaps[8] = 8;
  EXPECT_TRUE(plan(rows, gaps)->slots.empty());
  rows.mayBeFlat = false;
  EXPECT_TRUE(plan(rows, slotsOf(1000, 7, 7))->slots.empty());
}
