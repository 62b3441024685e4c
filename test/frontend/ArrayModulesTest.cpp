// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel file takes from NumPy, PyTorch and ml_dtypes.
#include "test/frontend/KernelSource.h"

using namespace tegula;

/// The IR of a kernel that multiplies by `expr`, with `constants` above it.
static std::string scaleBy(const std::string &constants,
                           const std::string &expr) {
  return generate("import torch\nimport ml_dtypes\n" + constants +
                  "@pl.jit\n"
                  "def k(x: pl.Tensor[[M, 128], pl.FP32], "
                  "out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):\n"
                  "    out[:] = x * " +
                  expr + "\n");
}

TEST(ArrayModules, HaveNumbers) {
  for (const char *module : {"np", "torch"}) {
    std::string name = module;
    expectInOrder(scaleBy("", name + ".pi"), {"3.14159"});
    expectInOrder(scaleBy("", name + ".e"), {"2.71828"});
    expectInOrder(scaleBy("", name + ".inf"), {"0x7F800000"});
    expectInOrder(scaleBy("", name + ".nan"), {"0x7FC00000"});
  }
  expectInOrder(scaleBy("from numpy import pi as P\n", "P"), {"3.14159"});
  expectInOrder(scaleBy("A = np.pi / 2\n", "A"), {"1.57079"});
}

TEST(ArrayModules, HaveDtypes) {
  for (auto [dtype, type] :
       {std::pair("np.float16", "f16"), std::pair("np.bool_", "i1"),
        std::pair("np.single", "f32"), std::pair("np.uint8", "ui8"),
        std::pair("np.intp", "i64"), std::pair("torch.long", "i64"),
        std::pair("torch.bfloat16", "bf16"),
        std::pair("torch.float8_e5m2", "f8E5M2"),
        std::pair("ml_dtypes.float8_e4m3fn", "f8E4M3FN")})
    expectInOrder(
        generate("import torch\nimport ml_dtypes\nD = " + std::string(dtype) +
                 "\n@pl.jit\ndef k(x: pl.Tensor[[M], " + dtype +
                 "], out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                 "    out[:] = pl.cast(pl.cast(x, D), np.float32)\n"),
        {"@k(%arg0: !pl.tensor<[?], " + std::string(type) + ">"});
}

TEST(ArrayModules, HaveANewAxis) {
  expectInOrder(generate("    y = x[0, :]\n"
                         "    out[:] = x + y[np.newaxis, :]\n"),
                {"pl.view"});
}

TEST(ArrayModules, ComputeNumbersOfConstants) {
  expectInOrder(scaleBy("A = 1.0 / np.sqrt(64)\n", "A"), {"1.250000e-01"});
  expectInOrder(scaleBy("A = int(np.log2(256)) + np.prod((2, 3))\n", "A"),
                {"1.400000e+01"});
  expectInOrder(scaleBy("A = np.finfo(np.float16).max\n", "A"),
                {"6.550400e+04"});
  expectInOrder(scaleBy("A = torch.finfo(torch.float16).min\n", "A"),
                {"-6.550400e+04"});
  expectInOrder(scaleBy("A = np.finfo(np.float64).eps * 2 ** 52\n", "A"),
                {"1.000000e+00"});
  expectInOrder(scaleBy("A = np.iinfo(np.int8)\n", "(A.min * 1000 + A.max)"),
                {"-1.278730e+05"});
  expectInOrder(scaleBy("A = np.int32(8) + np.float64(0.5)\n", "A"),
                {"8.500000e+00"});
}

TEST(ArrayModules, HaveNoValueForWhatDoesNotFit) {
  for (const char *expr :
       {"np.int8(3)", "np.float32(0.1)", "np.int32(2**31)", "np.sqrt(-1.0)",
        "np.finfo(np.int8).max", "np.log(8, 2)"})
    EXPECT_NE(diagnose("A = " + std::string(expr) +
                           "\n@pl.jit\ndef k(x: pl.Tensor[[M], pl.FP32], "
                           "out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
                           "    out[:] = x * A\n",
                       "k")
                  .find("'A' has no value a kernel can use"),
              std::string::npos)
        << expr;
}

TEST(ArrayModules, DoNotStopKernelsThatDoNotUseThem) {
  expectInOrder(
      scaleBy("import torch.nn.functional as F\n"
              "from scipy import special\n"
              "rng = np.random.default_rng(0)\n"
              "np.random.seed(0)\n"
              "X = rng.standard_normal((4, 128)).astype(np.float32)\n"
              "X[0] = 3\n"
              "for row in X:\n    total = row.sum()\n"
              "with torch.no_grad():\n    y = F.relu(torch.tensor(X))\n"
              "def reference(x):\n    return x * special.erf(x)\n"
              "assert X.shape == (4, 128)\n"
              "class Net(torch.nn.Module):\n    def forward(self):\n"
              "        return 1\n"
              "np.seterr(all='ignore')\n"
              "table = np.arange(8)[::-1] @ np.eye(8)\n"
              "SCALE = 3\n",
              "SCALE"),
      {"3.000000e+00"});
}
