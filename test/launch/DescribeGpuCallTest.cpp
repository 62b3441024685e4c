// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/DescribeGpuCall.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tegula;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A matmul of BF16 in tiles, compiled for chips since sm_80, and a call of
/// it.
struct TiledMatmul {
  GpuProgram program;
  std::vector<int64_t> slots;

  TiledMatmul(int64_t rows, int64_t columns, int64_t inner) {
    program.tensors = {{0, 2, 16, false}, {5, 2, 16, false}, {10, 2, 16, true}};
    program.numSlots = 15;
    program.threads = 256;
    program.codes = {{"sm_80", ".version"}};
    program.tileCodes = program.codes;
    program.matmul = {0, 1, false, false, GpuElement::Bf16};
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
  TiledMatmul matmul(256, 512, 128);
  EXPECT_THAT(matmul.describeOn(8, 0),
              HasSubstr("a tiled matmul on tensor cores: 256 x 128 x 512"));
  EXPECT_THAT(matmul.describeOn(8, 0), HasSubstr("lhs is read in place"));
}

TEST(DescribeGpuCall, SaysWhichOperandOfTilesIsCopied) {
  std::string text = TiledMatmul(256, 512, 129).describeOn(8, 0);
  EXPECT_THAT(text, HasSubstr("the lhs is copied first: its rows do"));
  EXPECT_THAT(text, HasSubstr("the rhs is read in place"));
  TiledMatmul bytes(256, 512, 128);
  bytes.program.matmul->element = GpuElement::Int8;
  text = bytes.describeOn(8, 0);
  EXPECT_THAT(text, HasSubstr("the lhs is read in place"));
  EXPECT_THAT(text, HasSubstr("the rhs is copied first"));
  bytes.program.matmul->element = GpuElement::Fp8E5M2;
  EXPECT_THAT(bytes.describeOn(8, 0), HasSubstr("it becomes FP16"));
  bytes.program.matmul->element = GpuElement::TensorE5M2;
  EXPECT_THAT(bytes.describeOn(8, 0), HasSubstr("it becomes FP16"));
}

TEST(DescribeGpuCall, SaysWhatIsRoundedAndReadWordByWord) {
  TiledMatmul matmul(256, 512, 129);
  matmul.program.matmul->element = GpuElement::Tf32;
  std::string text = matmul.describeOn(9, 0);
  EXPECT_THAT(text, HasSubstr("a tiled matmul on tensor cores in TF32, as "
                              "asked: 256 x 129 x 512"));
  EXPECT_THAT(text, HasSubstr("the lhs is read word by word"));
  EXPECT_THAT(text, HasSubstr("the rhs is read in place"));
}

TEST(DescribeGpuCall, SaysWhichOperandIsTransposedOnHopper) {
  TiledMatmul matmul(4096, 4096, 128);
  matmul.program.matmulCodes = {{"sm_90a", "\177ELF"}};
  matmul.program.matmul->element = GpuElement::Tf32;
  std::string text = matmul.describeOn(9, 0);
  EXPECT_THAT(text, HasSubstr("a matmul on tensor cores in TF32, as asked: "
                              "4096 x 128 x 4096"));
  EXPECT_THAT(text, HasSubstr("the lhs is read in place"));
  EXPECT_THAT(text, HasSubstr("the rhs is copied first, transposed: "));
  matmul.program.matmul->isRightTransposed = true;
  matmul.slots[6] = 4096;
  matmul.slots[7] = matmul.slots[8] = 128;
  EXPECT_THAT(matmul.describeOn(9, 0), HasSubstr("the rhs is read in place"));
  matmul.program.matmul->element = GpuElement::Fp8E4M3FN;
  EXPECT_THAT(matmul.describeOn(9, 0),
              HasSubstr("the lhs is copied first: it becomes FP16"));
  matmul.program.matmul->element = GpuElement::TensorE4M3FN;
  text = matmul.describeOn(9, 0);
  EXPECT_THAT(text, HasSubstr("a matmul on tensor cores as FP8, as asked: "));
  EXPECT_THAT(text, HasSubstr("the lhs is read in place"));
  EXPECT_THAT(text, Not(HasSubstr("ping-pong")));
  TiledMatmul few(64, 4096, 4096);
  few.program.matmulCodes = {{"sm_90a", "\177ELF"}};
  few.program.matmul->element = GpuElement::Tf32;
  EXPECT_THAT(few.describeOn(9, 0),
              HasSubstr("the rhs is read in place\n  and transposed in "
                        "shared memory"));
}

TEST(DescribeGpuCall, TakesOnlyCodeThatTheChipRuns) {
  TiledMatmul matmul(256, 512, 128);
  EXPECT_THAT(matmul.describeOn(9, 0), HasSubstr("a tiled matmul"));
  EXPECT_THAT(matmul.describeOn(7, 5),
              HasSubstr("there is no code of it for the chip"));
  matmul.program.tileCodes = {{"sm_80", "\177ELF"}};
  EXPECT_THAT(matmul.describeOn(8, 6), HasSubstr("a tiled matmul"));
  EXPECT_THAT(matmul.describeOn(9, 0), HasSubstr("the fallback"));
}

TEST(DescribeGpuCall, LeavesManyParametersAndTilesToTheFallback) {
  TiledMatmul matmul(256, 512, 128);
  matmul.program.numSlots = 129;
  std::string text = matmul.describeOn(8, 0);
  EXPECT_THAT(text, HasSubstr("the kernel has too many parameters"));
  EXPECT_THAT(text, HasSubstr("the fallback"));
  text = TiledMatmul(1 << 30, 1 << 20, 1).describeOn(8, 0);
  EXPECT_THAT(text, HasSubstr("there are too many tiles"));
  EXPECT_THAT(text, Not(HasSubstr("in tiles")));
}
