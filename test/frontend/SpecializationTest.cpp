// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a call is fixed, and why.
#include "test/frontend/KernelSource.h"

using namespace tegula;

static ArgumentSpec tensor(std::vector<std::optional<int64_t>> shape) {
  return {true, DType::FP32, std::move(shape)};
}
static ArgumentSpec integer(int64_t value) {
  ArgumentSpec spec = {false, DType::Index, {}};
  spec.integer = value;
  return spec;
}
static ArgumentSpec real(double value) {
  ArgumentSpec spec = {false, DType::FP32, {}};
  spec.real = value;
  return spec;
}

static const char *const unrolled = R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], n: pl.INDEX, m: pl.INDEX, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    acc = x + m
    for i in pl.unroll(n):
        acc = acc + i
    out[:] = acc
)";

TEST(Specialization, FixesOnlyTheNumberThatIsNeeded) {
  std::string ir =
      generate(unrolled, {tensor({7}), integer(3), integer(5), tensor({7})});
  expectInOrder(ir, {"pl.constant = 3 : i64, pl.name = \"n\", pl.reason = "
                     "\"line 9: the bounds of unroll() must be known at "
                     "compile time; use pl.range\"",
                     "pl.name = \"m\""});
  EXPECT_EQ(ir.find("pl.constant"), ir.rfind("pl.constant")) << ir;
}

TEST(Specialization, FixesNothingThatIsNotNeeded) {
  std::string ir = generate(R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], n: pl.INDEX, a, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    t = pl.full([n], pl.FP32, 0.0)
    for i in pl.range(n):
        t = t + a
    out[0:n] = t
)",
                            {tensor({7}), integer(3), real(0.5), tensor({7})});
  EXPECT_EQ(ir.find("pl.constant"), std::string::npos) << ir;
}

TEST(Specialization, FixesWhatDecidesAStaticAssertion) {
  const char *source = R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], a: pl.FP32, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    pl.static_assert(a > 0.25)
    out[:] = x * a
)";
  expectInOrder(generate(source, {tensor({7}), real(0.5), tensor({7})}),
                {"pl.constant = 4602678819172646912", "pl.reason", "line 8"});
}

TEST(Specialization, AlwaysFixesConstexpr) {
  expectInOrder(
      generate(R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], n: pl.constexpr, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * n
)",
               {tensor({7}), integer(3), tensor({7})}),
      {"pl.constant = 3", "it is declared as pl.constexpr", "3.000000e+00"});
}

TEST(Specialization, ReportsMistakesOnceAndAsTheyAre) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<std::string> messages;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          messages.push_back(diagnostic.str());
                                          return mlir::success();
                                        });
  auto module =
      generateModule(context, kernelFile(R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], n: pl.INDEX, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    for i in pl.unroll(n):
        out[:] = x + nobody
)"),
                     "k.py", "k", {tensor({7}), integer(2), tensor({7})});
  EXPECT_FALSE(module);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0], "name 'nobody' is not defined");
}

static const char *const open = R"(@pl.jit(dynamic=True)
def k(x, bias, out: pl.Out[pl.Tensor]):
    out[:] = x + bias
)";

TEST(Specialization, KeepsOpenAxesDynamicWhenAsked) {
  std::string ir =
      generate(open, {tensor({7, 128}), tensor({1, 128}), tensor({7, 128})});
  expectInOrder(ir, {"%arg0: !pl.tensor<[?, ?], f32>",
                     "%arg1: !pl.tensor<[1, ?], f32>",
                     "pl.reason = \"axis 0: an extent of 1 broadcasts\"",
                     "%arg2: !pl.tensor<[?, ?], f32>"});
}

TEST(Specialization, FixesTheAxisThatMustBeKnown) {
  expectInOrder(generate(R"(@pl.jit(dynamic=True)
def k(x, out: pl.Out[pl.Tensor]):
    acc = x + 0.0
    for i in pl.unroll(x.shape[1]):
        acc = acc + i
    out[:] = acc
)",
                         {tensor({7, 3}), tensor({7, 3})}),
                {"%arg0: !pl.tensor<[?, 3], f32>", "axis 1: line 9",
                 "%arg1: !pl.tensor<[?, ?], f32>"});
}

TEST(Specialization, SaysWhatIsReturned) {
  std::string ir = generate(R"(@pl.jit
def k(a: pl.Out[pl.Tensor[[M], pl.FP32]], x: pl.Tensor[[M], pl.FP32], b: pl.Out[pl.Tensor[[M], pl.FP32]]):
    a[:] = x
    b[:] = x
    return b, a
)");
  expectInOrder(ir, {"pl.results = array<i64: 2, 0>"});
}
