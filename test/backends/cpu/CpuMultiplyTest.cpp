// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of whole matrices. Whatever the sizes of a call decide is decided
// both ways here.

#include "CpuFixture.h"

using namespace tegula;

namespace {

/// The types of operands and accumulators, and which operands are transposed.
struct Variant {
  std::string type = "f32", sum = "f32";
  bool transposeLhs = false, transposeRhs = false;
};

class CpuMultiply : public CpuTest {
protected:
  static std::string source(const Variant &variant) {
    std::string text = R"(
func.func @matmul(%a: !pl.tensor<[?, ?], T>, %b: !pl.tensor<[?, ?], T>, %c: !pl.tensor<[?, ?], S>) {
  pl.matmul_into %a, %b into %c ATTRS : !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], S>
  return
})";
    std::string attributes = variant.transposeLhs ? "transpose_lhs" : "";
    if (variant.transposeRhs)
      attributes += attributes.empty() ? "transpose_rhs" : ", transpose_rhs";
    if (!attributes.empty())
      attributes = "{" + attributes + "}";
    std::pair<const char *, std::string> words[] = {
        {", T>", ", " + variant.type + ">"},
        {", S>", ", " + variant.sum + ">"},
        {"ATTRS", attributes}};
    for (auto &[from, to] : words)
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
           at += to.size())
        text.replace(at, std::string(from).size(), to);
    return text;
  }

  /// Calls the kernel and compares with double precision, of which those of
  /// integers are exact.
  void checkMatmul(TestTensor &a, TestTensor &b, TestTensor &c,
                   const Variant &variant = {}) {
    a.fill(1);
    b.fill(2);
    c.fill(3);
    std::vector<char> before = c.bytes;
    ASSERT_EQ(call({&a, &b, &c}).error, 0);
    auto at = [](TestTensor &tensor, int64_t row, int64_t column) {
      return tensor.at(tensor.start + row * tensor.strides[0] +
                       column * tensor.strides[1]);
    };
    int64_t inner = a.sizes[variant.transposeLhs ? 0 : 1];
    for (int64_t row = 0; row < c.sizes[0]; ++row)
      for (int64_t column = 0; column < c.sizes[1]; ++column) {
        double wanted = 0;
        for (int64_t k = 0; k < inner; ++k)
          wanted +=
              readElement(variant.transposeLhs ? at(a, k, row) : at(a, row, k),
                          a.dtype) *
              readElement(variant.transposeRhs ? at(b, column, k)
                                               : at(b, k, column),
                          b.dtype);
        double found = readElement(at(c, row, column), c.dtype);
        double bound = isFloat(c.dtype) ? 1e-6 * (inner + 4) : 0;
        ASSERT_NEAR(found, wanted, bound)
            << c.sizes[0] << " x " << c.sizes[1] << " x " << inner << " at "
            << row << ", " << column;
        // What is outside the result must be as before.
        int64_t offset = at(c, row, column) - c.bytes.data();
        std::copy_n(before.data() + offset, getSize(c.dtype),
                    c.bytes.data() + offset);
      }
    ASSERT_EQ(c.bytes, before) << "writes outside the result";
  }

  void checkSizes(const Variant &variant, DType dtype, DType sum,
                  std::initializer_list<std::array<int64_t, 3>> sizes) {
    for (auto [m, n, k] : sizes) {
      TestTensor a(dtype, variant.transposeLhs ? std::vector<int64_t>{k, m}
                                               : std::vector<int64_t>{m, k});
      TestTensor b(dtype, variant.transposeRhs ? std::vector<int64_t>{n, k}
                                               : std::vector<int64_t>{k, n});
      TestTensor c(sum, {m, n});
      checkMatmul(a, b, c, variant);
    }
  }

  /// Sizes around tiles, and with each side narrow, and empty.
  void checkSizes(const Variant &variant = {}, DType dtype = DType::FP32,
                  DType sum = DType::FP32) {
    checkSizes(variant, dtype, sum,
               {{0, 5, 3},    {5, 0, 3},    {5, 7, 0},     {1, 1, 1},
                {1, 100, 9},  {2, 70, 23},  {2, 4, 40},    {7, 1, 40},
                {37, 4, 33},  {37, 3, 5},   {14, 32, 16},  {13, 31, 15},
                {15, 33, 17}, {29, 49, 64}, {31, 16, 70},  {43, 129, 66},
                {37, 36, 40}, {4, 67, 3},   {3, 100, 9},   {4, 99, 0},
                {4, 193, 33}, {5, 97, 1},   {6, 110, 300}, {7, 47, 20},
                {9, 48, 20},  {11, 200, 40}});
  }
};

} // namespace

TEST_F(CpuMultiply, EveryDecisionIsRightBothWays) {
  for (Decision packs : {Decision::Always, Decision::Never})
    for (Decision copies : {Decision::Always, Decision::Never})
      for (Decision narrow : {Decision::Always, Decision::Never}) {
        SCOPED_TRACE("packs " + std::to_string(int(packs)) + " copies " +
                     std::to_string(int(copies)) + " narrow " +
                     std::to_string(int(narrow)));
        options.tuning = {packs, copies, narrow};
        compile(source({}));
        checkSizes();
      }
}

TEST_F(CpuMultiply, BlocksJoinAtEverySide) {
  for (Decision packs : {Decision::Always, Decision::Never}) {
    options.tuning.packs = packs;
    compile(source({}));
    checkSizes({}, DType::FP32, DType::FP32,
               {{15, 545, 1027},
                {3, 130, 2100},
                {17, 600, 20},
                {9, 100, 1300},
                {33, 200, 1290}});
  }
}

TEST_F(CpuMultiply, SizesDecide) {
  compile(source({}));
  checkSizes();
  checkSizes({}, DType::FP32, DType::FP32,
             {{130, 520, 520},
              {16, 64, 256},
              {1, 5000, 20},
              {150, 2, 1000},
              {390, 820, 801},
              {10, 2100, 1001}});
}

TEST_F(CpuMultiply, OperandsMayBeTransposed) {
  for (bool lhs : {false, true})
    for (bool rhs : {false, true})
      for (Decision copies : {Decision::Always, Decision::Never}) {
        options.tuning.copies = copies;
        Variant variant = {"f32", "f32", lhs, rhs};
        compile(source(variant));
        checkSizes(variant);
      }
}

TEST_F(CpuMultiply, FewRowsAreMultipliedInPlace) {
  for (const char *cpu : {"", "x86-64-v3"})
    for (auto [dtype, type, sumType, sum] :
         {std::tuple(DType::FP32, "f32", DType::FP32, "f32"),
          std::tuple(DType::FP64, "f64", DType::FP64, "f64"),
          std::tuple(DType::BF16, "bf16", DType::FP32, "f32"),
          std::tuple(DType::FP16, "f16", DType::FP32, "f32"),
          std::tuple(DType::Int8, "i8", DType::Int32, "i32")})
      for (Decision narrow : {Decision::Always, Decision::BySize}) {
        SCOPED_TRACE(std::string(type) + " " + cpu);
        options = *cpu ? *CpuOptions::forCpu(cpu) : CpuOptions::forHost();
        options.tuning.narrow = narrow;
        Variant variant = {type, sum, false, true};
        compile(source(variant));
        checkSizes(variant, dtype, sumType,
                   {{1, 17, 16},
                    {2, 3, 33},
                    {3, 16, 100},
                    {4, 19, 48},
                    {5, 2, 161},
                    {6, 35, 256},
                    {8, 1, 96},
                    {11, 16, 400},
                    {20, 18, 640},
                    {21, 18, 700},
                    {28, 15, 336},
                    {29, 15, 400}});
      }
}

TEST_F(CpuMultiply, EveryTypeIsMultiplied) {
  for (auto [dtype, type, sumType, sum] :
       {std::tuple(DType::FP64, "f64", DType::FP64, "f64"),
        std::tuple(DType::FP16, "f16", DType::FP32, "f32"),
        std::tuple(DType::BF16, "bf16", DType::FP32, "f32"),
        std::tuple(DType::Int8, "i8", DType::Int32, "i32"),
        std::tuple(DType::UInt8, "ui8", DType::Int32, "i32"),
        std::tuple(DType::Int8, "i8", DType::FP32, "f32"),
        std::tuple(DType::UInt8, "ui8", DType::FP32, "f32"),
        std::tuple(DType::FP8E4M3FN, "f8E4M3FN", DType::FP32, "f32"),
        std::tuple(DType::FP8E5M2, "f8E5M2", DType::FP32, "f32"),
        std::tuple(DType::Int32, "i32", DType::Int32, "i32")})
    for (bool transposed : {false, true}) {
      SCOPED_TRACE(type);
      Variant variant = {type, sum, transposed, transposed};
      compile(source(variant));
      checkSizes(variant, dtype, sumType);
    }
}

TEST_F(CpuMultiply, TensorsMayBeStrided) {
  compile(source({}));
  int64_t m = 17, n = 37, k = 21;
  TestTensor a(DType::FP32, {m, k}, {3 * k, 2}),
      b(DType::FP32, {k, n}, {3 * n, 3});
  for (std::vector<int64_t> strides :
       {std::vector<int64_t>{n + 5, 1}, std::vector<int64_t>{1, m + 2},
        std::vector<int64_t>{2 * n, 2}, std::vector<int64_t>{-n, 1}}) {
    TestTensor c(DType::FP32, {m, n}, strides);
    checkMatmul(a, b, c);
  }
}

TEST_F(CpuMultiply, ThreadsShareRowsAndColumns) {
  options.leastParallelWork = 1;
  for (unsigned threads : {2, 3, 7, 12}) {
    options.tuning.threads = threads;
    compile(source({}));
    checkSizes();
    checkSizes({}, DType::FP32, DType::FP32,
               {{200, 40, 30},
                {40, 300, 30},
                {1, 300, 30},
                {300, 1, 30},
                {60, 70, 40},
                {70, 130, 40}});
  }
}

/// Vectors of the rhs are aligned if it is possible: rows begin with a
/// part of one then, or with a whole one. What caches hold is prefetched.
TEST_F(CpuMultiply, RowsThatAreStreamedBeginAnywhere) {
  for (auto [dtype, type] :
       {std::tuple(DType::FP32, "f32"), std::tuple(DType::BF16, "bf16")})
    for (const char *cpu : {"", "uncached", "x86-64-v3"}) {
      bool isHost = *cpu != 'x', isOutOfCache = *cpu == 'u';
      options = isHost ? CpuOptions::forHost() : *CpuOptions::forCpu(cpu);
      // No cache holds the operand: nothing is prefetched.
      if (isOutOfCache)
        options.leastStreamed = 0;
      options.tuning.narrow = Decision::Always;
      compile(source({type, "f32"}));
      for (int64_t beyond : {0, 1, 4, 7, 8, 12, 15, 16})
        for (auto [m, n, k] :
             std::initializer_list<std::array<int64_t, 3>>{{1, 130, 1},
                                                           {1, 129, 8},
                                                           {1, 135, 17},
                                                           {2, 140, 16},
                                                           {2, 131, 23},
                                                           {1, 4100, 9},
                                                           {2, 4099, 8}}) {
          SCOPED_TRACE(std::string(type) + " " + cpu + " from " +
                       std::to_string(beyond));
          TestTensor a(dtype, {m, k}), b(dtype, {k, n}, {n + beyond, 1}),
              c(DType::FP32, {m, n});
          b.start += beyond;
          checkMatmul(a, b, c);
        }
    }
}

/// A loop of one iteration leaves the threads to the matmul in it; one of
/// several does not.
TEST_F(CpuMultiply, ThreadsShareMatmulsInLoops) {
  options.leastParallelWork = 1;
  options.tuning.threads = 3;
  compile(R"(
func.func @blocks(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 64 : index
  %rows = pl.dim %c[0] : !pl.tensor<[?, ?], f32>
  %columns = pl.dim %c[1] : !pl.tensor<[?, ?], f32>
  %inner = pl.dim %a[1] : !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %rows step %step independent {
    %from = pl.slice %a[%i, %c0] [%step, %inner] : <[?, ?], f32> -> <[upto 64, ?], f32>
    %to = pl.slice %c[%i, %c0] [%step, %columns] : <[?, ?], f32> -> <[upto 64, ?], f32>
    pl.matmul_into %from, %b into %to : !pl.tensor<[upto 64, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[upto 64, ?], f32>
  }
  return
})");
  checkSizes({}, DType::FP32, DType::FP32,
             {{1, 300, 30},
              {17, 100, 30},
              {64, 200, 40},
              {65, 200, 40},
              {200, 97, 33},
              {200, 1, 33}});
}

TEST_F(CpuMultiply, NarrowVectorsDo) {
  options = *CpuOptions::forCpu("x86-64-v3");
  for (Decision narrow :
       {Decision::BySize, Decision::Always, Decision::Never}) {
    options.tuning.narrow = narrow;
    compile(source({}));
    checkSizes();
  }
}
