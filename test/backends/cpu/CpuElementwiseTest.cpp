// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CpuFixture.h"

using namespace tegula;

static const char *addKernel = R"(
func.func @add(%x: !pl.tensor<[?, ?], T>, %y: !pl.tensor<[?, ?], T>, %z: !pl.tensor<[?, ?], T>) {
  %M = pl.bind "M" %x[0], %y[0], %z[0] : !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], T>
  %N = pl.bind "N" %x[1], %y[1], %z[1] : !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], T>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %M step %c8 independent {
    scf.for %j = %c0 to %N step %c32 {
      %xs = pl.slice %x[%i, %j] [%c8, %c32] : !pl.tensor<[?, ?], T> -> !pl.tensor<[upto 8, upto 32], T>
      %ys = pl.slice %y[%i, %j] [%c8, %c32] : !pl.tensor<[?, ?], T> -> !pl.tensor<[upto 8, upto 32], T>
      %zs = pl.slice %z[%i, %j] [%c8, %c32] : !pl.tensor<[?, ?], T> -> !pl.tensor<[upto 8, upto 32], T>
      %a = pl.load %xs : !pl.tensor<[upto 8, upto 32], T>
      %b = pl.load %ys : !pl.tensor<[upto 8, upto 32], T>
      %c = pl.add %a, %b : !pl.tile<[upto 8, upto 32], T>, !pl.tile<[upto 8, upto 32], T>
      pl.store %c, %zs : !pl.tile<[upto 8, upto 32], T>, !pl.tensor<[upto 8, upto 32], T>
    }
  }
  return
})";

static std::string replaceAll(std::string text, const std::string &from,
                              const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

static const std::pair<DType, const char *> numberTypes[] = {
    {DType::Int8, "i8"},
    {DType::Int16, "i16"},
    {DType::Int32, "i32"},
    {DType::Int64, "i64"},
    {DType::UInt8, "ui8"},
    {DType::UInt16, "ui16"},
    {DType::UInt32, "ui32"},
    {DType::UInt64, "ui64"},
    {DType::FP16, "f16"},
    {DType::BF16, "bf16"},
    {DType::FP32, "f32"},
    {DType::FP64, "f64"},
    {DType::Int4, "i4"},
    {DType::UInt4, "ui4"},
    {DType::FP8E4M3FN, "f8E4M3FN"},
    {DType::FP8E5M2, "f8E5M2"}};

namespace {
using CpuElementwise = CpuTest;
}

/// Windows of whole rows, as one row where all tensors have them one after the
/// other, and as rows where one has not: both by the same code.
TEST_F(CpuElementwise, CollapsesContiguousRows) {
  compile(replaceAll(addKernel, " T>", " f32>"));
  for (int64_t n : {1, 15, 31, 32})
    for (int padded = 0; padded < 8; ++padded) {
      SCOPED_TRACE(n * 10 + padded);
      auto strides = [&](int which) {
        return std::vector<int64_t>{padded >> which & 1 ? n + 3 : n, 1};
      };
      TestTensor x(DType::FP32, {19, n}, strides(0)),
          y(DType::FP32, {19, n}, strides(1)),
          z(DType::FP32, {19, n}, strides(2));
      check({&x.fill(1), &y.fill(2), &z.fill(3)});
    }
}

TEST_F(CpuElementwise, AddsAtEverySize) {
  compile(replaceAll(addKernel, " T>", " f32>"));
  for (int64_t m : {0, 1, 7, 8, 9, 131})
    for (int64_t n : {0, 1, 15, 16, 17, 31, 32, 33, 127}) {
      TestTensor x(DType::FP32, {m, n}), y(DType::FP32, {m, n}),
          z(DType::FP32, {m, n});
      check({&x.fill(1), &y.fill(2), &z.fill(3)});
    }
}

TEST_F(CpuElementwise, AddsEveryType) {
  for (auto [dtype, name] : numberTypes) {
    SCOPED_TRACE(name);
    compile(replaceAll(addKernel, " T>", std::string(" ") + name + ">"));
    for (int64_t n : {1, 33, 70}) {
      TestTensor x(dtype, {9, n}), y(dtype, {9, n}), z(dtype, {9, n});
      check({&x.fill(1), &y.fill(2), &z.fill(3)});
    }
  }
}

TEST_F(CpuElementwise, TakesAnyStrides) {
  compile(replaceAll(addKernel, " T>", " f32>"));
  std::vector<std::vector<int64_t>> layouts = {
      {40, 1}, {1, 13}, {-40, 1}, {40, -1}, {-80, -2}, {0, 1}, {1, 0}};
  for (auto &in : layouts)
    for (auto &out : layouts) {
      if (out[0] == 0 || out[1] == 0)
        continue;
      TestTensor x(DType::FP32, {13, 37}, in), y(DType::FP32, {13, 37}, out),
          z(DType::FP32, {13, 37}, out);
      check({&x.fill(1), &y.fill(2), &z.fill(3)});
    }
}
