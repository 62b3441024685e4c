// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that stand in functions.
#include "test/frontend/KernelSource.h"

using namespace tegula;

static const std::string factory = "def make(factor=3):\n"
                                   "    shift = factor * 2\n"
                                   "    @pl.jit\n"
                                   "    def kernel(x: pl.Tensor[[M], pl.FP32], "
                                   "y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                                   "        y[:] = x * factor + shift\n"
                                   "    return kernel\n";

static const std::string program =
    "def build(factor=3):\n"
    "    shift = factor * 2\n"
    "    @pl.program\n"
    "    class Scaled:\n"
    "        @pl.function(type=pl.FunctionType.InCore)\n"
    "        def scale(self, t: pl.Tensor[[M], pl.FP32], "
    "y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
    "            y[:] = t * factor\n"
    "            return y\n"
    "        @pl.function(type=pl.FunctionType.Opaque)\n"
    "        def main(self, x: pl.Tensor[[M], pl.FP32], "
    "y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
    "            y = self.scale(x + shift, y)\n"
    "            return y\n"
    "    return Scaled\n";

/// The IR of a kernel of the file, or its diagnostics.
static std::string compile(const std::string &source,
                           const std::string &kernel) {
  std::string text = kernelFile(source);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  printer.addSource("k.py", text);
  auto module = generateModule(context, text, "k.py", kernel);
  std::string result = printer.format();
  if (module) {
    llvm::raw_string_ostream os(result);
    module->print(os);
  }
  return result;
}

/// The kernels of the file, and what is said about them.
static std::string list(const std::string &source) {
  std::string text = kernelFile(source);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  printer.addSource("k.py", text);
  auto kernels = listKernels(context, text, "k.py");
  std::string result;
  for (const KernelSignature &kernel :
       kernels.value_or(std::vector<KernelSignature>()))
    result += kernel.name + " ";
  return result + printer.format();
}

TEST(MadeKernels, GoByWhereTheyStandIfNobodyCallsTheFunction) {
  EXPECT_EQ(list(factory), "make.kernel ");
  expectInOrder(compile(factory, "make.kernel"),
                {"3.000000e+00", "6.000000e+00"});
  expectInOrder(compile(factory, ""), {"3.000000e+00", "6.000000e+00"});
}

TEST(MadeKernels, GoByTheNamesTheyAreBoundTo) {
  std::string two = factory + "five = make(5)\nseven = make(factor=7)\n";
  EXPECT_EQ(list(two), "five seven ");
  expectInOrder(compile(two, "five"), {"5.000000e+00", "1.000000e+01"});
  expectInOrder(compile(two, "seven"), {"7.000000e+00", "1.400000e+01"});
}

TEST(MadeKernels, SayWhyTheyCannotBeReached) {
  std::string open = factory;
  open.replace(open.find("=3"), 2, "");
  EXPECT_EQ(list(open),
            "k.py:9:9: warning: the kernel 'make.kernel' is not checked: "
            "'make' is called without 'factor'\n"
            "    def kernel(x: pl.Tensor[[M], pl.FP32], y: "
            "pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
            "        ^\n");
  EXPECT_NE(compile(open, "make.kernel")
                .find("error: the kernel 'make.kernel' cannot be reached: "
                      "'make' is called without 'factor'"),
            std::string::npos);
}

TEST(MadeKernels, MayBePrograms) {
  EXPECT_EQ(list(program), "build.Scaled ");
  expectInOrder(compile(program, ""), {"6.000000e+00", "call", "3.000000e+00"});
  expectInOrder(compile(program, "build.Scaled"),
                {"6.000000e+00", "call", "3.000000e+00"});
  std::string method = compile(program, "build.Scaled.scale");
  EXPECT_NE(method.find("3.000000e+00"), std::string::npos);
  EXPECT_EQ(method.find("6.000000e+00"), std::string::npos);

  std::string two = program + "Five = build(5)\nSeven = build(factor=7)\n";
  EXPECT_EQ(list(two), "Five Seven ");
  expectInOrder(compile(two, "Five"), {"1.000000e+01", "5.000000e+00"});
  expectInOrder(compile(two, "Seven.scale"), {"7.000000e+00"});
}

TEST(MadeKernels, SayOnceWhyAProgramCannotBeReached) {
  std::string open = program;
  open.replace(open.find("=3"), 2, "");
  EXPECT_EQ(list(open),
            "k.py:9:11: warning: the kernel 'build.Scaled' is not checked: "
            "'build' is called without 'factor'\n"
            "    class Scaled:\n"
            "          ^\n");
}

TEST(MadeKernels, MayStandInClasses) {
  std::string source = "class Holder:\n"
                       "    @pl.jit\n"
                       "    def k(y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                       "        y[:] = pl.full([M], pl.FP32, 4.0)\n";
  EXPECT_EQ(list(source), "Holder.k ");
  expectInOrder(compile(source, "Holder.k"), {"4.000000e+00"});
}

TEST(MadeKernels, MayStandInBranches) {
  std::string branch = "if T == 64:\n"
                       "    @pl.jit\n"
                       "    def k(y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                       "        y[:] = pl.full([M], pl.FP32, 4.0)\n"
                       "else:\n"
                       "    @pl.jit\n"
                       "    def k(y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                       "        y[:] = pl.full([M], pl.FP32, 5.0)\n";
  expectInOrder(compile(branch, "k"), {"4.000000e+00"});
}

TEST(MadeKernels, AreNotLostWithTheirMistakes) {
  std::string wrong = factory;
  wrong.replace(wrong.find("x * factor"), 10, "x * $");
  EXPECT_NE(list(wrong).find("character '$' has no meaning here"),
            std::string::npos);
}
