// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/DescribeGpuCall.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tegula;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A product of BF16 in tiles, compiled for chips since sm_80, and a call of
/// it.
struct TiledProduct {
  GpuProgram program;
  std::vector<int64_t> slots;

  TiledProduct(int64_t rows, int64_t columns, int64_t inner) {
    program.tensors = {{0, 2, 16, false}, {5, 2, 16, false}, {10, 2, 16, true}};
    program.numSlots = 15;
    program.threads = 256;
    program.codes = {{"sm_80", ".version"}};
    program.tileCodes = program.codes;
    program.product = {0, 1, false, false, GpuElement::Bf16};
    program.rows.emplace().tensors = {{2, true, true}};
    addMatrix(rows, inner);
    addMatrix(inner, columns);
    addMatrix(rows, columns);
  }

  void addMatrix(int64_t rows, int64_t columns) {
    constexpr int64_t address = 4096;
    slots.insert(slots.end(), {address, rows, columns, columns, 1});
  }

  std::string describeOn(int major, int minor) const {
    return describeGpuCall(program, slots.data(), {major, minor, 132}).text;
  }
};

} // namespace

TEST(DescribeGpuCall, SaysWhichTilesThereAre) {
  TiledProduct product(256, 512, 128);
  EXPECT_THAT(product.describeOn(8, 0),
              HasSubstr("a product in tiles on tensor cores: 256 x 128 x 512"));
  EXPECT_THAT(product.describeOn(8, 0), HasSubstr("left factor is read as"));
}

TEST(DescribeGpuCall, SaysWhichFactorOfTilesIsCopied) {
  std::string text = TiledProduct(256, 512, 129).describeOn(8, 0);
  EXPECT_THAT(text, HasSubstr("the left factor is copied first: its rows do"));
  EXPECT_THAT(text, HasSubstr("the right factor is read as it lies"));
  TiledProduct bytes(256, 512, 128);
  bytes.program.product->element = GpuElement::Int8;
  text = bytes.describeOn(8, 0);
  EXPECT_THAT(text, HasSubstr("the left factor is read as it lies"));
  EXPECT_THAT(text, HasSubstr("the right factor is copied first"));
  bytes.program.product->element = GpuElement::Fp8E5M2;
  EXPECT_THAT(bytes.describeOn(8, 0), HasSubstr("it becomes FP16"));
  bytes.program.product->element = GpuElement::TensorE5M2;
  EXPECT_THAT(bytes.describeOn(8, 0), HasSubstr("it becomes FP16"));
}

TEST(DescribeGpuCall, SaysWhatIsRoundedAndReadWordByWord) {
  TiledProduct product(256, 512, 129);
  product.program.product->element = GpuElement::Tf32;
  std::string text = product.describeOn(9, 0);
  EXPECT_THAT(text, HasSubstr("a product in tiles on tensor cores in TF32, as "
                              "asked: 256 x 129 x 512"));
  EXPECT_THAT(text, HasSubstr("the left factor is read word by word"));
  EXPECT_THAT(text, HasSubstr("the right factor is read as it lies"));
}

TEST(DescribeGpuCall, SaysWhichFactorHopperChipsTurn) {
  TiledProduct product(4096, 4096, 128);
  product.program.productCodes = {{"sm_90a", "\177ELF"}};
  product.program.product->element = GpuElement::Tf32;
  std::string text = product.describeOn(9, 0);
  EXPECT_THAT(text, HasSubstr("a product on tensor cores in TF32, as asked: "
                              "4096 x 128 x 4096"));
  EXPECT_THAT(text, HasSubstr("the left factor is read as it lies"));
  EXPECT_THAT(text, HasSubstr("the right factor is copied first, turned: "));
  product.program.product->isRightTurned = true;
  product.slots[6] = 4096;
  product.slots[7] = product.slots[8] = 128;
  EXPECT_THAT(product.describeOn(9, 0),
              HasSubstr("the right factor is read as it lies"));
  product.program.product->element = GpuElement::Fp8E4M3FN;
  EXPECT_THAT(product.describeOn(9, 0),
              HasSubstr("the left factor is copied first: it becomes FP16"));
  product.program.product->element = GpuElement::TensorE4M3FN;
  text = product.describeOn(9, 0);
  EXPECT_THAT(text, HasSubstr("a product on tensor cores as FP8, as asked: "));
  EXPECT_THAT(text, HasSubstr("the left factor is read as it lies"));
  EXPECT_THAT(text, Not(HasSubstr("take turns")));
  TiledProduct few(64, 4096, 4096);
  few.program.productCodes = {{"sm_90a", "\177ELF"}};
  few.program.product->element = GpuElement::Tf32;
  EXPECT_THAT(few.describeOn(9, 0),
              HasSubstr("the right factor is read as it lies\n  and turned in "
                        "shared memory"));
}

TEST(DescribeGpuCall, TakesOnlyCodeThatTheChipRuns) {
  TiledProduct product(256, 512, 128);
  EXPECT_THAT(product.describeOn(9, 0), HasSubstr("a product in tiles"));
  EXPECT_THAT(product.describeOn(7, 5),
              HasSubstr("there is no code of it for the chip"));
  product.program.tileCodes = {{"sm_80", "\177ELF"}};
  EXPECT_THAT(product.describeOn(8, 6), HasSubstr("a product in tiles"));
  EXPECT_THAT(product.describeOn(9, 0), HasSubstr("the plain form"));
}

TEST(DescribeGpuCall, LeavesManyParametersAndTilesToThePlainForm) {
  TiledProduct product(256, 512, 128);
  product.program.numSlots = 129;
  std::string text = product.describeOn(8, 0);
  EXPECT_THAT(text, HasSubstr("the kernel has too many parameters"));
  EXPECT_THAT(text, HasSubstr("the plain form"));
  text = TiledProduct(1 << 30, 1 << 20, 1).describeOn(8, 0);
  EXPECT_THAT(text, HasSubstr("there are too many tiles"));
  EXPECT_THAT(text, Not(HasSubstr("in tiles")));
}
