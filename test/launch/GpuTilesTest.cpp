// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/GpuTiles.h"

#include "gtest/gtest.h"

using namespace tegula;

static constexpr int64_t numSMs = 132;

static GpuTilePlan planOf(int64_t rows, int64_t columns, int64_t inner) {
  return planTiles(GpuElement::Fp32, rows, columns, inner, numSMs);
}

TEST(GpuTiles, TakesLargeTilesForLargeMatmuls) {
  GpuTilePlan plan = planOf(4096, 4096, 4096);
  EXPECT_GE(plan.tile->rows * plan.tile->columns, 128 * 128);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_EQ(plan.getPartialBytes(), 0);
  EXPECT_EQ(plan.getArrivalBytes(), 0);
}

TEST(GpuTiles, SplitsLongSumsOfFewTiles) {
  GpuTilePlan plan = planOf(128, 128, 8192);
  EXPECT_GT(plan.splits, 8);
  EXPECT_EQ(plan.getPartialBytes(),
            plan.countBlocks() * plan.tile->rows * plan.tile->columns * 4);
  EXPECT_EQ(plan.getArrivalBytes(), plan.tiles * 4);
}

TEST(GpuTiles, HasAStepForEveryBlock) {
  for (GpuElement element :
       {GpuElement::Fp32, GpuElement::Bf16, GpuElement::Int8, GpuElement::Tf32})
    for (int64_t inner : {1, 7, 8, 9, 31, 64, 65, 1031, 4097, 100000})
      for (int64_t side : {1, 63, 64, 65, 129, 1000}) {
        GpuTilePlan plan = planTiles(element, side, side, inner, numSMs);
        int64_t steps = (inner - 1) / getTileDepth(element) + 1;
        EXPECT_LT((plan.splits - 1) * plan.splitSteps, steps);
        EXPECT_GE(plan.splits * plan.splitSteps, steps);
        EXPECT_EQ(plan.tiles, plan.tile->countTiles(side, side));
      }
}

TEST(GpuTiles, MakesFp16OfFp8WhateverItsSums) {
  EXPECT_EQ(getElementOfTiles(GpuElement::TensorE4M3FN), GpuElement::Fp8E4M3FN);
  EXPECT_EQ(getElementOfTiles(GpuElement::TensorE5M2), GpuElement::Fp8E5M2);
  EXPECT_EQ(getElementOfTiles(GpuElement::Tf32), GpuElement::Tf32);
}

TEST(GpuTiles, NamesKernels) {
  EXPECT_EQ(getTilePrefix(GpuElement::Fp32) +
                getTiles(GpuElement::Fp32).back().getName(),
            "tegulaTileFp32x64x64");
  EXPECT_EQ(getTilePrefix(GpuElement::Tf32), "tegulaTileTf32");
  EXPECT_EQ(getTileCopy(GpuElement::Fp32), "");
  EXPECT_EQ(getTileCopy(GpuElement::Tf32), "");
  EXPECT_EQ(getTileCopy(GpuElement::Fp16), "tegulaTileCopyHalves");
  EXPECT_EQ(getTileCopy(GpuElement::Uint8), "tegulaTileCopyBytes");
}
