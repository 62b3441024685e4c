// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic dimensions: where they are declared, and how far that reaches.
#include "test/frontend/KernelSource.h"

using namespace tegula;

namespace {

ArgumentSpec tensor(std::vector<std::optional<int64_t>> shape,
                    DType dtype = DType::FP32) {
  return {true, dtype, std::move(shape)};
}

/// The first line of the entry, and everything behind it.
std::string signatureOf(const std::string &ir) {
  size_t begin = ir.find("func.func @k(");
  return ir.substr(begin, ir.find('\n', begin) - begin);
}

} // namespace

TEST(DynamicAxes, OfAHelperAreDynamicInTheEntry) {
  for (const char *helper :
       {"@pl.jit.incore\ndef h(t: pl.Tensor[[M, 4], pl.FP32]):\n"
        "    return t * 2.0\n",
        "@pl.jit.incore\ndef h(t):\n    t.bind_dynamic(0, M)\n"
        "    return t * 2.0\n"}) {
    std::string ir = generate(std::string(helper) +
                                  "@pl.jit\ndef k(x, out: pl.Out[pl.Tensor]):\n"
                                  "    y = x\n    out[:] = h(y)\n",
                              {tensor({9, 4}), tensor({9, 4})});
    expectInOrder(signatureOf(ir),
                  {"!pl.tensor<[?, 4], f32>", "!pl.tensor<[?, 4], f32>"});
    expectInOrder(ir, {"pl.bind \"M\" %arg0[0], %arg1[0]"});
  }
}

TEST(DynamicAxes, AreNotOneBecauseACallIsSquare) {
  const char *kernel = R"(@pl.jit.incore
def h(t):
    t.bind_dynamic(0, M)
    return t * 2.0
@pl.jit
def k(x, y, out: pl.Out[pl.Tensor]):
    out[:] = h(x) + y
)";
  std::string ir =
      generate(kernel, {tensor({5, 5}), tensor({5, 5}), tensor({5, 5})});
  expectInOrder(ir, {"!pl.tensor<[?, 5], f32>", "pl.not_one = array<i64: 0>",
                     "!pl.tensor<[?, 5], f32>",
                     "pl.bind \"M\" %arg0[0], %arg1[0], %arg2[0]"});
  // What is 1 broadcasts, but for what is only stored to.
  ir = generate(kernel, {tensor({1, 5}), tensor({1, 5}), tensor({1, 5})});
  expectInOrder(ir, {"!pl.tensor<[?, 5], f32>", "!pl.tensor<[1, 5], f32>",
                     "!pl.tensor<[?, 5], f32>",
                     "pl.bind \"M\" %arg0[0], %arg2[0]"});
}

TEST(DynamicAxes, ReachTheEntryThroughHelpersAndTemporaries) {
  std::string ir = generate(R"(@pl.jit.incore
def leaf(t: pl.Tensor[[M, 4], pl.FP32], u: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
    u[:] = t
    return u
@pl.jit.inline
def middle(a, b):
    if T > 3:
        for i in range(2):
            b = leaf(a, b)
    return b
@pl.jit
def k(x, out: pl.Out[pl.Tensor]):
    rows, cols = x.shape
    buffer = pl.create_tensor([rows, cols], dtype=pl.FP32)
    current = middle(x, buffer)
    out = middle(current, out)
    return out
)",
                            {tensor({9, 4}), tensor({9, 4})});
  expectInOrder(ir, {"!pl.tensor<[?, 4], f32>", "!pl.tensor<[?, 4], f32>",
                     "pl.bind \"M\" %arg0[0], %arg1[0]"});
}

TEST(DynamicAxes, AreOneWithTheSymbolOfTheEntry) {
  std::string ir = generate(R"(R = pl.dynamic("R")
@pl.jit.incore
def h(t: pl.Tensor[[M], pl.FP32], u: pl.Tensor[[M], pl.FP32]):
    return t + u
@pl.jit
def k(x, y: pl.Tensor[[R], pl.FP32], out: pl.Out[pl.Tensor[[R], pl.FP32]]):
    out[:] = h(x, y)
)",
                            {tensor({9}), tensor({9}), tensor({9})});
  expectInOrder(ir, {"pl.bind \"R\" %arg0[0], %arg1[0], %arg2[0]"});
}

TEST(DynamicAxes, LeaveNumbersAsTheyAre) {
  std::string ir = generate(R"(@pl.jit.incore
def h(t: pl.Tensor[[M], pl.FP32], u: pl.Tensor[[M], pl.FP32]):
    return t + u
@pl.jit
def k(x, y: pl.Tensor[[9], pl.FP32], out: pl.Out[pl.Tensor]):
    out[:] = h(x, y)
)",
                            {tensor({9}), tensor({9}), tensor({9})});
  EXPECT_EQ(signatureOf(ir).find('?'), std::string::npos) << ir;
}

TEST(DynamicAxes, AreStaticWhereNobodyDeclaresThem) {
  std::string ir = generate(R"(@pl.jit.inline
def h(t):
    return t + 1.0
@pl.jit
def k(x, out: pl.Out[pl.Tensor]):
    out[:] = h(x)
)",
                            {tensor({9, 2}), tensor({9, 2})});
  EXPECT_EQ(signatureOf(ir).find('?'), std::string::npos) << ir;
}

TEST(DynamicAxes, GiveLocalsTheirExtent) {
  const char *kernel = R"(@pl.jit
def k(x: %s, out: pl.Out[pl.Tensor]):
    tokens = pl.tensor.dim(x, 0)
    buffer = pl.create_tensor([tokens, T], dtype=pl.BF16)
    out[:] = pl.cast(buffer, pl.FP32)
)";
  auto with = [&](const char *annotation) {
    std::string text = kernel;
    text.replace(text.find("%s"), 2, annotation);
    return generate(text, {tensor({9}), tensor({9, 64})});
  };
  expectInOrder(with("pl.Tensor"), {"pl.create_tensor", "<[9, 64], bf16>"});
  std::string dynamic = diagnose(
      "@pl.jit\ndef k(x: pl.Tensor[[M], pl.FP32], out: "
      "pl.Out[pl.Tensor[[9, 64], pl.FP32]]):\n"
      "    b = pl.create_tensor([pl.tensor.dim(x, 0), T], dtype=pl.FP32)\n"
      "    out = b\n",
      "k");
  EXPECT_NE(dynamic.find("writes nothing"), std::string::npos);
}

TEST(DynamicAxes, StandForTheirExtentInTheBody) {
  expectInOrder(
      generate(R"(@pl.jit
def k(x: pl.Tensor[[M, K], pl.FP32], out: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
    t = pl.create_tensor([M, K + 1], dtype=pl.FP32)
    rows, cols = x.shape
    shape = x.shape
    for i in range(M - 1):
        t[i, shape[1]] = pl.cast(rows * cols, pl.FP32)
    out[:] = t[:, 0:K]
)"),
      {"pl.bind \"M\"", "pl.bind \"K\"", "pl.create_tensor", "scf.for"});
}

TEST(DynamicAxes, MayBeReboundSafely) {
  expectInOrder(generate(R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    a = b = t = pl.tensor.dim(x, 0)
    t = t - 1
    u = pl.create_tensor([t], dtype=pl.FP32)
    v = pl.create_tensor([a + b], dtype=pl.FP32)
    u[0] = 1.0
    v[0] = 2.0
    out[:] = x * u[0] + v[0]
)"),
                {"pl.bind \"M\"", "pl.create_tensor", "pl.create_tensor"});
}

TEST(DynamicAxes, MayBeDeclaredInTheBody) {
  expectInOrder(generate(R"(@pl.jit
def k(x: pl.Tensor, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    rows = pl.dynamic("ROWS")
    x.bind_dynamic(0, rows)
    out[:] = pl.cast(rows, pl.FP32)
)",
                         {tensor({7}), tensor({7})}),
                {"pl.bind \"ROWS\" %arg0[0]", "pl.bind \"M\" %arg1[0]"});
}

TEST(DynamicAxes, OutOfRangeAreShown) {
  EXPECT_EQ(diagnose("    n = pl.tensor.dim(x, 2)\n    out[:] = x\n", "k"),
            "8:26: error: axis 2 is out of range for rank 2\n");
  EXPECT_EQ(diagnose("    n = x.shape[2]\n    out[:] = x\n", "k"),
            "8:17: error: index 2 is out of range for a tuple of 2\n");
  EXPECT_EQ(diagnose("    x.bind_dynamic(2, M)\n    out[:] = x\n", "k"),
            "8:20: error: axis 2 is out of range for 'x' of rank 2\n");
}

TEST(DynamicAxes, WithOneNameAndTwoLiteralsAreShown) {
  EXPECT_EQ(diagnose(R"(    M = pl.dynamic("N")
    out.bind_dynamic(1, M)
    out[:] = x
)",
                     "k"),
            "8:9: error: 'M' is the symbol N here and M elsewhere\n"
            "3:5: note: the other one\n");
  EXPECT_EQ(diagnose(R"(    R = pl.dynamic("A")
    R = pl.dynamic("B")
    out[:] = x
)",
                     "k"),
            "9:5: error: 'R' is the symbol A and cannot become the symbol B\n"
            "8:9: note: declared here\n");
}
