// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What helpers take and give.
#include "test/frontend/KernelSource.h"

using namespace tegula;

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size()))
    ++found;
  return found;
}

TEST(Helpers, TakeShapes) {
  std::string ir = generate(R"(@pl.jit.inline
def zeros(shape, dtype):
    return pl.full(shape, dtype, 0.0)
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = x + zeros(x.shape, x.dtype) + zeros((M, 128), pl.FP32)
    out[0:8] = zeros([8, 128], pl.FP32)
)");
  expectInOrder(ir, {"call @zeros(%M)", "call @zeros(%M)", "call @zeros_1()",
                     "func.func private @zeros(%arg0: index"});
  EXPECT_EQ(count(ir, "func.func private"), 2u);
}

TEST(Helpers, TakeTuplesOfScalarsAndTiles) {
  expectInOrder(generate(R"(@pl.jit.inline
def pick(pair, which):
    (a, b), c = pair
    return a if which == 0 else b * c
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], n: pl.FP32, out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    t = x + 1.0
    out[:] = pick(((t, t * 2.0), n), 1)
)"),
                {"call @pick(",
                 ", %arg1) : (!pl.tile<[8], f32>, "
                 "!pl.tile<[8], f32>, f32)",
                 "pl.name = \"pair.0\"", "pl.name = \"pair.2\"", "pl.mul"});
}

TEST(Helpers, TellDictsApartByWhatIsInThem) {
  // The dicts of the first two calls are gone by the time of the next.
  std::string ir = generate(R"(@pl.jit.inline
def scale(t, options):
    return t * options["by"]
KEPT = {"by": 3.0}
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    a = scale(x, {"by": 2.0})
    b = scale(x, {"by": 3.0})
    c = scale(x, {"by": 4.0, "why": None})
    out[:] = a + b + c + scale(x, KEPT) + scale(x, {"by": 2.0})
)");
  expectInOrder(ir, {"call @scale(", "call @scale_1(", "call @scale_2(",
                     "call @scale_1(", "call @scale(", "2.000000e+00",
                     "3.000000e+00", "4.000000e+00"});
  EXPECT_EQ(count(ir, "func.func private"), 3u);
}

TEST(Helpers, TellTuplesApartByWhatIsInThem) {
  std::string ir = generate(R"(@pl.jit.inline
def number(t, names):
    return t * len(names)
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    out[:] = number(x, ("a", "b")) + number(x, ("a';the string 'b",))
    out[:] = number(x, ({"a": 1}, "b")) + number(x, ({"a": 1}, "b"))
)");
  EXPECT_EQ(count(ir, "func.func private"), 3u);
}

TEST(Helpers, DistinguishSymbolsOfOneName) {
  // `A` and `B` are both called M in messages and are two sizes; only `A` is
  // one that the helper knows.
  std::string body = R"(A = pl.dynamic("M")
B = pl.dynamic("M")
OF_A = (A, A + 1)
OF_B = (B, A + 1)
@pl.jit.inline
def size(x: pl.Tensor[[A], pl.FP32], dims):
    return pl.cast(dims[0] * dims[1], pl.FP32)
@pl.jit
def k(x: pl.Tensor[[A], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    out[0] = size(x, OF_A)
    out[1] = size(x, (OF_A[0], OF_A[1]))
    out[2] = size(x, OF_A)
)";
  std::string ir = generate(body);
  expectInOrder(ir, {"call @size(", "call @size_1(", "call @size("});
  EXPECT_EQ(count(ir, "func.func private"), 2u);
  EXPECT_EQ(diagnose(body + "    out[3] = size(x, OF_B)\n", "k"),
            "12:25: error: the symbol M is not the extent of any parameter of "
            "'size'\n"
            "7:5: note: declared here\n"
            "18:14: note: in this call of 'size'\n");
}

TEST(Helpers, RefuseTensorsInTuples) {
  EXPECT_EQ(diagnose(R"(@pl.jit.inline
def pick(pair):
    return pair[0]
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    out[:] = pick((x, 1))
)",
                     "k"),
            "11:19: error: 'pair' of 'pick' is given a tuple with a tensor in "
            "it; pass the tensor by itself, got a tuple of 2\n");
}

TEST(Helpers, RefuseRunTimeValuesInDicts) {
  EXPECT_EQ(diagnose(R"(@pl.jit.inline
def pick(options):
    return options["a"]
@pl.jit.inline
def pack(t):
    return {"a": t}
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    here = {"a": x + 1.0}
    out[:] = here["a"]
    out[:] = pick(here)
    out[:] = pack(x + 1.0)["a"]
)",
                     "k"),
            "16:19: error: 'options' of 'pick' is given a dict with a run-time "
            "value in it; pass the value by itself, got a dict of 1\n"
            "11:5: error: a dict with a run-time value in it cannot be "
            "returned; return a tuple\n"
            "17:14: note: in this call of 'pack'\n");
}

TEST(Helpers, TakeOtherHelpers) {
  expectInOrder(
      generate(R"(@pl.jit.inline
def double(t):
    return t * 2.0
@pl.jit.inline
def negate(t):
    return -t
@pl.jit.inline
def apply(f, t):
    return f(t)
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    out[:] = apply(double, apply(negate, x))
)"),
      {"call @apply(", "call @apply_1(", "call @negate", "call @double"});
}

TEST(Helpers, TakeConstantsAsTheyAre) {
  const char *source = R"(@pl.jit.inline
def head(t, n: pl.constexpr, scale: pl.constexpr[pl.FP32] = 2.0):
    return pl.load(t, [0, 0], [n, 128]) * scale
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[0:8] = head(x, 8)
    out[0:4] = head(x, n=4, scale=3.0)
)";
  EXPECT_EQ(count(generate(source), "func.func private"), 2u);
  EXPECT_EQ(diagnose(R"(@pl.jit.inline
def head(t, n: pl.constexpr):
    return t[0:n]
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], n: pl.INDEX, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = head(x, n)
)",
                     "k"),
            "11:22: error: 'n' of 'head' is pl.constexpr and must be known at "
            "compile time, got an INDEX scalar\n");
}

TEST(Helpers, TakeRunTimeScalarsHoweverTheyAreSpelt) {
  expectInOrder(generate(R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]], a: pl.Scalar[pl.FP32] = pl.RUNTIME):
    out[:] = x * a
)"),
                {"%arg2: f32", "pl.mul"});
}

TEST(Helpers, GiveNestedTuples) {
  expectInOrder(generate(R"(@pl.jit.inline
def parts(t):
    return (t + 1.0, (t - 1.0, 3)), t
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    (a, (b, n)), c = parts(x)
    out[:] = a * b + c * n
)"),
                {"%0:2 = call @parts", "pl.mul %0#0, %0#1"});
}

TEST(Helpers, AreSharedByAllWhoCallThem) {
  std::string ir = generate(R"(@pl.jit.inline
def base(t):
    return t + 1.0
@pl.jit.inline
def left(t):
    return base(t) * 2.0
@pl.jit.inline
def right(t):
    return base(t) * 3.0
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    out[:] = left(x[:] + 0.0) + right(x[:] + 0.0)
)");
  EXPECT_EQ(count(ir, "func.func private @base"), 1u);
  EXPECT_EQ(count(ir, "call @base"), 2u);
}

TEST(Helpers, TakeEveryShapeAndType) {
  std::string ir = generate(R"(@pl.jit.inline
def double(t):
    return t + t
@pl.jit
def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Tensor[[4], pl.INT32], out: pl.Out[pl.Tensor[[M, 8], pl.FP32]], z: pl.Out[pl.Tensor[[4], pl.INT32]]):
    out[:] = double(x)
    z[:] = double(y)
    z[0] = double(y[1])
)");
  EXPECT_EQ(count(ir, "func.func private @double"), 3u);
}

TEST(Helpers, ThatCallThemselvesAreShownWithTheCircle) {
  EXPECT_EQ(diagnose(R"(@pl.jit.inline
def a(t):
    return b(t)
@pl.jit.inline
def b(t):
    return a(t)
@pl.jit
def k(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    out[:] = a(x)
)",
                     "k"),
            "11:12: error: 'a' calls itself: a -> b -> a; kernels have no "
            "recursion, use a loop\n"
            "8:12: note: in this call of 'b'\n"
            "14:14: note: in this call of 'a'\n");
}

TEST(Helpers, AreFoundInNestedRegions) {
  expectInOrder(generate(R"(@pl.jit.inline
def h(t):
    return t + 1.0
@pl.jit
def k(x: pl.Tensor[[M, 8], pl.FP32], go: pl.Scalar[pl.BOOL], out: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    for i in pl.parallel(0, M, 4):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[i : i + 4] = h(x[i : i + 4]) if go else x[i : i + 4]
)"),
                {"pl.parallel", "pl.at", "scf.if", "call @h"});
}
