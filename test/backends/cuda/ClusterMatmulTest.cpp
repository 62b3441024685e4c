// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls in clusters on the emulated chip and in the interpreter: of few
// rows, whose steps blocks share, and of more, where they share copies of a
// operand.

#include "tegula/backends/cuda/emulator/ForcedClusters.h"
#include "tegula/backends/cuda/emulator/NarrowFloats.h"
#include "tegula/backends/cuda/emulator/Omission.h"
#include "tegula/runtime/Compiler.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <map>

using namespace tegula;
using emulator::ForcedClusters;
using emulator::Omission;
using testing::HasSubstr;

static constexpr const char *text = R"(
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def matmul(
    a: pl.Tensor[[M, K], pl.BF16],
    b: pl.Tensor[[K, N], pl.BF16],
    bias: pl.Tensor[[1, N], pl.FP32],
    c: pl.Out[pl.Tensor[[M, N], pl.BF16]],
):
    sums = pl.matmul(a, b, out_dtype=pl.FP32) + bias
    c[:] = pl.cast(pl.maximum(sums, -20.0) * 0.5, pl.BF16)
)";

namespace {

struct Sizes {
  int64_t m, n, k;
};

/// A matrix of small whole numbers, whose sums are the same in every order. Its
/// rows, or its columns, begin at multiples of 16 bytes.
struct Matrix {
  int64_t rows, columns, pitch;
  bool isAlong;
  DType dtype;
  std::vector<uint16_t> elements;

  Matrix(int64_t rows, int64_t columns, DType dtype, uint32_t seed,
         bool isAlong = false)
      : rows(rows), columns(columns),
        pitch(((isAlong ? rows : columns) + 7) / 8 * 8), isAlong(isAlong),
        dtype(dtype), elements((isAlong ? columns : rows) * pitch) {
    auto convert = dtype == DType::BF16 ? emulator::toBf16 : emulator::toFp16;
    for (uint16_t &element : elements) {
      seed = seed * 1664525 + 1013904223;
      element = convert(static_cast<float>(int32_t(seed >> 24) % 7 - 3));
    }
  }
  TensorView view() {
    int64_t along[] = {1, pitch}, across[] = {pitch, 1};
    return {elements.data(), dtype, {rows, columns}, isAlong ? along : across};
  }
};

} // namespace

static Kernel &getKernel(DType dtype, const std::string &target) {
  static std::map<std::pair<DType, std::string>, Kernel> kernels;
  auto found = kernels.find({dtype, target});
  if (found != kernels.end())
    return found->second;
  KernelSource source;
  source.path = "matmul.py";
  source.text = text;
  for (size_t at; dtype == DType::FP16 &&
                  (at = source.text->find("BF16")) != std::string::npos;)
    source.text->replace(at, 4, "FP16");
  source.target = target;
  Kernel kernel = llvm::cantFail(loadKernel(source));
  return kernels.emplace(std::pair(dtype, target), kernel).first->second;
}

/// What the target says, and what it gives.
static std::string multiply(const std::string &target, Sizes sizes, DType dtype,
                            bool isAlong, std::vector<uint16_t> &result) {
  auto [m, n, k] = sizes;
  Matrix a(m, k, dtype, 1), b(k, n, dtype, 2, isAlong), c(m, n, dtype, 3);
  std::vector<float> bias(n);
  for (int64_t i = 0; i < n; ++i)
    bias[i] = static_cast<float>(i % 5) - 2;
  std::string words = llvm::toString(getKernel(dtype, target)(
      {a.view(), b.view(), TensorView(bias.data(), {1, n}), c.view()}));
  result = c.elements;
  return words;
}

/// Compares both, with clusters of these sizes.
static void compare(Sizes sizes, DType dtype, bool isAlong,
                    const std::vector<int32_t> &splits) {
  SCOPED_TRACE(testing::Message() << sizes.m << " x " << sizes.k << " x "
                                  << sizes.n << (isAlong ? " along" : ""));
  std::vector<uint16_t> wanted, found;
  EXPECT_EQ(multiply("interpreter", sizes, dtype, isAlong, wanted), "");
  for (int32_t split : splits) {
    ForcedClusters clusters(split);
    EXPECT_EQ(multiply("cuda:emulate", sizes, dtype, isAlong, found), "");
    EXPECT_EQ(found, wanted) << "in clusters of " << split;
    EXPECT_EQ(clusters.countLaunches(), 1);
  }
}

static void compareSizes(DType dtype, bool isAlong) {
  // Clusters of each size in turn.
  int32_t iteration = 0;
  for (int64_t m : {1, 7, 64})
    for (int64_t k : {1, 63, 64, 65, 700})
      for (int64_t n : {1, 127, 128, 129, 300})
        compare({m, n, k}, dtype, isAlong, {1 << iteration++ % 4});
}

TEST(SplitKMatmul, IsRightInBf16Across) { compareSizes(DType::BF16, false); }
TEST(SplitKMatmul, IsRightInBf16Along) { compareSizes(DType::BF16, true); }
TEST(SplitKMatmul, IsRightInFp16Across) { compareSizes(DType::FP16, false); }
TEST(SplitKMatmul, IsRightInFp16Along) { compareSizes(DType::FP16, true); }

// More steps than a ring has buffers, in every block.
TEST(SplitKMatmul, IsRightInClustersOfEverySize) {
  for (bool isAlong : {false, true})
    compare({64, 129, 5000}, DType::BF16, isAlong, {1, 2, 4, 8});
}

/// With something left out.
static std::string multiplyBroken() {
  ForcedClusters clusters(2);
  std::vector<uint16_t> result;
  return multiply("cuda:emulate", {7, 128, 2000}, DType::BF16, false, result);
}

static constexpr int32_t copying = 0, multiplying = 128, last = 255;

TEST(BrokenSplitKMatmul, IsRightIfNothingIsLeftOut) {
  EXPECT_EQ(multiplyBroken(), "");
}

TEST(BrokenSplitKMatmul, AddsUpBeforeBlocksHaveSynced) {
  // What threads stored, or what was copied there before.
  Omission omission("barrier.cluster", multiplying, last);
  std::string words = multiplyBroken();
  EXPECT_THAT(words, HasSubstr("race on "));
  EXPECT_THAT(words, HasSubstr("a load reads what "));
}

TEST(BrokenSplitKMatmul, WaitsForThreadsThatDoNotSync) {
  // The others are still there to be waited for.
  Omission omission("mbarrier.arrive", copying, copying);
  std::string words = multiplyBroken();
  EXPECT_THAT(words, HasSubstr("the emulated GPU hangs: of 512 threads"));
  EXPECT_THAT(words, HasSubstr("128 of block 1 for round 0 of the barrier"));
}

TEST(BrokenSplitKMatmul, FillsBuffersWhileMatmulsReadThem) {
  Omission omission("wgmma.wait_group", multiplying, last);
  EXPECT_THAT(multiplyBroken(),
              HasSubstr("a copy overwrites what matmuls of threads 128 to 255 "
                        "of block"));
}

TEST(BrokenSplitKMatmul, LeavesSumsWhereMatmulsRead) {
  // In so few steps that no buffer is filled again.
  ForcedClusters clusters(2);
  Omission omission("wgmma.wait_group", multiplying, last);
  std::vector<uint16_t> result;
  EXPECT_THAT(
      multiply("cuda:emulate", {7, 128, 128}, DType::BF16, false, result),
      HasSubstr("a store overwrites what matmuls of threads 128 to 255 of "
                "block"));
}

/// Rows of the lhs begin at multiples of 16 bytes, but not of 32.
static void compareShared(DType dtype, bool isAlong) {
  for (int64_t m : {129, 256, 257, 400})
    for (int64_t k : {8, 72, 456})
      for (int64_t n : {1, 128, 193, 300})
        compare({m, n, k}, dtype, isAlong, {2});
}

TEST(SharedMatmul, IsRightInBf16Across) { compareShared(DType::BF16, false); }
TEST(SharedMatmul, IsRightInFp16Along) { compareShared(DType::FP16, true); }

/// With something left out.
static std::string shareBroken() {
  ForcedClusters clusters(2);
  std::vector<uint16_t> result;
  return multiply("cuda:emulate", {400, 300, 1000}, DType::BF16, false, result);
}

static constexpr int32_t lastOfShared = 383;

TEST(BrokenSharedMatmul, IsRightIfNothingIsLeftOut) {
  EXPECT_EQ(shareBroken(), "");
}

TEST(BrokenSharedMatmul, WaitsForBuffersThatNobodyGivesBack) {
  Omission omission("mbarrier.arrive.shared::cluster", multiplying,
                    lastOfShared);
  EXPECT_THAT(shareBroken(), HasSubstr("the emulated GPU hangs"));
}

TEST(BrokenSharedMatmul, FillsBuffersWhileMatmulsReadThem) {
  Omission omission("wgmma.wait_group", multiplying, lastOfShared);
  EXPECT_THAT(shareBroken(), HasSubstr("a copy overwrites what matmuls of"));
}

TEST(BrokenSharedMatmul, CopiesToABlockThatIsNotReady) {
  Omission omission("barrier.cluster", copying, lastOfShared);
  EXPECT_NE(shareBroken(), "");
}

// Of each group one thread tells each block that a buffer is free. Here the
// first groups do not tell the second block.
TEST(BrokenSharedMatmul, NamesTheBlockThatIsNotNotified) {
  Omission omission("mbarrier.arrive.shared::cluster", multiplying + 1,
                    multiplying + 1);
  std::vector<uint16_t> result;
  std::string words =
      multiply("cuda:emulate", {129, 128, 1000}, DType::BF16, false, result);
  EXPECT_THAT(words, HasSubstr("1 of block 1 for round 0 of the barrier"));
  EXPECT_THAT(words, HasSubstr("of block 1 (2 of 4 threads and 0 bytes"));
}

// One step, so that nothing but ping-pong keeps groups apart.
TEST(SharedMatmul, UsesPingPongInTilesOfOneStep) {
  for (int64_t m : {600, 1000})
    for (bool isAlong : {false, true})
      compare({m, 300, 8}, DType::BF16, isAlong, {2});
}

// Blocks with two to five tiles, the last of which both groups store.
TEST(SharedMatmul, IsRightWhereGroupsShareTheLastTile) {
  for (int64_t m : {400, 600, 1000, 1200})
    for (int64_t k : {440, 456, 520, 1000})
      compare({m, m % 400 == 0 ? 128 : 101, k}, DType::BF16, m % 400 == 0, {2});
}
