// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands behind `->`.
#include "test/frontend/KernelSource.h"

using namespace tegula;

namespace {

/// A kernel that calls a helper with this result annotation and return value.
std::string helper(const std::string &annotation, const std::string &value,
                   const std::string &call = "out[:] = h(x)") {
  return "@pl.jit.inline\ndef h(t) -> " + annotation + ":\n    return " +
         value +
         "\n@pl.jit\n"
         "def k(x: pl.Tensor[[8, 4], pl.FP32], out: pl.Out[pl.Tensor[[8, 4], "
         "pl.FP32]]):\n    " +
         call + "\n";
}

} // namespace

TEST(Results, AreWhatTheyAreDeclaredToBe) {
  for (const char *annotation :
       {"pl.Tensor", "pl.Tensor[[8, 4], pl.FP32]", "pl.Tile[[8, 4], pl.FP32]",
        "pl.Tensor[[M, 4], pl.FP32]"})
    EXPECT_NE(generate(helper(annotation, "t * 2.0")), "");
  for (const char *annotation :
       {"tuple[pl.Tensor, pl.Scalar[pl.INDEX]]", "(pl.Tensor, pl.INDEX)",
        "pl.Tuple[pl.Tensor[[8, 4], pl.FP32], int]"})
    EXPECT_NE(generate(helper(annotation, "t, 3", "out[:], n = h(x)")), "");
}

TEST(Results, OfAnotherTypeAreShown) {
  EXPECT_EQ(diagnose(helper("pl.Tensor[[8, 4], pl.FP16]", "t * 2.0"), "k"),
            "8:12: error: the result is declared as a tensor of FP16, got a "
            "tile [8, 4] of FP32\n"
            "7:13: note: declared here\n"
            "11:14: note: in this call of 'h'\n");
  EXPECT_EQ(diagnose(helper("pl.Tensor[[8, 5], pl.FP32]", "t * 2.0"), "k"),
            "8:12: error: the result is declared as a tensor with extent 5 on "
            "axis 1, got a tile [8, 4] of FP32\n"
            "7:13: note: declared here\n"
            "11:14: note: in this call of 'h'\n");
  EXPECT_EQ(diagnose(helper("tuple[pl.Tensor, pl.Tensor]", "t"), "k"),
            "8:12: error: 'h' is declared to return 2 values, got 1\n"
            "7:13: note: declared here\n"
            "11:14: note: in this call of 'h'\n");
  EXPECT_EQ(diagnose(helper("pl.FP32", "t"), "k"),
            "8:12: error: the result is declared as an FP32 scalar, got a "
            "tensor [8, 4] of FP32\n"
            "7:13: note: declared here\n"
            "11:14: note: in this call of 'h'\n");
}

TEST(Results, OfAKernelAreItsOutputs) {
  expectInOrder(generate(R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], a: pl.Out[pl.Tensor[[M], pl.FP32]], b: pl.Out[pl.Tensor[[M], pl.INT32]]) -> tuple[pl.Tensor[[M], pl.FP32], pl.Tensor[[M], pl.INT32]]:
    a[:] = x
    b[:] = 1
    return a, b
)"),
                {"pl.store", "pl.store"});
}
