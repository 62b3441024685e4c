// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with captured names go all the way.
#include "tegula/launch/call/Program.h"
#include "tegula/runtime/Compiler.h"

#include "gtest/gtest.h"

using namespace tegula;
using Kind = CapturedValue::Kind;

static std::shared_ptr<Program> scale(const char *value) {
  auto program = std::make_shared<Program>();
  program->blocks.push_back(
      {"a.py", 30,
       std::string("  @pl.jit\n  def scale(x: pl.Tensor[[M], pl.FP32], out: "
                   "pl.Out[pl.Tensor[[M], pl.FP32]]):\n    out[:] = x * ") +
           value + "\n",
       "scale"});
  program->blocks[0].names = {{"FACTOR", {Kind::Float, 0, 3.0}},
                              {"M", {Kind::Symbol, 0}},
                              {"pl", {Kind::Language}}};
  program->symbols = {{"M"}};
  return program;
}

static KernelSource sourceOf(std::shared_ptr<Program> program) {
  KernelSource source;
  source.program = std::move(program);
  return source;
}

TEST(CapturedKernel, RunsAtEverySize) {
  Expected<Kernel> kernel = loadKernel(sourceOf(scale("FACTOR")));
  ASSERT_TRUE(!!kernel) << llvm::toString(kernel.takeError());
  for (int64_t size : {0, 1, 17}) {
    std::vector<float> x(size, 2.0f), out(size);
    ASSERT_EQ(llvm::toString((*kernel)({TensorView(x.data(), {size}),
                                        TensorView(out.data(), {size})})),
              "");
    EXPECT_EQ(out, std::vector<float>(size, 6.0f));
  }
}

TEST(CapturedKernel, ShowsTheLineOfAMistake) {
  Expected<Kernel> kernel = loadKernel(sourceOf(scale("nobody")));
  ASSERT_FALSE(!!kernel);
  EXPECT_EQ(llvm::toString(kernel.takeError()),
            "a.py:32:18: error: name 'nobody' is not defined\n"
            "      out[:] = x * nobody\n"
            "                   ^");
}

TEST(CapturedKernel, IsComparedWithAFile) {
  KernelSource file = {"b.py", "scale", R"py(
import tegula.language as pl
N = pl.dynamic("M")
@pl.jit
def scale(x: pl.Tensor[[N], pl.FP32], out: pl.Out[pl.Tensor[[N], pl.FP32]]):
    out[:] = x * 3.0
)py"};
  Expected<std::optional<KernelDifference>> same =
      findDifference(sourceOf(scale("FACTOR")), file);
  ASSERT_TRUE(!!same) << llvm::toString(same.takeError());
  EXPECT_FALSE(*same) << (*same)->text;
  Expected<std::optional<KernelDifference>> other =
      findDifference(sourceOf(scale("2.0")), file);
  ASSERT_TRUE(!!other) << llvm::toString(other.takeError());
  EXPECT_TRUE(other->has_value());
}

TEST(CapturedKernel, PrintsItsStages) {
  Expected<std::string> ir = printStage(sourceOf(scale("FACTOR")), "inferred");
  ASSERT_TRUE(!!ir) << llvm::toString(ir.takeError());
  EXPECT_NE(ir->find("3.000000e+00"), std::string::npos) << *ir;
}
