// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/ReshapeStrides.h"

#include <gtest/gtest.h>
#include <optional>
#include <vector>

using namespace tegula;

namespace {

using Sizes = std::vector<int64_t>;

/// The strides of the other shape, or nothing.
std::optional<Sizes> reshape(const Sizes &sizes, const Sizes &strides,
                             const Sizes &wanted) {
  Sizes found(wanted.size());
  StridedShape source{static_cast<int64_t>(sizes.size()), sizes.data(),
                      strides.data()};
  if (!computeReshapedStrides(source, static_cast<int64_t>(wanted.size()),
                              wanted.data(), found.data()))
    return std::nullopt;
  return found;
}

TEST(ReshapeStrides, SplitsAnyAxis) {
  EXPECT_EQ(reshape({4, 6}, {8, 1}, {2, 2, 6}), Sizes({16, 8, 1}));
  EXPECT_EQ(reshape({6}, {-1}, {2, 3}), Sizes({-3, -1}));
}

TEST(ReshapeStrides, MergesContiguousAxes) {
  EXPECT_EQ(reshape({4, 6}, {6, 1}, {24}), Sizes({1}));
  EXPECT_EQ(reshape({2, 3, 4}, {24, 8, 2}, {6, 4}), Sizes({8, 2}));
  EXPECT_EQ(reshape({4, 6}, {6, 1}, {3, 8}), Sizes({8, 1}));
}

TEST(ReshapeStrides, RefusesToMergeAcrossAGap) {
  EXPECT_EQ(reshape({4, 6}, {8, 1}, {24}), std::nullopt);
  EXPECT_EQ(reshape({4, 6}, {8, 1}, {3, 8}), std::nullopt);
  EXPECT_EQ(reshape({4, 6}, {1, 4}, {24}), std::nullopt);
}

TEST(ReshapeStrides, IgnoresAxesOfOne) {
  EXPECT_EQ(reshape({1, 5}, {77, 2}, {5, 1, 1}), Sizes({2, 1, 1}));
  EXPECT_EQ(reshape({4, 1, 3}, {3, 99, 1}, {12}), Sizes({1}));
  EXPECT_EQ(reshape({}, {}, {1, 1}), Sizes({1, 1}));
}

TEST(ReshapeStrides, SaysWhatBecomesOfMemory) {
  // Sizes and strides, sizes that are wanted, room for their strides.
  Sizes merged = {4, 6, 6, 1, 24, 0}, apart = {4, 6, 8, 1, 2, 12, 0, 0},
        wrong = {4, 6, 6, 1, 25, 0};
  EXPECT_EQ(Reshaping(merged.data(), 2, 1).run(true), Reshaped::View);
  EXPECT_EQ(Reshaping(wrong.data(), 2, 1).run(false), Reshaped::WrongCount);
  EXPECT_EQ(Reshaping(apart.data(), 2, 2).run(true), Reshaped::HasGaps);
  Reshaping copied(apart.data(), 2, 2);
  EXPECT_EQ(copied.run(false), Reshaped::Copy);
  EXPECT_EQ(apart, Sizes({4, 6, 8, 1, 2, 12, 12, 1}));
  EXPECT_EQ(copied.countBytes(4), 96);
  EXPECT_EQ(copied.countBytes(0), 12);
}

TEST(ReshapeStrides, TakesAnyShapeOfNothing) {
  EXPECT_TRUE(reshape({0, 3}, {7, 7}, {5, 0}).has_value());
}

} // namespace
