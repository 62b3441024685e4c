// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of Hopper chips that lack an instruction: the emulator says what goes
// wrong, in whatever order threads happen to run.

#include "tegula/backends/cuda/emulator/Omission.h"
#include "tegula/runtime/Compiler.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace tegula;
using emulator::Omission;
using testing::HasSubstr;

static constexpr const char *matmulText = R"(
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def matmul(a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[K, N], pl.BF16], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b, out_dtype=pl.FP32)
)";

namespace {

/// A tensor of ones.
struct Ones {
  std::vector<uint16_t> elements;
  std::vector<int64_t> sizes;

  explicit Ones(std::vector<int64_t> extents) : sizes(std::move(extents)) {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    constexpr uint16_t one = 0x3f80;
    elements.assign(count, one);
  }
  TensorView view() { return {elements.data(), DType::BF16, sizes}; }
};

} // namespace

/// From a file, or as its text.
static Kernel loadEmulated(std::string path, std::optional<std::string> text) {
  KernelSource source;
  source.path = std::move(path);
  source.text = std::move(text);
  source.target = "cuda:emulate";
  return llvm::cantFail(loadKernel(source));
}

static Kernel &getMatmul() {
  static Kernel kernel = loadEmulated("matmul.py", matmulText);
  return kernel;
}

/// Multiplies; what it says, and whether all results are right.
static std::string multiplyOnes(int64_t m, int64_t n, int64_t k) {
  Ones a({m, k}), b({k, n});
  std::vector<float> c(m * n);
  std::string words = llvm::toString(
      getMatmul()({a.view(), b.view(), TensorView(c.data(), {m, n})}));
  if (words.empty())
    EXPECT_EQ(c, std::vector<float>(m * n, k));
  return words;
}

/// In so many steps that buffers are used several times. Rows begin at
/// multiples of 32 bytes, so that blocks are alone.
static std::string multiply() { return multiplyOnes(130, 144, 1008); }

// The first group of 128 threads copies, one thread of it; the others multiply.
static constexpr int32_t copying = 0, multiplying = 128, last = 383;

TEST(BrokenMatmul, IsRightIfNothingIsLeftOut) { EXPECT_EQ(multiply(), ""); }

TEST(BrokenMatmul, ReadsWhatHasNotArrived) {
  Omission omission("mbarrier.try_wait", multiplying, last);
  std::string words = multiply();
  EXPECT_THAT(words, HasSubstr("race on stage 0 (bytes"));
  EXPECT_THAT(words,
              HasSubstr("a matmul reads what a copy brings that may not have "
                        "arrived, as far as thread"));
}

// Seen however late it comes, as one thread of 256 is enough.
TEST(BrokenMatmul, NeedsAllThreadsToWait) {
  Omission omission("mbarrier.try_wait", multiplying + 77, multiplying + 77);
  EXPECT_THAT(multiply(), HasSubstr("as far as thread 205 knows"));
}

TEST(BrokenMatmul, FillsBuffersThatWereNotGivenBack) {
  Omission omission("mbarrier.try_wait", copying, copying);
  EXPECT_THAT(multiply(), HasSubstr("more than 1 threads come to the barrier"));
}

TEST(BrokenMatmul, GivesBufferBackBeforeMatmulsHaveEnded) {
  Omission omission("wgmma.wait_group", multiplying, last);
  std::string words = multiply();
  EXPECT_THAT(words, HasSubstr("race on stage 0"));
  EXPECT_THAT(words, HasSubstr("a copy overwrites what matmuls of threads"));
}

TEST(BrokenMatmul, HangsIfNoBufferIsGivenBack) {
  Omission omission("mbarrier.arrive", multiplying, last);
  std::string words = multiply();
  EXPECT_THAT(words, HasSubstr("the emulated GPU hangs"));
  EXPECT_THAT(words, HasSubstr("(8 of 8 threads and 0 bytes are missing)"));
}

TEST(BrokenMatmul, HangsIfNothingIsCopied) {
  Omission omission("cp.async.bulk.tensor", copying, copying);
  std::string words = multiply();
  EXPECT_THAT(words, HasSubstr("the emulated GPU hangs"));
  EXPECT_THAT(words, HasSubstr("(0 of 1 threads and 40960 bytes are"));
}

TEST(BrokenMatmul, HangsWithoutRegisters) {
  Omission omission("setmaxnreg.dec", copying, last);
  EXPECT_THAT(multiply(),
              HasSubstr("for 232 registers that nobody gives back"));
}

TEST(BrokenMatmul, NeedsItsBarriersFenced) {
  Omission omission("fence", copying, last);
  EXPECT_THAT(multiply(), HasSubstr("a barrier that was not fenced"));
}

TEST(BrokenMatmul, NeedsItsBarriers) {
  Omission omission("mbarrier.init", copying, last);
  EXPECT_THAT(multiply(), HasSubstr("there is no barrier at byte"));
}

/// Multiplies tiles with ping-pong warpgroups, one more than the three
/// SMs have at once: both groups store the last one of a block.
static std::string multiplyPingPong() { return multiplyOnes(256, 512, 576); }

TEST(BrokenPingPong, AreRightIfNothingIsLeftOut) {
  EXPECT_EQ(multiplyPingPong(), "");
}

// What the lanes of a warp left is known only after a barrier.
TEST(BrokenPingPong, LeaveSumsThatOthersReadTooEarly) {
  Omission omission("bar.warp.sync", multiplying, last);
  EXPECT_THAT(multiplyPingPong(), HasSubstr("a load reads what thread"));
}

TEST(BrokenMatmul, WaitsForThreadsThatDoNotMultiply) {
  Omission omission("wgmma.mma_async", multiplying + 1, multiplying + 3);
  std::string words = multiply();
  EXPECT_THAT(words, HasSubstr("the emulated GPU hangs"));
  EXPECT_THAT(words, HasSubstr("for matmuls that others of their group "
                               "do not begin"));
}

// Nobody is told, but what was copied is not there.
TEST(BrokenTiles, ReadWhatHasNotArrived) {
  std::string text = matmulText;
  for (size_t at; (at = text.find("BF16")) != std::string::npos;)
    text.replace(at, 4, "FP32");
  KernelSource source;
  source.path = "matmul.py";
  source.text = text;
  source.target = "cuda:emulate";
  Kernel kernel = llvm::cantFail(loadKernel(source));
  constexpr int64_t m = 9, n = 10, k = 33;
  std::vector<float> a(m * k, 1), b(k * n, 1), c(m * n);
  std::vector<Argument> arguments = {TensorView(a.data(), {m, k}),
                                     TensorView(b.data(), {k, n}),
                                     TensorView(c.data(), {m, n})};
  EXPECT_EQ(llvm::toString(kernel(arguments)), "");
  EXPECT_EQ(c, std::vector<float>(m * n, k));
  Omission omission("cp.async.wait_group", 0, last);
  EXPECT_EQ(llvm::toString(kernel(arguments)), "");
  EXPECT_TRUE(std::isnan(c[0]));
}

/// Attention of ones, whose result is ones, too.
static std::string attend() {
  static Kernel kernel = loadEmulated(
      TEGULA_SOURCE_DIR "/examples/flash_attention_bf16.py", std::nullopt);
  constexpr int64_t queries = 200, keys = 300, size = 64;
  Ones q({1, queries, size}), k({1, keys, size}), v({1, keys, size}),
      out({1, queries, size});
  Ones expected = out;
  std::fill(out.elements.begin(), out.elements.end(), 0);
  std::string words =
      llvm::toString(kernel({q.view(), k.view(), v.view(), 0.125, out.view()}));
  if (words.empty())
    EXPECT_EQ(out.elements, expected.elements);
  return words;
}

static constexpr int32_t lastAttending = 511;

TEST(BrokenAttention, IsRightIfNothingIsLeftOut) { EXPECT_EQ(attend(), ""); }

TEST(BrokenAttention, ReadsWhatHasNotArrived) {
  Omission omission("mbarrier.try_wait", multiplying, lastAttending);
  EXPECT_THAT(attend(), HasSubstr("a matmul reads what a copy brings"));
}

TEST(BrokenAttention, StoresWithoutAFence) {
  Omission omission("fence.proxy", multiplying, lastAttending);
  std::string words = attend();
  EXPECT_THAT(words, HasSubstr("a copy to a tensor reads what thread"));
  EXPECT_THAT(words, HasSubstr("stored without a fence"));
}

TEST(BrokenAttention, StoresBeforeItsThreadsHaveSynced) {
  // Barriers by which warpgroups ping-pong are needed as well.
  Omission omission("bar.sync", multiplying, lastAttending);
  EXPECT_NE(attend(), "");
}

TEST(BrokenAttention, GivesQueriesBackBeforeTheResultIsRead) {
  Omission omission("cp.async.bulk.wait_group", multiplying, lastAttending);
  EXPECT_THAT(attend(),
              HasSubstr("copies to a tensor have read shared memory"));
}

TEST(BrokenAttention, MultipliesRegistersWithoutAFence) {
  Omission omission("wgmma.fence", multiplying, lastAttending);
  EXPECT_THAT(attend(), HasSubstr("a matmul reads registers of thread"));
}
