// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands next to a kernel and has a value while it is compiled.
#include "test/frontend/KernelSource.h"

using namespace tegula;

/// The IR of a kernel that multiplies by `expr`, with `constants` above it.
static std::string scaleBy(const std::string &constants,
                           const std::string &expr) {
  return generate(constants +
                  "@pl.jit\n"
                  "def k(x: pl.Tensor[[M], pl.FP32], "
                  "out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                  "    out[:] = x * " +
                  expr + "\n");
}

TEST(ModuleConstants, MayBeNamesOfAClass) {
  const char *config = "class Config:\n"
                       "    '''The model.'''\n"
                       "    HEADS: int = 4\n"
                       "    HEAD_DIM: int = 32\n"
                       "    HIDDEN = HEADS * HEAD_DIM\n"
                       "    def method(self): return lambda: 1\n";
  expectInOrder(scaleBy(config, "Config.HIDDEN"), {"1.280000e+02"});
  expectInOrder(scaleBy(std::string(config) + "cfg = Config()\n", "cfg.HEADS"),
                {"4.000000e+00"});
  expectInOrder(scaleBy("from dataclasses import dataclass\n@dataclass\n" +
                            std::string(config) + "cfg = Config(HEADS=5)\n",
                        "(cfg.HEADS + cfg.HEAD_DIM)"),
                {"3.700000e+01"});
}

TEST(ModuleConstants, OfAClassDoNotHoldThoseAroundIt) {
  EXPECT_EQ(diagnose("class C:\n    A = T\n@pl.jit\n"
                     "def k(x: pl.Tensor[[M], pl.FP32], "
                     "out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                     "    out[:] = x * C.A * C.T\n",
                     "k"),
            "10:26: error: the class 'C' has no 'T'\n");
}

TEST(ModuleConstants, MayBeDictsAndTuples) {
  const char *dict = "CFG = {'rows': 8, 'shape': (2, [3, 4]), 5: 'five'}\n";
  expectInOrder(scaleBy(dict, "CFG['rows']"), {"8.000000e+00"});
  expectInOrder(scaleBy(dict, "CFG['shape'][1][-1]"), {"4.000000e+00"});
  expectInOrder(scaleBy(dict, "(len(CFG) if 'rows' in CFG else 0)"),
                {"3.000000e+00"});
  EXPECT_EQ(diagnose(std::string(dict) +
                         "@pl.jit\n"
                         "def k(x: pl.Tensor[[M], pl.FP32], "
                         "out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                         "    out[:] = x * CFG['row']\n",
                     "k"),
            "9:22: error: the dict has no key the string 'row'\n");
}

TEST(ModuleConstants, SeeWhatStandsBeforeThem) {
  expectInOrder(scaleBy("A = 3\nB = A\nA = 5\n", "(A * 100 + B)"),
                {"5.030000e+02"});
  expectInOrder(scaleBy("A = 3\nA = A * 2\nA += 1\n", "A"), {"7.000000e+00"});
}

TEST(ModuleConstants, MayBeInfinite) {
  expectInOrder(scaleBy("", "float('-inf')"), {"0xFF800000"});
}

TEST(ModuleConstants, MayBeANewAxisOrAnEllipsis) {
  const char *kernel =
      "@pl.jit\n"
      "def k(x: pl.Tensor[[M, 128], pl.FP32], "
      "out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):\n"
      "    out[:] = x + x[0, :][NEW, :] + x[REST, 0][:, NEW]\n";
  expectInOrder(generate("NEW = None\nREST = ...\n" + std::string(kernel)),
                {"pl.view", "pl.view"});
}

TEST(ModuleConstants, AreTheSameByTheirBits) {
  const char *chosen = "    s = A\n"
                       "    if M > 3:\n"
                       "        s = B\n"
                       "    out[:] = x + s\n";
  auto file = [&](const std::string &constants) {
    return constants +
           "@pl.jit\ndef k(x: pl.Tensor[[M], pl.FP32], "
           "out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n" +
           chosen;
  };
  expectInOrder(generate(file("A = 0.0\nB = -0.0\n")), {"-0.000000e+00"});
  std::string ir = generate(file("A = float('nan')\nB = float('nan')\n"));
  expectInOrder(ir, {"0x7FC00000"});
  EXPECT_EQ(ir.find("scf.if %0 ->"), std::string::npos) << ir;
}
