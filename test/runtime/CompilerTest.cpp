// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/Check.h"

#include "gtest/gtest.h"
#include <numeric>
#include <thread>

using namespace tegula;

static const char *const addText = R"py(
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = x + y
)py";

static const char *const openText = R"py(
import tegula.language as pl


@pl.jit
def double(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    y[:] = x + x
)py";

/// Loads the only kernel of `text`.
static Kernel load(const char *text) {
  Expected<Kernel> kernel = loadKernel(KernelSource{"test.py", "", text});
  if (!kernel) {
    ADD_FAILURE() << llvm::toString(kernel.takeError());
    std::abort();
  }
  return *kernel;
}

static std::string call(const Kernel &kernel,
                        llvm::ArrayRef<Argument> arguments) {
  return llvm::toString(kernel(arguments));
}

/// 0, 1, 2, ...
static std::vector<float> count(size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(Compiler, CompilesOnceForEverySize) {
  uint64_t before = getCompileCount();
  Kernel add = load(addText);
  std::vector<float> x = count(10000), y = count(10000), out(10000);
  for (int64_t m : {0, 1, 2, 15, 16, 17, 63, 97})
    for (int64_t n : {0, 1, 7, 16, 31, 100}) {
      ASSERT_EQ(
          call(add, {TensorView(x.data(), {m, n}), TensorView(y.data(), {m, n}),
                     TensorView(out.data(), {m, n})}),
          "");
      for (int64_t index = 0; index < m * n; ++index)
        ASSERT_EQ(out[index], 2 * x[index]) << m << " x " << n;
    }
  EXPECT_EQ(add.getCompileCount(), 1u);
  EXPECT_EQ(getCompileCount() - before, 1u);
}

TEST(Compiler, KeepsNamesOfKernelsFromThoseOfLibraries) {
  const char *text = R"py(
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def pow(x: pl.Tensor[[M], pl.FP64], y: pl.Out[pl.Tensor[[M], pl.FP64]]):
    y[:] = pl.pow(x, 3.0) + pl.exp(x - x)
)py";
  Kernel kernel = load(text);
  std::vector<double> x = {0, 1, 2, 3, 4}, y(5);
  ASSERT_EQ(
      call(kernel, {TensorView(x.data(), {5}), TensorView(y.data(), {5})}), "");
  EXPECT_EQ(y, std::vector<double>({1, 2, 9, 28, 65}));
}

TEST(Compiler, WritesNothingOutsideTheOutput) {
  Kernel add = load(addText);
  std::vector<float> x = count(100), out(200, -1.0f);
  // Rows of 7 in a buffer of rows of 10, with room around it.
  ASSERT_EQ(
      call(add, {TensorView(x.data(), {9, 7}), TensorView(x.data(), {9, 7}),
                 TensorView(out.data() + 20, {9, 7}, {10, 1})}),
      "");
  for (int64_t index = 0; index < 200; ++index) {
    int64_t row = (index - 20) / 10, column = (index - 20) % 10;
    bool isOutput = index >= 20 && row < 9 && column < 7;
    EXPECT_EQ(out[index], isOutput ? 2 * x[row * 7 + column] : -1.0f);
  }
}

TEST(Compiler, FollowsEveryStride) {
  Kernel add = load(addText);
  std::vector<float> x = count(100), out(100);
  TensorView plain(x.data(), {6, 8});
  // Backwards, transposed, and one row for all.
  TensorView backwards(x.data() + 47, {6, 8}, {-8, -1});
  TensorView transposed(x.data(), {6, 8}, {1, 6});
  TensorView repeated(x.data(), {6, 8}, {0, 1});
  auto valueOf = [](const TensorView &view, int64_t i, int64_t j) {
    return static_cast<const float *>(
        view.data)[i * view.strides[0] + j * view.strides[1]];
  };
  for (const TensorView &lhs : {plain, backwards, transposed, repeated})
    for (const TensorView &target :
         {TensorView(out.data(), {6, 8}),
          TensorView(out.data(), {6, 8}, {1, 6}),
          TensorView(out.data() + 47, {6, 8}, {-8, -1}),
          TensorView(out.data(), {6, 8}, {16, 2})}) {
      ASSERT_EQ(call(add, {lhs, plain, target}), "");
      for (int64_t i = 0; i < 6; ++i)
        for (int64_t j = 0; j < 8; ++j)
          ASSERT_EQ(valueOf(target, i, j),
                    valueOf(lhs, i, j) + valueOf(plain, i, j));
    }
  EXPECT_EQ(add.getCompileCount(), 1u);
}

TEST(Compiler, RefusesWrongCalls) {
  Kernel add = load(addText);
  std::vector<float> x = count(100), out(100);
  TensorView view(x.data(), {4, 5});
  EXPECT_EQ(call(add, {view, view}),
            "kernel 'add' takes 3 arguments (x, y, out), got 2");
  EXPECT_EQ(call(add, {view, TensorView(x.data(), {3, 5}),
                       TensorView(out.data(), {4, 5})}),
            "argument 'y': axis 0 is 3, but M is 4 (from argument 'x' axis 0)");
  EXPECT_EQ(call(add, {view, view, view}),
            "argument 'out' is written and shares memory with argument 'x'");
}

TEST(Compiler, ShowsMistakesInTheSource) {
  Expected<Kernel> kernel = loadKernel(KernelSource{
      "bad.py", "",
      "import tegula.language as pl\n\n\n@pl.jit\n"
      "def f(x: pl.Out[pl.Tensor[[4], pl.FP32]]):\n    x[:] = unknown\n"});
  ASSERT_FALSE(static_cast<bool>(kernel));
  Error error = kernel.takeError();
  EXPECT_TRUE(error.isA<KernelError>());
  std::string message = llvm::toString(std::move(error));
  EXPECT_NE(message.find("bad.py:6:12: error: "), std::string::npos) << message;
  EXPECT_NE(message.find("      x[:] = unknown\n             ^"),
            std::string::npos)
      << message;
}

TEST(Compiler, RefusesEntriesThatCannotBeCalled) {
  const char *const entry = "attributes {pl.kind = #pl.kind<entry>}";
  auto errorOf = [&](const std::string &text) {
    return llvm::toString(
        loadKernel(KernelSource{"test.mlir", "", text}).takeError());
  };
  EXPECT_NE(errorOf("").find("no function is marked as entry"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string("func.func private @f(%a: index) ") + entry)
                .find("the entry has no body"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string("func.func @f(%a: memref<4xf32>) ") + entry +
                    " { return }")
                .find("parameter 0 is 'memref<4xf32>', a !pl.tensor or a "
                      "number is wanted"),
            std::string::npos);
}

TEST(Compiler, RefusesOpenTensorsThatCannotBe) {
  Kernel kernel = load(openText);
  std::vector<int64_t> nine(9, 1);
  float x = 0, y = 0;
  EXPECT_EQ(call(kernel, {TensorView(&x, DType::FP32, nine),
                          TensorView(&y, DType::FP32, nine)}),
            "argument 0: a tensor has at most 8 axes, and one stride for each");
  EXPECT_EQ(call(kernel, {TensorView(&x, {-3}), TensorView(&y, {-3})}),
            "argument 0: axis 0 is -3, an extent cannot be negative");
}

TEST(Compiler, SpecialisesWhatIsLeftOpen) {
  Kernel twice = load(openText);
  EXPECT_TRUE(twice.getSignature().isOpen());
  EXPECT_EQ(twice.getCompileCount(), 0u);
  std::vector<float> x = count(12), y(12);
  std::vector<double> u(12, 1.5), v(12);
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(call(twice, {TensorView(x.data(), {3, 4}),
                           TensorView(y.data(), {3, 4})}),
              "");
    EXPECT_EQ(y[11], 22.0f);
    ASSERT_EQ(
        call(twice, {TensorView(u.data(), {12}), TensorView(v.data(), {12})}),
        "");
    EXPECT_EQ(v[11], 3.0);
  }
  EXPECT_EQ(twice.getCompileCount(), 2u);
  EXPECT_EQ(call(twice, {TensorView(x.data(), {3, 4})}),
            "kernel 'double' takes 2 arguments (x, y), got 1");
}

TEST(Compiler, SpecialisesOnNumbersTheProgramNeeds) {
  Kernel power = load(R"(
import tegula.language as pl

M = pl.dynamic("M")

@pl.jit
def power(x: pl.Tensor[[M], pl.FP32], n: pl.Scalar[pl.INDEX],
          out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    t = x
    for i in pl.unroll(n):
        t = t * x
    out[:] = t
)");
  std::vector<float> x = count(5), y(5);
  for (auto [n, expected] :
       {std::pair(0, 4.0f), std::pair(2, 64.0f), std::pair(0, 4.0f)}) {
    ASSERT_EQ(
        call(power, {TensorView(x.data(), {5}), n, TensorView(y.data(), {5})}),
        "");
    EXPECT_EQ(y[4], expected);
  }
  EXPECT_EQ(power.getCompileCount(), 2u);
}

TEST(Compiler, CompilesOnceForThreadsThatComeTogether) {
  Kernel twice = load(openText);
  std::atomic<int> failures = 0, ready = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number)
    threads.emplace_back([&] {
      std::vector<float> x = count(35), y(35);
      ++ready;
      while (ready < 8)
        std::this_thread::yield();
      for (int round = 0; round < 50; ++round) {
        y.assign(35, 0.0f);
        if (!call(twice,
                  {TensorView(x.data(), {5, 7}), TensorView(y.data(), {5, 7})})
                 .empty() ||
            y[34] != 68.0f)
          ++failures;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(twice.getCompileCount(), 1u);
}

TEST(Compiler, OutlivesItsFirstHandle) {
  std::optional<Kernel> first = load(addText);
  Kernel second = *first;
  first.reset();
  std::vector<float> x = count(4), out(4);
  EXPECT_EQ(
      call(second, {TensorView(x.data(), {2, 2}), TensorView(x.data(), {2, 2}),
                    TensorView(out.data(), {2, 2})}),
      "");
  EXPECT_EQ(out[3], 6.0f);
}

TEST(Check, ComparesWithTheInterpreter) {
  Kernel add = load(addText);
  std::vector<float> x = count(100), out(100, -1.0f);
  std::vector<Argument> arguments = {
      TensorView(x.data(), {9, 11}), TensorView(x.data(), {9, 11}, {1, 9}),
      TensorView(out.data() + 98, {9, 11}, {-11, -1})};
  Expected<CheckReport> report = checkCall(add, arguments);
  ASSERT_TRUE(static_cast<bool>(report));
  ASSERT_EQ(report->outputs.size(), 1u);
  EXPECT_TRUE(report->agrees());
  EXPECT_EQ(report->outputs[0].numElements, 99);
  // The caller's memory is as it was.
  EXPECT_EQ(out, std::vector<float>(100, -1.0f));
  Expected<std::optional<Culprit>> culprit = bisectCall(add, arguments);
  ASSERT_TRUE(static_cast<bool>(culprit));
  EXPECT_FALSE(*culprit);
}
