// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of tiles, alone and added to another tile. Whatever the sizes of a
// call decide is decided both ways here.

#include "CpuFixture.h"

using namespace tegula;

namespace {

/// The types of operands and accumulators, and which operands are transposed.
struct Variant {
  DType dtype = DType::FP32, sum = DType::FP32;
  std::string type = "f32", sumType = "f32";
  bool transposeLhs = false, transposeRhs = false;
};

class CpuTileMatmul : public CpuTest {
protected:
  /// plain = A B and added = A B + start.
  static std::string source(const Variant &variant) {
    std::string text = R"(
func.func @matmul(%a: !pl.tensor<[?, ?], T>, %b: !pl.tensor<[?, ?], T>, %start: !pl.tensor<[?, ?], S>, %plain: !pl.tensor<[?, ?], S>, %added: !pl.tensor<[?, ?], S>) {
  %c0 = arith.constant 0 : index
  %c80 = arith.constant 80 : index
  %as = pl.slice %a[%c0, %c0] [%c80, %c80] : !pl.tensor<[?, ?], T> -> !pl.tensor<[upto 80, upto 80], T>
  %bs = pl.slice %b[%c0, %c0] [%c80, %c80] : !pl.tensor<[?, ?], T> -> !pl.tensor<[upto 80, upto 80], T>
  %ss = pl.slice %start[%c0, %c0] [%c80, %c80] : !pl.tensor<[?, ?], S> -> !pl.tensor<[upto 80, upto 80], S>
  %x = pl.load %as : !pl.tensor<[upto 80, upto 80], T>
  %y = pl.load %bs : !pl.tensor<[upto 80, upto 80], T>
  %z = pl.load %ss : !pl.tensor<[upto 80, upto 80], S>
  %p = pl.matmul %x, %y ATTRS : !pl.tile<[upto 80, upto 80], T>, !pl.tile<[upto 80, upto 80], T>
  %q = pl.matmul %x, %y acc %z ATTRS : !pl.tile<[upto 80, upto 80], T>, !pl.tile<[upto 80, upto 80], T>, !pl.tile<[upto 80, upto 80], S>
  pl.store %p, %plain : !pl.tile<[upto 80, upto 80], S>, !pl.tensor<[?, ?], S>
  pl.store %q, %added : !pl.tile<[upto 80, upto 80], S>, !pl.tensor<[?, ?], S>
  return
})";
    std::string attributes = variant.transposeLhs ? "transpose_lhs" : "";
    if (variant.transposeRhs)
      attributes += attributes.empty() ? "transpose_rhs" : ", transpose_rhs";
    if (!attributes.empty())
      attributes = "{" + attributes + "}";
    std::pair<const char *, std::string> words[] = {
        {", T>", ", " + variant.type + ">"},
        {", S>", ", " + variant.sumType + ">"},
        {"ATTRS", attributes}};
    for (auto &[from, to] : words)
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
           at += to.size())
        text.replace(at, std::string(from).size(), to);
    return text;
  }

  void check(const Variant &variant, int64_t m, int64_t n, int64_t k) {
    using Sizes = std::vector<int64_t>;
    TestTensor a(variant.dtype,
                 variant.transposeLhs ? Sizes{k, m} : Sizes{m, k});
    TestTensor b(variant.dtype,
                 variant.transposeRhs ? Sizes{n, k} : Sizes{k, n});
    TestTensor start(variant.sum, {m, n}), plain(variant.sum, {m, n}),
        added(variant.sum, {m, n});
    a.fill(1);
    b.fill(2);
    start.fill(3);
    ASSERT_EQ(call({&a, &b, &start, &plain, &added}).error, 0);
    auto at = [](TestTensor &tensor, int64_t row, int64_t column) {
      return readElement(tensor.at(tensor.start + row * tensor.strides[0] +
                                   column * tensor.strides[1]),
                         tensor.dtype);
    };
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < n; ++column) {
        double wanted = 0;
        for (int64_t step = 0; step < k; ++step)
          wanted +=
              (variant.transposeLhs ? at(a, step, row) : at(a, row, step)) *
              (variant.transposeRhs ? at(b, column, step)
                                    : at(b, step, column));
        double bound = isFloat(variant.sum) ? 1e-6 * (k + 4) : 0;
        ASSERT_NEAR(at(plain, row, column), wanted, bound)
            << m << " x " << n << " x " << k << " at " << row << ", " << column;
        ASSERT_NEAR(at(added, row, column), wanted + at(start, row, column),
                    bound)
            << m << " x " << n << " x " << k << " at " << row << ", " << column;
      }
  }

  /// Sizes around register tiles, with each side narrow, and empty.
  void checkSizes(const Variant &variant = {}) {
    for (auto [m, n, k] : {std::array<int64_t, 3>{0, 5, 3},
                           {5, 0, 3},
                           {5, 7, 0},
                           {1, 1, 1},
                           {1, 80, 64},
                           {1, 70, 9},
                           {2, 17, 33},
                           {4, 64, 16},
                           {5, 64, 16},
                           {37, 4, 33},
                           {7, 1, 40},
                           {28, 64, 64},
                           {31, 49, 17},
                           {80, 80, 80}})
      check(variant, m, n, k);
  }
};

} // namespace

TEST_F(CpuTileMatmul, EveryDecisionIsRightBothWays) {
  for (bool transposed : {false, true})
    for (Decision packs : {Decision::Always, Decision::Never})
      for (Decision copies : {Decision::Always, Decision::Never})
        for (Decision narrow : {Decision::Always, Decision::Never}) {
          SCOPED_TRACE("packs " + std::to_string(int(packs)) + " copies " +
                       std::to_string(int(copies)) + " narrow " +
                       std::to_string(int(narrow)));
          options.tuning = {packs, copies, narrow};
          Variant variant;
          variant.transposeRhs = transposed;
          compile(source(variant));
          checkSizes(variant);
        }
}

TEST_F(CpuTileMatmul, EveryTypeIsMultiplied) {
  for (const Variant &type :
       {Variant{DType::FP64, DType::FP64, "f64", "f64"},
        Variant{DType::FP16, DType::FP32, "f16", "f32"},
        Variant{DType::BF16, DType::FP32, "bf16", "f32"},
        Variant{DType::Int8, DType::Int32, "i8", "i32"},
        Variant{DType::UInt8, DType::Int32, "ui8", "i32"}})
    for (bool lhs : {false, true})
      for (bool rhs : {false, true}) {
        SCOPED_TRACE(type.type);
        Variant variant = type;
        variant.transposeLhs = lhs;
        variant.transposeRhs = rhs;
        compile(source(variant));
        checkSizes(variant);
      }
}

TEST_F(CpuTileMatmul, NarrowVectorsDo) {
  options = *CpuOptions::forCpu("x86-64-v3");
  for (bool transposed : {false, true}) {
    Variant variant;
    variant.transposeRhs = transposed;
    compile(source(variant));
    checkSizes(variant);
  }
}
