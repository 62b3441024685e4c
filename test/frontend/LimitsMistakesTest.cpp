// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that would exhaust the stack or take for ever.
#include "test/frontend/KernelSource.h"

using namespace tegula;

static const std::string kernel =
    "@pl.jit\n"
    "def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
    "    out[:] = ";

TEST(LimitsMistakes, ConstantsMadeFromOneAnother) {
  std::string source = "A0 = 1\n";
  for (int index = 1; index < 20000; ++index)
    source += "A" + std::to_string(index) + " = A" + std::to_string(index - 1) +
              " + 1\n";
  expectInOrder(generate(source + kernel + "x + A19999\n"), {"2.000000e+04"});
}

TEST(LimitsMistakes, HelpersThatCallHelpers) {
  std::string source = "@pl.jit.inline\ndef h0(t):\n    return t\n";
  for (int index = 1; index < 5000; ++index)
    source += "@pl.jit.inline\ndef h" + std::to_string(index) +
              "(t):\n    return h" + std::to_string(index - 1) + "(t)\n";
  EXPECT_NE(generate(source + kernel + "h50(x)\n"), "");
  std::string found = diagnose(source + kernel + "h4999(x)\n", "k");
  EXPECT_NE(found.find("error: calls are nested too deeply (limit 100)\n"),
            std::string::npos)
      << found;
}

TEST(LimitsMistakes, LongNames) {
  std::string name(100000, 'a');
  std::string found =
      diagnose("    " + name + " = x\n    out[:] = b" + name + "\n", "k");
  EXPECT_EQ(found, "9:14: error: name 'b" + name + "' is not defined\n");
}

TEST(LimitsMistakes, HelpersThatDouble) {
  std::string source = "@pl.jit.inline\ndef h0(t):\n    return t + 1\n";
  for (int index = 1; index < 40; ++index) {
    std::string call = "h" + std::to_string(index - 1) + "(t)";
    source += "@pl.jit.inline\ndef h" + std::to_string(index) +
              "(t):\n    return " + call + " + " + call + "\n";
  }
  EXPECT_NE(generate(source + kernel + "h5(x)\n"), "");
  EXPECT_EQ(diagnose(source + kernel + "h39(x)\n", "k"),
            "127:5: error: 'k' has more than 200000 operations with its "
            "helpers in place and its loops unrolled; call helpers in a loop, "
            "or unroll less\n");
}

TEST(LimitsMistakes, TheGreatestNumbersAreFinite) {
  for (const char *number : {"9223372036854775807", "-9223372036854775807 - 1"})
    EXPECT_NE(generate("    for i in pl.range(0, " + std::string(number) +
                       "):\n        out[:] = x\n"),
              "");
}
