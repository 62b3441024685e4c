// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/variants/GpuTiles.h"

#include "gtest/gtest.h"

using namespace tegula;

static constexpr int64_t numSMs = 132;

static GpuTilePlan planOf(int64_t rows, int64_t columns, int64_t inner) {
  return planTiles(GpuOperandType::Fp32, rows, columns, inner, numSMs);
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
  for (GpuOperandType type : {GpuOperandType::Fp32, GpuOperandType::Bf16,
                              GpuOperandType::Int8, GpuOperandType::Tf32})
    for (int64_t inner : {1, 7, 8, 9, 31, 64, 65, 1031, 4097, 100000})
      for (int64_t side : {1, 63, 64, 65, 129, 1000}) {
        GpuTilePlan plan = planTiles(type, side, side, inner, numSMs);
        int64_t steps = (inner - 1) / getTileDepth(type) + 1;
        EXPECT_LT((plan.splits - 1) * plan.splitSteps, steps);
        EXPECT_GE(plan.splits * plan.splitSteps, steps);
        EXPECT_EQ(plan.tiles, plan.tile->countTiles(side, side));
      }
}

TEST(GpuTiles, MakesFp16OfFp8WhateverItsSums) {
  for (GpuElement element : {GpuElement::Fp8E4M3FN, GpuElement::TensorE4M3FN,
                             GpuElement::Fp8E5M2, GpuElement::TensorE5M2})
    EXPECT_EQ(getOperandType(element, MatmulCode::Tiles), GpuOperandType::Fp16);
  EXPECT_EQ(getOperandType(GpuElement::Tf32, MatmulCode::Tiles),
            GpuOperandType::Tf32);
}

TEST(GpuTiles, NamesKernels) {
  EXPECT_EQ(getTilePrefix(GpuOperandType::Fp32) +
                getTiles(GpuOperandType::Fp32).back().getName(),
            "tegulaTileFp32x64x64");
  EXPECT_EQ(getTilePrefix(GpuOperandType::Tf32), "tegulaTileTf32");
  EXPECT_EQ(getTileCopy(GpuElement::Fp32), "");
  EXPECT_EQ(getTileCopy(GpuElement::Tf32), "");
  EXPECT_EQ(getTileCopy(GpuElement::Fp16), "tegulaTileCopyHalves");
  EXPECT_EQ(getTileCopy(GpuElement::Uint8), "tegulaTileCopyBytes");
  EXPECT_EQ(getTileCopy(GpuElement::TensorE5M2), "tegulaTileCopyFp8E5M2");
}
