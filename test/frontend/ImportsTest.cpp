// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers, constants and symbols that come from other files.
#include "tegula/support/SourceFiles.h"
#include "test/frontend/KernelSource.h"
#include <gmock/gmock.h>

using namespace tegula;

namespace {

/// The files of a program by path; "k.py" holds the kernel.
using Texts = std::vector<std::pair<std::string, std::string>>;

/// The IR of the kernel k of `entry`, or its diagnostics.
std::string compile(const Texts &texts, const std::string &entry = "k.py") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  SourceFiles files;
  std::string source;
  for (const auto &[path, text] : texts) {
    std::string whole = "import tegula.language as pl\n" + text;
    files.add(path, whole);
    printer.addSource(path, whole);
    if (path == entry)
      source = whole;
  }
  auto module = generateModule(context, source, entry, "k", {}, &files);
  std::string result = printer.format();
  if (module) {
    llvm::raw_string_ostream os(result);
    module->print(os);
  }
  return result;
}

const char *const signature = "@pl.jit\n"
                              "def k(x: pl.Tensor[[8, 128], pl.FP32], "
                              "out: pl.Out[pl.Tensor[[8, 128], pl.FP32]]):\n";

std::string kernel(const std::string &imports, const std::string &body) {
  return imports + signature + body;
}

const char *const doubling = "@pl.jit.inline\n"
                             "def double(t):\n"
                             "    return t * 2.0\n";

} // namespace

TEST(Imports, TakeAHelperFromAFileNextToTheKernel) {
  for (const char *import :
       {"from scale import double\n", "from .scale import double\n",
        "from scale import other as double\n", "from . scale import double\n",
        "from scale import *\n"}) {
    std::string ir =
        compile({{"k.py", kernel(import, "    out[:] = double(x)\n")},
                 {"scale.py",
                  std::string(doubling) +
                      "@pl.jit.inline\ndef other(t):\n    return t * 3.0\n"}});
    expectInOrder(ir, {"call @", "func.func private @", "pl.mul"});
  }
}

TEST(Imports, TakeAModuleByAnyName) {
  for (auto [import, call] :
       {std::pair("import scale\n", "scale.double(x)"),
        std::pair("import scale as s\n", "s.double(x)"),
        std::pair("from . import scale\n", "scale.double(x)"),
        std::pair("from . import scale as s\n", "s.double(x)")})
    expectInOrder(
        compile({{"k.py",
                  kernel(import, "    out[:] = " + std::string(call) + "\n")},
                 {"scale.py", doubling}}),
        {"call @double", "func.func private @double", "pl.mul"});
}

TEST(Imports, LookIntoPackages) {
  for (auto [import, call] :
       {std::pair("import ops.scale\n", "ops.scale.double(x)"),
        std::pair("import ops.scale as s\n", "s.double(x)"),
        std::pair("from ops import scale\n", "scale.double(x)"),
        std::pair("from ops.scale import double\n", "double(x)"),
        std::pair("from ops import double\n", "double(x)"),
        std::pair("import ops\n", "ops.double(x)")})
    expectInOrder(
        compile({{"k.py",
                  kernel(import, "    out[:] = " + std::string(call) + "\n")},
                 {"ops/__init__.py", "from .scale import double\n"},
                 {"ops/scale.py", doubling}}),
        {"call @double", "func.func private @double", "pl.mul"});
}

TEST(Imports, AreRelativeToTheFileThatImports) {
  Texts texts = {
      {"model/k.py",
       kernel("from layers.norm import norm\n", "    out[:] = norm(x)\n")},
      {"model/layers/norm.py", "from .scale import double\n"
                               "from ..shared import ROWS\n"
                               "from config import BIAS\n"
                               "@pl.jit.inline\n"
                               "def norm(t):\n"
                               "    return double(t[0:ROWS]) + BIAS\n"},
      {"model/layers/scale.py", doubling},
      {"model/shared.py", "ROWS = 4 * 2\n"},
      {"model/config.py", "BIAS = 0.5\n"}};
  expectInOrder(compile(texts, "model/k.py"),
                {"call @norm", "func.func private @norm", "call @double",
                 "5.000000e-01", "func.func private @double"});
}

TEST(Imports, FindTheRootOfAPackage) {
  expectInOrder(
      compile({{"top/__init__.py", ""},
               {"top/a/__init__.py", ""},
               {"top/a/k.py", kernel("from top.b.scale import double\n",
                                     "    out[:] = double(x)\n")},
               {"top/b/scale.py", doubling}},
              "top/a/k.py"),
      {"call @double"});
}

TEST(Imports, BringSymbolsAndConstants) {
  expectInOrder(
      compile({{"k.py", "from dims import M, WIDTH, SHAPE\n"
                        "@pl.jit\n"
                        "def k(x: pl.Tensor[[M, WIDTH], pl.FP32],\n"
                        "      out: pl.Out[pl.Tensor[SHAPE, pl.FP32]]):\n"
                        "    out[:] = x\n"},
               {"dims.py", "M = pl.dynamic(\"M\")\nWIDTH = 64\n"
                           "SHAPE = [M, WIDTH]\n"}}),
      {"!pl.tensor<[?, 64], f32>", "pl.bind \"M\" %arg0[0], %arg1[0]"});
}

TEST(Imports, KeepHelpersOfOneNameApart) {
  std::string ir =
      compile({{"k.py", kernel("import a\nimport b\n",
                               "    out[:] = a.f(x) + b.f(x)\n")},
               {"a.py", "@pl.jit.inline\ndef f(t):\n    return t * 2.0\n"},
               {"b.py", "@pl.jit.inline\ndef f(t):\n    return t - 3.0\n"}});
  expectInOrder(ir, {"call @f(", "call @f_1(", "func.func private @f(",
                     "pl.mul", "func.func private @f_1(", "pl.sub"});
}

TEST(Imports, MayGoInACircleOfFiles) {
  expectInOrder(compile({{"k.py", kernel("from a import f\nTILE = 4\n",
                                         "    out[:] = f(x)\n")},
                         {"a.py", "import k\n@pl.jit.inline\ndef f(t):\n"
                                  "    return t * k.TILE\n"}}),
                {"call @f", "4.0"});
}

TEST(Imports, OfEverythingMayGoInACircle) {
  expectInOrder(compile({{"k.py", kernel("TILE = 4\nfrom a import *\n",
                                         "    out[:] = f(x) * W\n")},
                         {"a.py", "W = 7\nfrom k import *\n"
                                  "@pl.jit.inline\ndef f(t):\n"
                                  "    return t * TILE\n"}}),
                {"call @f", "7.0", "4.0"});
  // Through a third file.
  expectInOrder(
      compile({{"k.py", kernel("from a import *\n", "    out[:] = x * W\n")},
               {"a.py", "from b import *\n"},
               {"b.py", "from k import *\nfrom a import *\nW = 7\n"}}),
      {"7.0"});
}

TEST(Imports, OfEverythingMayNameTheFileItself) {
  expectInOrder(compile({{"k.py", kernel("T = 4\nfrom k import *\nW = 7\n",
                                         "    out[:] = x * T * W\n")}}),
                {"4.0", "7.0"});
  EXPECT_THAT(
      compile({{"k.py", kernel("from k import *\n", "    out[:] = x * T\n")}}),
      testing::HasSubstr("name 'T' is not defined"));
}

TEST(Imports, InACircleTakeWhatIsDefinedSoFar) {
  // Python starts with k.py, which reaches a.py when T is 4.
  for (const char *body : {"    out[:] = x * OF_A\n", "    out[:] = f(x)\n"})
    expectInOrder(
        compile({{"k.py", kernel("T = 4\nfrom a import *\nT = 5\n", body)},
                 {"a.py", "from k import *\nOF_A = T\n"
                          "@pl.jit.inline\ndef f(t):\n"
                          "    return t * T\n"}}),
        {"4.0"});
}

TEST(Imports, OfEverythingEndSomewhere) {
  Texts texts = {
      {"k.py", kernel("from f0 import *\nimport tegula.language as pl\n",
                      "    out[:] = x * W\n")}};
  for (int i = 0; i < 200; ++i)
    texts.push_back({"f" + std::to_string(i) + ".py",
                     "from f" + std::to_string(i + 1) + " import *\n"});
  texts.push_back({"f200.py", "W = 7\n"});
  EXPECT_THAT(compile(texts),
              testing::HasSubstr("more than 50 files import '*' from one "
                                 "another, looking for 'W'"));
}

TEST(Imports, ThatAreNotUsedDoNotMatter) {
  expectInOrder(compile({{"k.py", kernel("import numpy as np\n"
                                         "from broken import thing\n"
                                         "from missing import nothing\n",
                                         "    out[:] = x\n")},
                         {"broken.py", "@pl.jit.inline\ndef f(:\n"}}),
                {"pl.store"});
}

TEST(Imports, OfAMissingFileAreShown) {
  EXPECT_EQ(compile({{"k.py", kernel("from rope import rope\n",
                                     "    out[:] = rope(x)\n")}}),
            "k.py:5:14: error: 'rope' is not something a kernel can use: "
            "there is no 'rope.py' or 'rope/__init__.py' in its folder\n"
            "    out[:] = rope(x)\n"
            "             ^\n"
            "k.py:2:18: note: imported here\n"
            "from rope import rope\n"
            "                 ^\n");
}

TEST(Imports, OfAMissingNameAreShown) {
  EXPECT_EQ(compile({{"k.py", kernel("from scale import doubel\n",
                                     "    out[:] = doubel(x)\n")},
                     {"scale.py", doubling}}),
            "k.py:5:14: error: 'scale.py' has no 'doubel'; did you mean "
            "'double'?\n"
            "    out[:] = doubel(x)\n"
            "             ^\n"
            "k.py:2:19: note: imported here\n"
            "from scale import doubel\n"
            "                  ^\n");
  EXPECT_EQ(
      compile({{"k.py", kernel("import scale\n", "    out[:] = scale.f(x)\n")},
               {"scale.py", doubling}}),
      "k.py:5:20: error: the module 'scale' has no 'f'\n"
      "    out[:] = scale.f(x)\n"
      "                   ^\n");
}

TEST(Imports, ShowMistakesInTheirOwnFile) {
  EXPECT_EQ(
      compile({{"k.py", kernel("from scale import f\n", "    out[:] = f(x)\n")},
               {"scale.py", "@pl.jit.inline\ndef f(t):\n"
                            "    return t * z\n"}}),
      "scale.py:4:16: error: name 'z' is not defined\n"
      "    return t * z\n"
      "               ^\n"
      "k.py:5:14: note: in this call of 'f'\n"
      "    out[:] = f(x)\n"
      "             ^\n");
  EXPECT_EQ(
      compile({{"k.py", kernel("from scale import f\n", "    out[:] = f(x)\n")},
               {"scale.py", "@pl.jit.inline\ndef f(t:\n    return t\n"}}),
      "scale.py:3:6: error: '(' was never closed\n"
      "def f(t:\n"
      "     ^\n");
}

TEST(Imports, ThatGoInACircleOfNamesAreShown) {
  EXPECT_EQ(
      compile({{"k.py", kernel("from a import W\n", "    out[:] = x * W\n")},
               {"a.py", "from b import W\n"},
               {"b.py", "from a import W\n"}}),
      "k.py:5:18: error: the value of 'W' depends on itself\n"
      "    out[:] = x * W\n"
      "                 ^\n");
}

TEST(Imports, SayWhichFileHasNoKernelFunction) {
  EXPECT_EQ(
      compile({{"k.py", kernel("from scale import f\n", "    out[:] = f(x)\n")},
               {"scale.py", "def f(t):\n    return t\n"}}),
      "k.py:5:14: error: 'f' is not something a kernel can use (a "
      "function without a kernel decorator at line 2 of scale.py)\n"
      "    out[:] = f(x)\n"
      "             ^\n");
}

TEST(Imports, GiveTheConstantsAndFunctionsOfMath) {
  expectInOrder(
      compile(
          {{"k.py", kernel("import math\nfrom math import sqrt, inf\n"
                           "SCALE = 1 / math.sqrt(64)\n"
                           "ROWS = math.ceil(7.5)\n",
                           "    m = pl.full([ROWS, 128], pl.FP32, -inf)\n"
                           "    a = x * SCALE + math.pi\n"
                           "    out[:] = pl.maximum(m, a * sqrt(4.0))\n")}}),
      {"0xFF800000", "pl.full", "1.250000e-01", "3.14159", "2.0"});
  EXPECT_EQ(compile({{"k.py",
                      kernel("import math\n", "    out[:] = math.exp(x)\n")}}),
            "k.py:5:14: error: math.exp() takes numbers known at compile time; "
            "write pl.exp for values\n"
            "    out[:] = math.exp(x)\n"
            "             ^\n");
  EXPECT_EQ(compile({{"k.py", kernel("import math\n",
                                     "    out[:] = x * math.sqrt(-1)\n")}}),
            "k.py:5:18: error: math.sqrt has no value for the integer -1\n"
            "    out[:] = x * math.sqrt(-1)\n"
            "                 ^\n");
}

TEST(Imports, OfASymbolsNameLeaveTwoSymbolsApart) {
  std::string text =
      compile({{"k.py", "from scale import h\nR = pl.dynamic(\"B\")\n@pl.jit\n"
                        "def k(x: pl.Tensor[[R], pl.FP32], "
                        "out: pl.Out[pl.Tensor[[R], pl.FP32]]):\n"
                        "    out[:] = h(x) + h(x[0:1])\n"},
               {"scale.py", "R = pl.dynamic(\"A\")\n@pl.jit.inline\n"
                            "def h(t: pl.Tensor[[R], pl.FP32]):\n"
                            "    return t[0:R] * 2.0\n"}});
  expectInOrder(text, {"pl.bind \"B\"", "call @h(", "call @h_1("});
}

TEST(Imports, SeeWhatAnotherFileChangesInAModule) {
  // Who has imported the name before keeps what it was, as in Python.
  Texts texts = {{"k.py", kernel("from sizes import rows as old\n"
                                 "import early\n"
                                 "import sizes\n"
                                 "sizes.rows = sizes.rows * 5\n"
                                 "sizes.added = 11\n"
                                 "from sizes import rows, added\n"
                                 "from late import twice\n"
                                 "import sizes as again\n",
                                 "    out[:] = x * old * early.rows * rows * "
                                 "twice * again.rows * added\n")},
                 {"sizes.py", "rows = 3\n"},
                 {"early.py", "from sizes import rows\n"},
                 {"late.py", "from sizes import rows\ntwice = rows * 2\n"}};
  expectInOrder(compile(texts),
                {"3.000000e+00", "3.000000e+00", "1.500000e+01", "3.000000e+01",
                 "1.500000e+01", "1.100000e+01"});
}

TEST(Imports, HaveNoValueOfAModuleThatAnotherFileChangesInAWayNotUnderstood) {
  Texts texts = {{"k.py", kernel("import sizes\n"
                                 "import torch\n"
                                 "sizes.rows = torch.get_num_threads()\n"
                                 "from sizes import rows\n",
                                 "    out[:] = x * rows\n")},
                 {"sizes.py", "rows = 3\n"}};
  EXPECT_THAT(compile(texts),
              testing::HasSubstr("'rows' has no value a kernel can use"));
}
