// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/ReshapeStrides.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
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

/// What is said of memory that is to be seen as another shape.
std::string view(Sizes shape, int64_t rank, int64_t newRank, bool mustAlias,
                 int element = 0) {
  std::string said;
  auto report = [&](TegulaErrorKind kind, int64_t have, int64_t want) {
    said = kind == TegulaWrongCount ? "count" : "gaps";
    said += " " + std::to_string(have) + " " + std::to_string(want);
  };
  auto copy = [&](int64_t count, const int64_t *sizes, int64_t *strides) {
    EXPECT_EQ(sizes, shape.data() + 2 * rank);
    EXPECT_EQ(strides, sizes + newRank);
    said = "copy " + std::to_string(count);
    return shape.data();
  };
  void *found = reshapeView(&element, shape.data(), rank, newRank, mustAlias,
                            report, copy);
  return found == &element ? "view" : said;
}

TEST(ReshapeStrides, SaysWhatBecomesOfMemory) {
  // Sizes and strides, sizes that are wanted, room for their strides.
  EXPECT_EQ(view({4, 6, 6, 1, 24, 0}, 2, 1, true), "view");
  EXPECT_EQ(view({4, 6, 6, 1, 25, 0}, 2, 1, false), "count 24 25");
  EXPECT_EQ(view({4, 6, 8, 1, 2, 12, 0, 0}, 2, 2, true), "gaps 0 0");
  EXPECT_EQ(view({4, 6, 8, 1, 2, 12, 0, 0}, 2, 2, false), "copy 24");
  EXPECT_EQ(countDenseBytes(25, 4), 100);
  EXPECT_EQ(countDenseBytes(25, 0), 13);
}

TEST(ReshapeStrides, TakesAnyShapeOfNothing) {
  EXPECT_TRUE(reshape({0, 3}, {7, 7}, {5, 0}).has_value());
}

} // namespace
