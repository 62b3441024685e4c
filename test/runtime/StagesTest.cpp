// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every stage that a target lists can be printed, and so can what is there
// after each pass; `npu-asm` needs a machine with a vector core.

#include "tegula/runtime/Compiler.h"

#include "gtest/gtest.h"
#include <set>

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

namespace {

class Passes : public testing::TestWithParam<const char *> {
protected:
  Passes() : source{"stages.py", "", layer} {
    source.target = GetParam();
    Expected<std::vector<PassDescription>> listed = listPasses(GetParam());
    EXPECT_TRUE(static_cast<bool>(listed));
    if (listed)
      passes = std::move(*listed);
  }

  std::string print(const std::string &stage) {
    Expected<std::string> printed = printStage(source, stage);
    if (printed)
      return *printed;
    ADD_FAILURE() << stage << ": " << llvm::toString(printed.takeError());
    return "";
  }

  KernelSource source;
  std::vector<PassDescription> passes;
};

} // namespace

TEST_P(Passes, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const PassDescription &pass : passes) {
    EXPECT_FALSE(pass.name.empty());
    EXPECT_FALSE(pass.summary.empty()) << pass.name;
    EXPECT_TRUE(names.insert(pass.name).second) << pass.name;
  }
}

TEST_P(Passes, CanAllBeTheLast) {
  for (const PassDescription &pass : passes)
    EXPECT_FALSE(print(passStagePrefix.str() + pass.name).empty());
}

TEST_P(Passes, OfTheFirstStageEndWhereItDoes) {
  EXPECT_EQ(print("after:warn-unbalanced-signals"), print("inferred"));
}

INSTANTIATE_TEST_SUITE_P(OfAllTargets, Passes,
                         testing::Values("cpu:x86-64-v3", "cuda:sm_80",
                                         "npu:riscv-vector"));

/// The module after the last pass of a branch is what the stage of that name
/// prints, in other words: with no names of values.
TEST(LastPass, OfABranchIsThatOfItsStage) {
  KernelSource source{"stages.py", "", layer};
  source.target = "cuda:sm_80";
  for (const char *branch : {"device", "host"}) {
    Expected<std::string> last =
        printStage(source, std::string("after:") + branch + "/cpu-to-llvm");
    Expected<std::string> stage = printStage(source, branch);
    ASSERT_TRUE(last && stage);
    EXPECT_EQ(llvm::StringRef(*last).count("llvm."),
              llvm::StringRef(*stage).count("llvm."));
    EXPECT_EQ(llvm::StringRef(*last).count('\n'),
              llvm::StringRef(*stage).count('\n'));
  }
}

TEST(LastPass, ThatThereIsNotIsNamed) {
  KernelSource source{"stages.py", "", layer};
  source.target = "cpu";
  Expected<std::string> printed = printStage(source, "after:nothing");
  ASSERT_FALSE(printed);
  std::string error = llvm::toString(printed.takeError());
  EXPECT_EQ(error.find("there is no pass 'nothing' for target 'cpu'; there is: "
                       "warn-unused-tiles, inline-functions, "),
            0u)
      << error;
}
