// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of matmuls by wgmma, whose operands are prefetched some iterations
// ahead, that lack an instruction: the emulator says what goes wrong.

#include "tegula/backends/cuda/emulator/Omission.h"
#include "tegula/runtime/Compiler.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace tegula;
using emulator::Omission;
using testing::HasSubstr;

static constexpr const char *text = R"(
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def add_matmuls(
    x: pl.Tensor[[M, K], pl.BF16], a: pl.Tensor[[K, N], pl.BF16],
    b: pl.Tensor[[K, N], pl.BF16], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    for i in pl.parallel(0, M, 64):
        for j in pl.parallel(0, N, 64):
            first = pl.full([64, 64], dtype=pl.FP32, value=0.0)
            second = pl.full([64, 64], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 64):
                rows = x[i : i + 64, k : k + 64]
                first = pl.matmul_acc(first, rows, a[k : k + 64, j : j + 64])
                second = pl.matmul_acc(second, rows, b[k : k + 64, j : j + 64])
            y[i : i + 64, j : j + 64] = first + second
)";

static constexpr int64_t m = 70, n = 72, k = 512;
static constexpr int32_t lastThread = 127;

/// Multiplies ones, and says what goes wrong.
static std::string addMatmuls(std::vector<float> &sums) {
  static Kernel kernel = [] {
    KernelSource source;
    source.path = "add_matmuls.py";
    source.text = text;
    source.target = "cuda:emulate,whole-blocks";
    return llvm::cantFail(loadKernel(source));
  }();
  constexpr uint16_t one = 0x3f80;
  std::vector<uint16_t> x(m * k, one), a(k * n, one);
  auto view = [](std::vector<uint16_t> &elements, int64_t rows,
                 int64_t columns) {
    return TensorView{elements.data(), DType::BF16, {rows, columns}};
  };
  sums.assign(m * n, -1);
  return llvm::toString(kernel({view(x, m, k), view(a, k, n), view(a, k, n),
                                TensorView(sums.data(), {m, n})}));
}
static std::string addMatmuls() {
  std::vector<float> sums;
  return addMatmuls(sums);
}

TEST(BrokenTileLoop, IsRightIfNothingIsLeftOut) {
  std::vector<float> sums;
  EXPECT_EQ(addMatmuls(sums), "");
  EXPECT_EQ(sums, std::vector<float>(m * n, 2 * k));
}

TEST(BrokenTileLoop, CopiesWithoutAFence) {
  Omission omission("fence.proxy.async", 0, lastThread);
  std::string words = addMatmuls();
  EXPECT_THAT(words, HasSubstr("a matmul reads what thread"));
  EXPECT_THAT(words, HasSubstr("stored without a fence"));
}

TEST(BrokenTileLoop, CopiesBeforeMatmulsHaveEnded) {
  Omission omission("wgmma.wait_group", 0, lastThread);
  std::string words = addMatmuls();
  EXPECT_THAT(words, HasSubstr("an asynchronous copy overwrites what matmuls "
                               "of threads 0 to 127 may still read"));
}

TEST(BrokenTileLoop, MultipliesRegistersWithoutAFence) {
  Omission omission("wgmma.fence", 0, lastThread);
  EXPECT_THAT(addMatmuls(), HasSubstr("a matmul reads registers of thread"));
}

// Nobody is told, but what was copied is not there.
TEST(BrokenTileLoop, ReadsWhatHasNotArrived) {
  Omission omission("cp.async.wait_group", 0, lastThread);
  std::vector<float> sums;
  EXPECT_EQ(addMatmuls(sums), "");
  EXPECT_TRUE(std::isnan(sums[0]));
}
