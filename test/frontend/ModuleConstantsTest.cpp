// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands beside a kernel and has a value while it is compiled.
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
