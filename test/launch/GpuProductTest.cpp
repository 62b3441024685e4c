// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/GpuProduct.h"

#include "gtest/gtest.h"
#include <vector>

using namespace tegula;

/// The slots of a matrix: address, sizes, strides.
static std::vector<int64_t> dense(int64_t rows, int64_t columns,
                                  int64_t address = 1 << 20) {
  return {address, rows, columns, columns, 1};
}

static GpuProductCall callOf(int64_t m, int64_t n, int64_t k) {
  std::vector<int64_t> left = dense(m, k), right = dense(k, n);
  return GpuProductCall({0, 1, false, false, true}, left.data(), right.data());
}

TEST(GpuProduct, TakesBoxesOfRowsAtMultiplesOf16Bytes) {
  auto hasBoxes = [](int64_t address, int64_t row, int64_t column) {
    return GpuMatrix{static_cast<uint64_t>(address), 5, 5, row, column}
        .hasBoxes();
  };
  EXPECT_TRUE(hasBoxes(64, 8, 1));
  EXPECT_FALSE(hasBoxes(66, 8, 1));
  EXPECT_FALSE(hasBoxes(64, 9, 1));
  EXPECT_FALSE(hasBoxes(64, 8, 2));
  EXPECT_FALSE(hasBoxes(64, 1, 8));
  EXPECT_FALSE(hasBoxes(64, 0, 1));
  EXPECT_FALSE(hasBoxes(64, -8, 1));
  EXPECT_TRUE((GpuMatrix{64, 5, 5, 24, 1}.hasBoxes()));
  EXPECT_FALSE((GpuMatrix{64, 5, 5, 24, 1}.hasQuickBoxes()));
}

TEST(GpuProduct, LeavesWhatIsEmptyOrHugeToThePlainForm) {
  EXPECT_TRUE(callOf(1, 1, 1).isPossible());
  EXPECT_FALSE(callOf(0, 8, 8).isPossible());
  EXPECT_FALSE(callOf(8, 0, 8).isPossible());
  // Sums of nothing are zeros, which the plain form writes.
  EXPECT_FALSE(callOf(8, 8, 0).isPossible());
  EXPECT_FALSE(callOf(int64_t(1) << 31, 8, 8).isPossible());
}

TEST(GpuProduct, ChoosesTilesThatKeepProcessorsBusy) {
  constexpr int64_t processors = 132;
  EXPECT_EQ(callOf(4096, 4096, 4096).chooseColumns(processors), 256);
  EXPECT_EQ(callOf(3000, 3000, 3000).chooseColumns(processors), 192);
  EXPECT_EQ(callOf(512, 4096, 14336).chooseColumns(processors), 128);
  EXPECT_EQ(callOf(129, 257, 1).countTiles(256), 4);
  EXPECT_EQ(callOf(128, 256, 1).countTiles(256), 1);
}

TEST(GpuProduct, ReadsTurnedFactorsAsTheyLie) {
  // N x K, K side by side: seen as K x N its rows lie side by side.
  std::vector<int64_t> left = dense(64, 32), right = dense(128, 32);
  GpuProduct turned{0, 1, false, true, true};
  GpuProductCall call(turned, left.data(), right.data());
  EXPECT_FALSE(call.isAcross());
  EXPECT_EQ(call.right.rows, 32);
  EXPECT_EQ(call.getRightRows().rows, 128);
  EXPECT_EQ(call.getKernel(turned, 256), "tegulaProductBf16Along256");
  GpuProduct half{0, 1, false, false, false};
  EXPECT_EQ(callOf(64, 64, 64).getKernel(half, 192),
            "tegulaProductFp16Across192");
}
