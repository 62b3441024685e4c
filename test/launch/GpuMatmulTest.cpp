// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/variants/GpuMatmul.h"

#include "gtest/gtest.h"
#include <vector>

using namespace tegula;

/// The slots of a matrix: address, sizes, strides.
static std::vector<int64_t> dense(int64_t rows, int64_t columns,
                                  int64_t address = 1 << 20) {
  return {address, rows, columns, columns, 1};
}

static GpuMatmulCall callOf(int64_t m, int64_t n, int64_t k) {
  std::vector<int64_t> left = dense(m, k), right = dense(k, n);
  return GpuMatmulCall({0, 1, false, false, GpuElement::Bf16}, left.data(),
                       right.data());
}

TEST(GpuMatmul, TakesBoxesOfRowsAtMultiplesOf16Bytes) {
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
  // Rows that overlap.
  EXPECT_FALSE((GpuMatrix{64, 5, 9, 8, 1}.hasBoxes()));
  EXPECT_FALSE((GpuMatrix{64, 5, 5, 24, 1}.hasQuickBoxes()));
}

TEST(GpuMatmul, LeavesWhatIsEmptyOrHugeToTheFallback) {
  EXPECT_TRUE(callOf(1, 1, 1).isPossible());
  EXPECT_FALSE(callOf(0, 8, 8).isPossible());
  EXPECT_FALSE(callOf(8, 0, 8).isPossible());
  // Matmuls with K = 0 are zeros, which the fallback writes.
  EXPECT_FALSE(callOf(8, 8, 0).isPossible());
  EXPECT_FALSE(callOf(int64_t(1) << 31, 8, 8).isPossible());
}

/// The schedule on a chip with 132 SMs.
static GpuMatmulSchedule scheduleOf(int64_t m, int64_t n, int64_t k,
                                    bool isLong = false,
                                    bool hasClusters = true) {
  GpuMatmul matmul{0, 1, false, false, GpuElement::Bf16, isLong};
  return callOf(m, n, k).chooseSchedule(matmul, 132, hasClusters);
}

TEST(GpuMatmul, SplitsInTwoAtMostOnTheEmulatedChip) {
  GpuMatmul matmul{0, 1, false, false, GpuElement::Bf16};
  auto splitOf = [&](int64_t m, int64_t n, int64_t k) {
    return callOf(m, n, k)
        .chooseSchedule(matmul, /*numSMs=*/3, /*hasClusters=*/true)
        .split;
  };
  EXPECT_EQ(splitOf(7, 128, 700), 1);
  EXPECT_EQ(splitOf(5, 100, 2500), 2);
  // There is no room for more at once.
  EXPECT_EQ(splitOf(5, 100, 100000), 2);
  EXPECT_EQ(splitOf(5, 129, 2500), 1);
  EXPECT_EQ(splitOf(65, 100, 2500), 0);
}

TEST(GpuMatmul, ChoosesTilesThatKeepSMsBusy) {
  EXPECT_EQ(scheduleOf(3072, 3072, 3072), (GpuMatmulSchedule{192, 0, false}));
  EXPECT_EQ(scheduleOf(512, 4096, 14336), (GpuMatmulSchedule{128, 0, false}));
  EXPECT_EQ(callOf(129, 257, 1).countTiles({256, 0, false}), 4);
  EXPECT_EQ(callOf(128, 256, 1).countTiles({256, 0, false}), 1);
  EXPECT_EQ(callOf(128, 256, 1).countTiles({128, 2, false}), 4);
}

TEST(GpuMatmul, UsesPingPongWhereBlocksHaveSeveralTiles) {
  GpuMatmulSchedule pingPong{128, 0, true};
  EXPECT_EQ(scheduleOf(4096, 4096, 4096), pingPong);
  EXPECT_EQ(scheduleOf(4096, 4096, 4096, /*isLong=*/true), pingPong);
  EXPECT_EQ(scheduleOf(1500, 4096, 4096, /*isLong=*/true), pingPong);
  EXPECT_EQ(scheduleOf(1000, 4096, 4096), pingPong);
  EXPECT_EQ(scheduleOf(4096, 4096, 64), pingPong);
  // Matmuls would wait for what follows them.
  EXPECT_FALSE(scheduleOf(4096, 4096, 64, /*isLong=*/true).isPingPong);
  EXPECT_FALSE(scheduleOf(2048, 4096, 512, /*isLong=*/true).isPingPong);
  // No block has a second tile to go on with.
  EXPECT_FALSE(scheduleOf(1000, 1000, 4096, /*isLong=*/true).isPingPong);
}

TEST(GpuMatmul, SharesCopiesWhereBoxesAreSlowOrBlocksDrift) {
  // Rows of 6000 bytes.
  EXPECT_EQ(scheduleOf(3000, 3000, 3000),
            (GpuMatmulSchedule{192, 0, false, 2}));
  EXPECT_EQ(scheduleOf(4097, 4097, 4097), (GpuMatmulSchedule{128, 0, true, 2}));
  EXPECT_EQ(scheduleOf(4096, 4096, 4096).cluster, 1);
  // There is no tile below.
  EXPECT_EQ(scheduleOf(128, 99999, 3000).cluster, 1);
  EXPECT_EQ(
      scheduleOf(3000, 3000, 3000, /*isLong=*/false, /*hasClusters=*/false),
      (GpuMatmulSchedule{192, 0, false, 1}));
  // Those that fill up clusters are tiles, too.
  EXPECT_EQ(callOf(129, 257, 1).countTiles({256, 0, false, 2}), 4);
  EXPECT_EQ(callOf(257, 256, 1).countTiles({256, 0, false, 2}), 4);
}

TEST(GpuMatmul, SplitsTheStepsOfFewTiles) {
  EXPECT_EQ(scheduleOf(1, 4096, 4096), (GpuMatmulSchedule{64, 2, false}));
  EXPECT_EQ(scheduleOf(64, 4096, 4096), (GpuMatmulSchedule{64, 2, false}));
  EXPECT_EQ(scheduleOf(32, 11008, 4096), (GpuMatmulSchedule{128, 1, false}));
  EXPECT_EQ(scheduleOf(128, 4096, 4096), (GpuMatmulSchedule{128, 2, false}));
  EXPECT_EQ(scheduleOf(64, 1024, 8192), (GpuMatmulSchedule{64, 4, false}));
  EXPECT_EQ(scheduleOf(64, 256, 8192), (GpuMatmulSchedule{64, 8, false}));
  EXPECT_EQ(scheduleOf(64, 2048, 4096), (GpuMatmulSchedule{64, 2, false}));
  // So few steps that adding up would take longer, or so many tiles.
  EXPECT_EQ(scheduleOf(64, 4096, 64).split, 1);
  EXPECT_EQ(scheduleOf(16, 14336, 4096).split, 1);
  EXPECT_EQ(scheduleOf(1, 1000000, 64).split, 1);
  EXPECT_EQ(scheduleOf(4096, 4096, 4096).split, 0);
  EXPECT_EQ(
      scheduleOf(64, 4096, 4096, /*isLong=*/false, /*hasClusters=*/false).split,
      0);
}

TEST(GpuMatmul, ReadsTransposedOperandsInPlace) {
  // N x K, K side by side: seen as K x N its rows are contiguous.
  std::vector<int64_t> left = dense(64, 32), right = dense(128, 32);
  GpuMatmul transposed{0, 1, false, true, GpuElement::Bf16};
  GpuMatmulCall call(transposed, left.data(), right.data());
  EXPECT_FALSE(call.isAcross());
  EXPECT_EQ(call.right.rows, 32);
  EXPECT_EQ(call.getRightRows().rows, 128);
  EXPECT_EQ(call.getKernel(transposed, {256, 0, false}),
            "tegulaMatmulBf16Along256");
  GpuMatmul half{0, 1, false, false, GpuElement::Fp16};
  EXPECT_EQ(callOf(64, 64, 64).getKernel(half, {192, 0, false}),
            "tegulaMatmulFp16Across192");
  EXPECT_EQ(callOf(64, 64, 64).getKernel(half, {128, 0, true}),
            "tegulaMatmulFp16AcrossPingPong128");
  EXPECT_EQ(callOf(64, 64, 64).getKernel(half, {128, 4, false}),
            "tegulaMatmulFp16AcrossSplit128");
  EXPECT_EQ(callOf(64, 64, 64).getKernel(half, {64, 4, false}),
            "tegulaMatmulFp16AcrossSplit64");
}

TEST(GpuMatmul, CopiesContiguousElements) {
  // N x K with rows of an odd number of elements.
  std::vector<int64_t> left = dense(64, 33), right = dense(128, 33);
  GpuMatmul transposed{0, 1, false, true, GpuElement::Bf16};
  EXPECT_FALSE(GpuMatmulCall(transposed, left.data(), right.data()).isAcross());
  EXPECT_TRUE(callOf(64, 33, 33).isAcross());
}

/// A matmul whose operands have such elements and lie as they are given.
static GpuMatmulCall callOf(GpuElement element, int64_t m, int64_t n, int64_t k,
                            bool isRightTransposed = false) {
  std::vector<int64_t> left = dense(m, k),
                       right = isRightTransposed ? dense(n, k) : dense(k, n);
  return GpuMatmulCall({0, 1, false, isRightTransposed, element}, left.data(),
                       right.data());
}

TEST(GpuMatmul, CountsBytesOfElements) {
  GpuMatmulCall words = callOf(GpuElement::Tf32, 64, 64, 100);
  EXPECT_EQ(words.countSteps(), 4);
  EXPECT_EQ(callOf(GpuElement::Bf16, 64, 64, 100).countSteps(), 2);
  EXPECT_EQ(callOf(GpuElement::Uint8, 64, 64, 129).countSteps(), 2);
  EXPECT_EQ(callOf(GpuElement::Fp8E5M2, 64, 64, 129).countSteps(), 3);
  EXPECT_EQ(callOf(GpuElement::TensorE5M2, 64, 64, 129).countSteps(), 2);
  // Four words are 16 bytes, eight halves, sixteen bytes.
  EXPECT_TRUE(callOf(GpuElement::Tf32, 8, 8, 4).left.hasBoxes());
  EXPECT_FALSE(callOf(GpuElement::Bf16, 8, 8, 4).left.hasBoxes());
  EXPECT_TRUE(callOf(GpuElement::Tf32, 8, 8, 8).left.hasQuickBoxes());
  EXPECT_FALSE(callOf(GpuElement::Int8, 8, 8, 16).left.hasQuickBoxes());
  EXPECT_FALSE(callOf(GpuElement::Int8, 8, 8, 8).left.hasBoxes());
}

TEST(GpuMatmul, TransposesWhatIsNotContiguousAlongK) {
  for (GpuElement element :
       {GpuElement::Tf32, GpuElement::Int8, GpuElement::TensorE5M2}) {
    GpuMatmulCall across = callOf(element, 64, 128, 256);
    EXPECT_FALSE(across.isAcross());
    EXPECT_FALSE(across.isCopied(across.left));
    EXPECT_TRUE(across.isCopied(across.getRightRows()));
    // What is copied has quick boxes.
    EXPECT_TRUE(across.hasQuickBoxes());
    EXPECT_FALSE(callOf(element, 64, 129, 256).hasQuickBoxes());
    GpuMatmulCall along = callOf(element, 64, 128, 256, true);
    EXPECT_FALSE(along.isCopied(along.getRightRows()));
  }
}

TEST(GpuMatmul, TransposesWordsInSharedMemoryWhereStepsAreSplit) {
  GpuMatmulCall across = callOf(GpuElement::Tf32, 64, 128, 256);
  EXPECT_TRUE(across.isAcross(/*isSplit=*/true));
  EXPECT_FALSE(across.isCopied(across.getRightRows(/*isSplit=*/true)));
  GpuMatmul matmul{0, 1, false, false, GpuElement::Tf32};
  EXPECT_EQ(across.getKernel(matmul, {64, 2, false}),
            "tegulaMatmulTf32AcrossSplit64");
  EXPECT_EQ(across.getKernel(matmul, {128, 0, false}),
            "tegulaMatmulTf32Along128");
  // Rows that do not begin at multiples of 16 bytes are copied, transposed.
  EXPECT_FALSE(callOf(GpuElement::Tf32, 64, 129, 256).isAcross(true));
  EXPECT_FALSE(callOf(GpuElement::Tf32, 64, 128, 256, true).isAcross(true));
  EXPECT_FALSE(callOf(GpuElement::Int8, 64, 128, 256).isAcross(true));
}

TEST(GpuMatmul, ConvertsFp8ToFp16InPlace) {
  GpuMatmulCall across = callOf(GpuElement::Fp8E4M3FN, 64, 128, 256);
  EXPECT_TRUE(across.isAcross());
  EXPECT_TRUE(across.isCopied(across.left));
  EXPECT_TRUE(across.isCopied(across.getRightRows()));
  EXPECT_FALSE(across.hasSlowBoxes());
  EXPECT_FALSE(callOf(GpuElement::Fp8E4M3FN, 64, 128, 256, true).isAcross());
}

TEST(GpuMatmul, GroupsShareTilesWhereSumsAreAddedUp) {
  GpuMatmul exact{0, 1, false, true, GpuElement::Fp8E4M3FN};
  GpuMatmul added{0, 1, false, true, GpuElement::TensorE4M3FN};
  bool isPingPong = false;
  for (int64_t side : {1000, 2048, 3000, 4096}) {
    isPingPong |= callOf(exact.element, side, side, side, true)
                      .chooseSchedule(exact, 132, true)
                      .isPingPong;
    EXPECT_FALSE(callOf(added.element, side, side, side, true)
                     .chooseSchedule(added, 132, true)
                     .isPingPong);
  }
  EXPECT_TRUE(isPingPong);
}

TEST(GpuMatmul, NamesKernelsByWhatIsMultiplied) {
  auto prefixOf = [](GpuElement element) {
    return GpuMatmul{0, 1, false, false, element}.getPrefix();
  };
  auto repackOf = [](GpuElement element) {
    return GpuMatmul{0, 1, false, false, element}.getRepack();
  };
  EXPECT_EQ(prefixOf(GpuElement::Tf32), "tegulaMatmulTf32");
  EXPECT_EQ(prefixOf(GpuElement::Int8), "tegulaMatmulInt8");
  EXPECT_EQ(prefixOf(GpuElement::Uint8), "tegulaMatmulUint8");
  EXPECT_EQ(prefixOf(GpuElement::Fp8E5M2), "tegulaMatmulFp16");
  EXPECT_EQ(prefixOf(GpuElement::TensorE5M2), "tegulaMatmulE5M2");
  EXPECT_EQ(repackOf(GpuElement::Bf16), "tegulaRepackHalves");
  EXPECT_EQ(repackOf(GpuElement::Tf32), "tegulaRepackWords");
  EXPECT_EQ(repackOf(GpuElement::Uint8), "tegulaRepackBytes");
  EXPECT_EQ(repackOf(GpuElement::Fp8E5M2), "tegulaRepackFp8E5M2");
  EXPECT_EQ(repackOf(GpuElement::TensorE4M3FN), "tegulaRepackBytes");
}

TEST(GpuMatmul, KernelsHaveNumbersOfTheirOwn) {
  std::vector<bool> isTaken(12);
  for (GpuMatmulSchedule schedule : {GpuMatmulSchedule{256, 0, false},
                                     {192, 0, false},
                                     {128, 0, false},
                                     {128, 0, true},
                                     {128, 2, false},
                                     {64, 2, false}}) {
    size_t number = callOf(64, 64, 64).getNumber(schedule);
    ASSERT_LT(number, isTaken.size());
    EXPECT_FALSE(isTaken[number]);
    isTaken[number] = true;
  }
}
