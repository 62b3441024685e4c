// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of other kernel functions.
#include "test/frontend/KernelSource.h"

using namespace tegula;

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size()))
    ++found;
  return found;
}

TEST(IRGenCalls, MakesOneFunctionForEachCombinationOfTypes) {
  std::string ir = generate(R"(@pl.jit.inline
def double(t):
    return t * 2.0
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[0:8] = double(x[0:8])
    out[8:16] = double(x[8:16])
    out[:] = double(x)
)");
  EXPECT_EQ(count(ir, "func.func private"), 2u);
  EXPECT_EQ(count(ir, "call @double("), 2u);
  EXPECT_EQ(count(ir, "call @double_1("), 1u);
}

TEST(IRGenCalls, TakesKeywordsAndDefaults) {
  std::string ir = generate(R"(@pl.jit.incore
def scale(t, by: pl.FP32, plus: pl.FP32 = 3.0):
    return t * by + plus
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], s: pl.FP32, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = scale(by=s, t=x)
)");
  expectInOrder(ir, {"call @scale(%arg0, %arg1)", "func.func private @scale",
                     "#pl.kind<incore>", "3.000000e+00"});
}

TEST(IRGenCalls, PassesConstantsOnWhereTheyMustBeStatic) {
  std::string ir = generate(R"(@pl.jit.inline
def head(t, n):
    return pl.load(t, [0, 0], [n, 128])
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[0:8] = head(x, 4 * 2)
)");
  expectInOrder(ir, {"call @head(%arg0)", "-> !pl.tile<[upto 8, 128], f32>"});
}

TEST(IRGenCalls, ReturnsTuplesAndTheirExtents) {
  std::string ir = generate(R"(@pl.jit.incore
def stats(t: pl.Tensor[[M, K], pl.FP32]):
    mean = pl.row_sum(t) / 8.0
    return mean, t - mean
@pl.jit
def k(x: pl.Tensor[[M, K], pl.FP32], out: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
    mean, rest = stats(x)
    out[:] = rest + mean
)");
  expectInOrder(ir, {"%0:2 = call @stats(%arg0)", "pl.add", "pl.store",
                     "return", "return"});
}

TEST(IRGenCalls, KnowsWhatAFunctionWrites) {
  std::string ir = generate(R"(@pl.jit.incore
def layer(a: pl.Tensor[[M, 128], pl.FP32], b: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    b[:] = a * 2.0
    return b
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    rows = pl.tensor.dim(x, 0)
    buffer = pl.create_tensor([rows, 128], dtype=pl.FP32)
    current = layer(x, buffer)
    out = layer(current, out)
    return out
)");
  expectInOrder(ir, {"%0 = pl.create_tensor[%M, %c128]",
                     "call @layer(%arg0, %0)", "call @layer(%0, %arg1)"});
}

TEST(IRGenCalls, LetsInlineFunctionsWriteWhatTheyAreGiven) {
  std::string ir = generate(R"(@pl.jit.inline
def fill(y, value):
    y[:] = value
@pl.jit
def k(out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    fill(out, 2.0)
)");
  expectInOrder(ir, {"call @fill(%arg0)", "pl.store"});
}

TEST(IRGenCalls, JoinsTheValuesOfEarlyReturns) {
  std::string ir = generate(R"(@pl.jit.inline
def pick(t, n: pl.INDEX):
    if n > 10:
        return t + 1.0
    if n > 5:
        return t * 2.0
    return t
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], n: pl.INDEX, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = pick(x, n)
)");
  expectInOrder(ir, {"@pick", "scf.if", "pl.add", "scf.if", "pl.mul"});
}

TEST(IRGenCalls, GivesSymbolsOfHelpersTheExtentOfTheirArguments) {
  std::string ir = generate(R"(R = pl.dynamic("R")
@pl.jit.incore
def copy(a: pl.Tensor[[R, 128], pl.FP32], b: pl.Out[pl.Tensor[[R, 128], pl.FP32]]):
    for i in range(0, R, 4):
        b[i:i + 4] = a[i:i + 4]
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    for i in range(0, M, T):
        copy(x[i:i + T], out[i:i + T])
)");
  expectInOrder(ir, {"call @copy", "func.func private @copy",
                     "pl.dim %arg0[0] : !pl.tensor<[upto 64, 128], f32>"});
}
