// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CpuFixture.h"

using namespace tegula;

namespace {

class CpuMatmul : public CpuTest {
protected:
  struct Variant {
    bool transposeLhs = false, transposeRhs = false;
  };

  /// C = A B in tiles of 16 x 64, with the accumulator carried over K in steps
  /// of 32.
  static std::string source(const std::string &type, const std::string &sum,
                            Variant variant) {
    std::string text = R"(
func.func @matmul(%a: !pl.tensor<[?, ?], T>, %b: !pl.tensor<[?, ?], T>, %c: !pl.tensor<[?, ?], S>) {
  %M = pl.bind "M" %a[AM], %c[0] : !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], S>
  %K = pl.bind "K" %a[AK], %b[BK] : !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], T>
  %N = pl.bind "N" %b[BN], %c[1] : !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], S>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant ZERO : S
  pl.parallel %i = %c0 to %M step %c16 independent {
    scf.for %j = %c0 to %N step %c64 {
      %cs = pl.slice %c[%i, %j] [%c16, %c64] : !pl.tensor<[?, ?], S> -> !pl.tensor<[upto 16, upto 64], S>
      %m = pl.dim %cs[0] : !pl.tensor<[upto 16, upto 64], S>
      %n = pl.dim %cs[1] : !pl.tensor<[upto 16, upto 64], S>
      %init = pl.full %zero, [%m, %n] : S -> !pl.tile<[upto 16, upto 64], S>
      %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %init) -> (!pl.tile<[upto 16, upto 64], S>) {
        %as = pl.slice %a[AOFF] [ASIZE] : !pl.tensor<[?, ?], T> -> !pl.tensor<[ADIMS], T>
        %bs = pl.slice %b[BOFF] [BSIZE] : !pl.tensor<[?, ?], T> -> !pl.tensor<[BDIMS], T>
        %at = pl.load %as : !pl.tensor<[ADIMS], T>
        %bt = pl.load %bs : !pl.tensor<[BDIMS], T>
        %next = pl.matmul %at, %bt acc %acc ATTRS : !pl.tile<[ADIMS], T>, !pl.tile<[BDIMS], T>, !pl.tile<[upto 16, upto 64], S>
        scf.yield %next : !pl.tile<[upto 16, upto 64], S>
      }
      pl.store %sum, %cs : !pl.tile<[upto 16, upto 64], S>, !pl.tensor<[upto 16, upto 64], S>
    }
  }
  return
})";
    bool l = variant.transposeLhs, r = variant.transposeRhs;
    std::string attributes = l && r ? "{transpose_lhs, transpose_rhs}"
                             : l    ? "{transpose_lhs}"
                             : r    ? "{transpose_rhs}"
                                    : "";
    std::pair<const char *, std::string> words[] = {
        {", T>", ", " + type + ">"},
        {", S>", ", " + sum + ">"},
        {" S -", " " + sum + " -"},
        {"ZERO : S", (sum[0] == 'i' ? "0 : " : "0.0 : ") + sum},
        {"[AM]", l ? "[1]" : "[0]"},
        {"[AK]", l ? "[0]" : "[1]"},
        {"[BK]", r ? "[1]" : "[0]"},
        {"[BN]", r ? "[0]" : "[1]"},
        {"AOFF", l ? "%k, %i" : "%i, %k"},
        {"ASIZE", l ? "%c32, %c16" : "%c16, %c32"},
        {"ADIMS", l ? "upto 32, upto 16" : "upto 16, upto 32"},
        {"BOFF", r ? "%j, %k" : "%k, %j"},
        {"BSIZE", r ? "%c64, %c32" : "%c32, %c64"},
        {"BDIMS", r ? "upto 64, upto 32" : "upto 32, upto 64"},
        {"ATTRS", attributes}};
    for (auto &[from, to] : words)
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
           at += to.size())
        text.replace(at, std::string(from).size(), to);
    return text;
  }
};

} // namespace

TEST_F(CpuMatmul, MultipliesAtEverySize) {
  compile(source("f32", "f32", {}));
  for (int64_t m : {0, 1, 7, 16, 17, 41})
    for (int64_t n : {0, 1, 16, 47, 48, 49, 64, 130})
      for (int64_t k : {0, 1, 31, 32, 33}) {
        TestTensor a(DType::FP32, {m, k}), b(DType::FP32, {k, n}),
            c(DType::FP32, {m, n});
        check({&a.fill(1), &b.fill(2), &c.fill(3)}, 2e-5);
      }
}

TEST_F(CpuMatmul, MultipliesEveryTypeAndVariant) {
  for (auto [dtype, type, sumType, sum] :
       {std::tuple(DType::FP32, "f32", DType::FP32, "f32"),
        std::tuple(DType::FP64, "f64", DType::FP64, "f64"),
        std::tuple(DType::FP16, "f16", DType::FP32, "f32"),
        std::tuple(DType::BF16, "bf16", DType::FP32, "f32"),
        std::tuple(DType::FP8E4M3FN, "f8E4M3FN", DType::FP32, "f32"),
        std::tuple(DType::FP8E5M2, "f8E5M2", DType::FP32, "f32"),
        std::tuple(DType::Int4, "i4", DType::Int32, "i32"),
        std::tuple(DType::UInt4, "ui4", DType::Int32, "i32"),
        std::tuple(DType::Int8, "i8", DType::Int32, "i32"),
        std::tuple(DType::UInt8, "ui8", DType::Int32, "i32"),
        std::tuple(DType::Int16, "i16", DType::Int16, "i16"),
        std::tuple(DType::Int32, "i32", DType::Int32, "i32"),
        std::tuple(DType::Int64, "i64", DType::Int64, "i64")})
    for (bool l : {false, true})
      for (bool r : {false, true}) {
        // Operands that are widened are packed whatever their layout.
        if (dtype != DType::FP32 && l != r)
          continue;
        SCOPED_TRACE(std::string(type) + (l ? " lhs" : "") + (r ? " rhs" : ""));
        compile(source(type, sum, {l, r}));
        for (int64_t n : {5, 64, 77}) {
          int64_t m = 19, k = 37;
          TestTensor a(dtype, l ? std::vector<int64_t>{k, m}
                                : std::vector<int64_t>{m, k});
          TestTensor b(dtype, r ? std::vector<int64_t>{n, k}
                                : std::vector<int64_t>{k, n});
          TestTensor c(sumType, {m, n});
          check({&a.fill(1), &b.fill(2), &c.fill(3)}, 2e-5);
        }
      }
}

TEST_F(CpuMatmul, TakesAnyStrides) {
  compile(source("f32", "f32", {}));
  TestTensor a(DType::FP32, {21, 40}, {1, 21}),
      b(DType::FP32, {40, 70}, {2, 100}), c(DType::FP32, {21, 70}, {-150, 2});
  check({&a.fill(1), &b.fill(2), &c.fill(3)}, 2e-5);
}
