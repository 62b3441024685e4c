// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on shapes of many ranks: compiled code against the interpreter.

#include "tegula/runtime/Check.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/support/Array.h"
#include "gtest/gtest.h"

#include <random>

using namespace tegula;

namespace {

using Shape = std::vector<int64_t>;

/// One kernel, the types of its tensors, and the shapes of each call.
struct CheckedKernel {
  const char *name;
  const char *text;
  std::vector<DType> dtypes;
  std::vector<std::vector<Shape>> calls;
};

/// Small numbers, many of them equal; all bits of what is written are set.
void fill(const Array &array, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> numbers(-9, 9);
  DType dtype = array.getDType();
  forEachElement(array.getView(), [&](char *element) {
    double number = numbers(random);
    writeElement(element, dtype, isUnsigned(dtype) ? number + 9 : number / 2);
  });
}

class ShapesCheck : public testing::TestWithParam<CheckedKernel> {};

TEST_P(ShapesCheck, AgreesWithTheInterpreter) {
  const CheckedKernel &checked = GetParam();
  KernelSource source{"kernel.py", "",
                      std::string("import tegula.language as pl\n"
                                  "B = pl.dynamic('B')\nM = pl.dynamic('M')\n"
                                  "K = pl.dynamic('K')\nN = pl.dynamic('N')\n"
                                  "@pl.jit\n") +
                          checked.text};
  Expected<Kernel> kernel = loadKernel(source);
  ASSERT_TRUE(static_cast<bool>(kernel)) << llvm::toString(kernel.takeError());
  for (const std::vector<Shape> &shapes : checked.calls)
    for (Array::Order order :
         {Array::Order::RowMajor, Array::Order::ColumnMajor}) {
      std::vector<Array> arrays;
      std::vector<Argument> arguments;
      for (size_t i = 0; i < shapes.size(); ++i) {
        Expected<Array> array =
            Array::create(shapes[i], checked.dtypes[i], order);
        ASSERT_TRUE(static_cast<bool>(array));
        fill(*array, static_cast<unsigned>(i));
        arrays.push_back(std::move(*array));
      }
      for (const Array &array : arrays)
        arguments.push_back(array.getView());
      Expected<CheckReport> report = checkCall(*kernel, arguments);
      ASSERT_TRUE(static_cast<bool>(report))
          << llvm::toString(report.takeError());
      for (const Comparison &output : report->outputs)
        EXPECT_TRUE(output.agrees()) << output.firstWrong;
    }
}

constexpr DType f32 = DType::FP32, f16 = DType::FP16, i32 = DType::Int32;

const CheckedKernel kernels[] = {
    {"BatchedMatmul",
     R"(def k(a: pl.Tensor[[B, M, K], pl.FP16], b: pl.Tensor[[1, N, K], pl.FP16], y: pl.Out[pl.Tensor[[B, M, N], pl.FP32]]):
    y[:] = pl.matmul(a, b, b_trans=True)
)",
     {f16, f16, f32},
     {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
      {{0, 3, 4}, {1, 2, 4}, {0, 3, 2}},
      {{3, 7, 33}, {1, 65, 33}, {3, 7, 65}}}},
    {"BatchedSum",
     R"(def k(a: pl.Tensor[[B, M, K], pl.INT8], b: pl.Tensor[[K, N], pl.INT8], y: pl.Out[pl.Tensor[[B, M, N], pl.INT32]]):
    acc = pl.full([B, M, N], dtype=pl.INT32, value=3)
    y[:] = pl.matmul_acc(acc, a, b) * 2
)",
     {DType::Int8, DType::Int8, i32},
     {{{2, 5, 0}, {0, 3}, {2, 5, 3}}, {{2, 17, 31}, {31, 33}, {2, 17, 33}}}},
    {"Reshapes",
     R"(def k(x: pl.Tensor[[B, M, 12], pl.FP32], y: pl.Out[pl.Tensor[[N, 3, 4], pl.FP32]], z: pl.Out[pl.Tensor[[K], pl.FP32]]):
    pl.store(pl.reshape(x, [B * M, 3, 4]), [0, 0, 0], y)
    pl.store(pl.reshape(pl.transpose(x * 2.0, 0, 1), [-1]), [0], z)
)",
     {f32, f32, f32},
     {{{0, 3, 12}, {0, 3, 4}, {0}},
      {{1, 1, 12}, {1, 3, 4}, {12}},
      {{3, 5, 12}, {15, 3, 4}, {180}}}},
    {"PartlyValidReshapes",
     R"(def k(x: pl.Tensor[[M, 6], pl.FP32], y: pl.Out[pl.Tensor[[N, 2], pl.FP32]]):
    for i in pl.parallel(0, M, 4):
        t = pl.reshape(pl.load(x, [i, 0], [4, 6]), [12, 2])
        pl.store(t + 1.0, [3 * i, 0], y)
)",
     {f32, f32},
     {{{1, 6}, {3, 2}}, {{4, 6}, {12, 2}}, {{7, 6}, {21, 2}}}},
    {"Sort",
     R"(def k(x: pl.Tensor[[B, M, N], pl.FP32], v: pl.Out[pl.Tensor[[B, M, N], pl.FP32]], i: pl.Out[pl.Tensor[[B, M, N], pl.INT32]]):
    v[:], i[:] = pl.sort(x, axis=1, descending=True)
)",
     {f32, f32, i32},
     {{{1, 0, 1}, {1, 0, 1}, {1, 0, 1}}, {{2, 33, 3}, {2, 33, 3}, {2, 33, 3}}}},
    {"TopK",
     R"(def k(x: pl.Tensor[[M, N], pl.INT32], v: pl.Out[pl.Tensor[[M, 4], pl.INT32]], i: pl.Out[pl.Tensor[[M, 4], pl.INT32]]):
    values, indices = pl.topk(x, 4)
    v[:] = values
    i[:] = indices
)",
     {i32, i32, i32},
     {{{3, 0}, {3, 4}, {3, 4}},
      {{3, 3}, {3, 4}, {3, 4}},
      {{5, 97}, {5, 4}, {5, 4}}}},
    {"SortAndMergePairs",
     R"(def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, N], pl.UINT32], y: pl.Out[pl.Tensor[[M, K], pl.FP32]], z: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
    pairs = pl.sort32(x, i)
    pl.store(pl.mrgsort(pairs, block_len=64), [0, 0], y)
    half = pl.sort32(x[:, 0 : N // 2], i[:, 0 : N // 2])
    rest = pl.sort32(x[:, N // 2 : N], i[:, N // 2 : N])
    pl.store(pl.mrgsort(half, rest), [0, 0], z)
)",
     {f32, DType::UInt32, f32, f32},
     {{{2, 1}, {2, 1}, {2, 2}, {2, 2}},
      {{3, 33}, {3, 33}, {3, 66}, {3, 66}},
      {{2, 300}, {2, 300}, {2, 600}, {2, 600}}}},
    {"ArgReductions",
     R"(def k(x: pl.Tensor[[B, M, N], pl.FP32], r: pl.Out[pl.Tensor[[B, M, 1], pl.INT32]], c: pl.Out[pl.Tensor[[B, 1, N], pl.INT32]]):
    r[:] = pl.row_argmax(x)
    c[:] = pl.col_argmin(x * 2.0)
)",
     {f32, i32, i32},
     {{{2, 0, 3}, {2, 0, 1}, {2, 1, 3}},
      {{2, 3, 0}, {2, 3, 1}, {2, 1, 0}},
      {{3, 7, 97}, {3, 7, 1}, {3, 1, 97}}}},
};

INSTANTIATE_TEST_SUITE_P(Kernels, ShapesCheck, testing::ValuesIn(kernels),
                         [](const auto &info) { return info.param.name; });

} // namespace
