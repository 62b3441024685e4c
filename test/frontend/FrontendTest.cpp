// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file around a kernel: imports, constants, signatures, diagnostics.
#include "test/frontend/KernelSource.h"
#include <gmock/gmock.h>

using namespace tegula;

static std::string generateFile(const std::string &text,
                                const std::vector<ArgumentSpec> &specs = {}) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  printer.addSource("f.py", text);
  auto module = generateModule(context, text, "f.py", "", specs);
  if (!module)
    return printer.format();
  std::string ir;
  llvm::raw_string_ostream os(ir);
  module->print(os);
  return ir;
}

TEST(Frontend, AcceptsEveryWayToImportTheLanguage) {
  for (const char *start :
       {"import tegula.language as pl\n@pl.jit\n",
        "import tegula.language as lang\npl = lang\n@lang.jit\n",
        "from tegula import language as pl\n@pl.jit()\n",
        "import tegula.language\npl = tegula.language\n@tegula.language.jit\n",
        "from tegula.language import jit\nimport tegula.language as pl\n@jit\n",
        "from __future__ import annotations\nimport tegula.language as pl\n"
        "import os, sys\n@pl.jit\n"})
    EXPECT_THAT(generateFile(std::string(start) +
                             "def k(x: pl.InOut[pl.Tensor[[4], pl.FP32]]):\n"
                             "    x[:] = 1.0\n"),
                testing::HasSubstr("func.func @k"))
        << start;
}

TEST(Frontend, EvaluatesModuleConstantsWhenTheyAreUsed) {
  std::string ir = generateFile(R"(import tegula.language as pl
import numpy as np
weird = np.zeros(3)
SHAPE = (2, 4 * 8)
ROWS, COLS = SHAPE
TILE = COLS // 2 if ROWS > 1 else 1
DT = pl.BF16
TILE = TILE * 1
@pl.jit
def k(x: pl.InOut[pl.Tensor[[ROWS, COLS], DT]]):
    x[:] = 2.5
)");
  EXPECT_THAT(ir, testing::HasSubstr("!pl.tensor<[2, 32], bf16>"));
}

TEST(Frontend, ListsKernelsAsDeclared) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto kernels = listKernels(context, R"(import tegula.language as pl
M = pl.dynamic("M")
@pl.jit.inline
def helper(t):
    return t
@pl.jit
def a(x: pl.Tensor[[M, 128], pl.FP16], s: pl.FP32, y: pl.Out[pl.Tensor]):
    pass
@pl.jit
def b(x, n: int):
    pass
)",
                             "f.py");
  ASSERT_TRUE(kernels);
  ASSERT_EQ(kernels->size(), 2u);
  const auto &a = (*kernels)[0], &b = (*kernels)[1];
  EXPECT_EQ(a.name, "a");
  ASSERT_EQ(a.parameters.size(), 3u);
  EXPECT_EQ(a.parameters[0].dtype, DType::FP16);
  EXPECT_EQ((*a.parameters[0].axes)[0].symbol, "M");
  EXPECT_EQ((*a.parameters[0].axes)[1].extent, 128);
  EXPECT_EQ(a.parameters[1].isTensor, false);
  EXPECT_EQ(a.parameters[1].dtype, DType::FP32);
  EXPECT_EQ(a.parameters[2].direction, KernelParameter::Direction::Out);
  EXPECT_FALSE(a.parameters[2].axes);
  EXPECT_FALSE(b.parameters[0].isTensor);
  EXPECT_EQ(b.parameters[1].dtype, DType::Index);
}

TEST(Frontend, TakesOpenTypesFromTheCall) {
  ArgumentSpec x{true, DType::FP16, {std::nullopt, 8}};
  ArgumentSpec s{false, DType::FP32, {}};
  std::string ir = generateFile(R"(import tegula.language as pl
@pl.jit
def k(x, s, out: pl.Out[pl.Tensor]):
    out[:] = x * s
)",
                                {x, s, x});
  // Two axes nobody named are two extents; the call checks that they agree.
  EXPECT_THAT(ir, testing::HasSubstr("\"x.0 == out.0\", \"derived\""));
  ArgumentSpec fixed{true, DType::FP16, {4, 8}};
  ir = generateFile(R"(import tegula.language as pl
@pl.jit
def k(x, s, out: pl.Out[pl.Tensor]):
    n = pl.dynamic("N")
    x.bind_dynamic(0, n)
    out.bind_dynamic(0, n)
    out[:] = x * s
)",
                    {fixed, s, fixed});
  expectInOrder(ir, {"!pl.tensor<[?, 8], f16>", "%arg1: f32",
                     "pl.bind \"N\" %arg0[0], %arg2[0]"});
}

TEST(Frontend, ReportsWhatTheParserFinds) {
  EXPECT_THAT(
      generateFile("import tegula.language as pl\n"
                   "@pl.jit\ndef k(x:\n    pass\n"),
      testing::Eq("f.py:3:6: error: '(' was never closed\ndef k(x:\n     ^\n"));
}

TEST(DiagnosticPrinter, ShowsTheLineAndACaretUnderTheColumn) {
  std::string text =
      generateFile("import tegula.language as pl\n"
                   "@pl.jit\n"
                   "def k(x: pl.InOut[pl.Tensor[[4], pl.FP32]]):\n"
                   "\ts = \"h\xc3\xa9\"; x[:] = z + 1\n");
  EXPECT_EQ(text, "f.py:4:19: error: name 'z' is not defined\n"
                  "\ts = \"h\xc3\xa9\"; x[:] = z + 1\n"
                  "\t                 ^\n");
}
