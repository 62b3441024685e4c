// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every stage that a target lists can be printed; `npu-asm` needs a machine
// with a vector core.

#include "tegula/runtime/Compiler.h"

#include "gtest/gtest.h"

using namespace tegula;

/// Rows that are summed, so that a GPU has variants for whole rows.
static const char *softmax = R"(import tegula.language as pl
M = pl.dynamic("M")
N = pl.dynamic("N")
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    t = pl.exp(x - pl.row_max(x))
    y[:, :] = t / pl.row_sum(t)
)";

/// A matmul with an epilogue.
static const char *layer = R"(import tegula.language as pl
M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
@pl.jit
def k(a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[K, N], pl.BF16],
      c: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:, :] = pl.matmul(a, b, out_dtype=pl.FP32) + c
)";

namespace {

class Stages : public testing::TestWithParam<const char *> {
protected:
  static void printAll(const char *text) {
    KernelSource source{"stages.py", "", text};
    source.target = GetParam();
    Expected<std::vector<std::string>> stages = listStages(GetParam());
    ASSERT_TRUE(static_cast<bool>(stages));
    for (const std::string &stage : *stages) {
      SCOPED_TRACE(stage);
      Expected<std::string> printed = printStage(source, stage);
      if (!printed)
        FAIL() << llvm::toString(printed.takeError());
      EXPECT_FALSE(printed->empty());
    }
  }
};

} // namespace

TEST_P(Stages, OfARowwiseKernelArePrinted) { printAll(softmax); }

TEST_P(Stages, OfAMatmulArePrinted) { printAll(layer); }

INSTANTIATE_TEST_SUITE_P(OfAllTargets, Stages,
                         testing::Values("cpu", "cpu:x86-64-v3", "interpreter",
                                         "npu:riscv-vector", "cuda:sm_80",
                                         "cuda:sm_90a", "cuda:sm_80,sm_90a",
                                         "cuda:emulate"));
