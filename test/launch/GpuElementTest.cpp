// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/variants/GpuElement.h"

#include "gtest/gtest.h"

using namespace tegula;

static constexpr MatmulCode codes[] = {MatmulCode::Hopper, MatmulCode::Tiles};

static std::vector<GpuElement> listElements() {
  std::vector<GpuElement> all;
  for (size_t i = 0; i < Enumerators<GpuElement>::count; ++i)
    all.push_back(static_cast<GpuElement>(i));
  return all;
}

TEST(GpuElement, IsFoundByTypeAndPrecision) {
  EXPECT_EQ(findElement(DType::FP32, ""), GpuElement::Fp32);
  EXPECT_EQ(findElement(DType::FP32, "tf32"), GpuElement::Tf32);
  EXPECT_EQ(findElement(DType::FP8E5M2, "fp8"), GpuElement::TensorE5M2);
  EXPECT_EQ(findElement(DType::FP16, "tf32"), std::nullopt);
  EXPECT_EQ(findElement(DType::FP64, ""), std::nullopt);
}

TEST(GpuElement, HasARowForEveryConversion) {
  // Else the copy would be one of bytes, and not of numbers.
  for (GpuElement element : listElements())
    for (MatmulCode code : codes) {
      std::string name = getCopyName(element, code);
      bool isSame = name == "Bytes" || name == "Halves" || name == "Words";
      EXPECT_EQ(isSame, !isConverted(element, code));
    }
}

TEST(GpuElement, SaysWhereAPrecisionCounts) {
  EXPECT_STREQ(getRoundingWords(GpuElement::Tf32, MatmulCode::Tiles),
               "in TF32");
  EXPECT_STREQ(getRoundingWords(GpuElement::TensorE5M2, MatmulCode::Hopper),
               "as FP8");
  EXPECT_EQ(getRoundingWords(GpuElement::TensorE5M2, MatmulCode::Tiles),
            nullptr);
  EXPECT_EQ(getRoundingWords(GpuElement::Fp8E5M2, MatmulCode::Hopper), nullptr);
  for (MatmulCode code : codes)
    EXPECT_EQ(getRounding("tf32", code), 5e-3);
  EXPECT_GT(getRounding("fp8", MatmulCode::Hopper), 0);
  EXPECT_EQ(getRounding("fp8", MatmulCode::Tiles), 0);
  EXPECT_EQ(getRounding("fp64", MatmulCode::Tiles), 0);
}

TEST(GpuElement, HasBytesOfItsType) {
  EXPECT_EQ(getElementBytes(GpuElement::Fp8E4M3FN), 1);
  EXPECT_EQ(getElementBytes(GpuElement::Tf32), 4);
  EXPECT_EQ(getBytes(getOperandType(GpuElement::Fp8E4M3FN, MatmulCode::Tiles)),
            2);
}

TEST(GpuElement, LeavesExactFp32ToTiles) {
  for (GpuElement element : listElements())
    EXPECT_EQ(hasHopperVariant(element), element != GpuElement::Fp32);
}
