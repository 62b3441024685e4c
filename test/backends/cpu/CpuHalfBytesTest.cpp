// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors whose elements lie two to a byte, at offsets, lengths and strides of
// any parity. The fixture also compares what lies around them.

#include "test/backends/cpu/CpuFixture.h"

using namespace tegula;

namespace {
struct CpuHalfBytes : CpuTest {
  /// The text with `T` replaced.
  static std::string withType(std::string text, const std::string &type) {
    for (size_t at = text.find(" T>"); at != std::string::npos;
         at = text.find(" T>", at))
      text.replace(at, 3, " " + type + ">");
    return text;
  }
};
} // namespace

/// z[i:i+3, j:j+n] = 2 * x[i:i+3, j:j+n] for a window anywhere.
static constexpr const char *windowKernel = R"(
  func.func @f(%x: !pl.tensor<[?, ?], T>, %z: !pl.tensor<[?, ?], T>,
               %i: index, %j: index, %n: index) {
    %M = pl.bind "M" %x[0], %z[0] : !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], T>
    %N = pl.bind "N" %x[1], %z[1] : !pl.tensor<[?, ?], T>, !pl.tensor<[?, ?], T>
    %c3 = arith.constant 3 : index
    %c70 = arith.constant 70 : index
    %m = arith.minsi %n, %c70 : index
    %v = pl.slice %x[%i, %j] [%c3, %m] : !pl.tensor<[?, ?], T> -> !pl.tensor<[upto 3, upto 70], T>
    %w = pl.slice %z[%i, %j] [%c3, %m] : !pl.tensor<[?, ?], T> -> !pl.tensor<[upto 3, upto 70], T>
    %a = pl.load %v : !pl.tensor<[upto 3, upto 70], T>
    %b = pl.add %a, %a : !pl.tile<[upto 3, upto 70], T>, !pl.tile<[upto 3, upto 70], T>
    pl.store %b, %w : !pl.tile<[upto 3, upto 70], T>, !pl.tensor<[upto 3, upto 70], T>
    return
  })";

TEST_F(CpuHalfBytes, MovesWindowsOfEveryParity) {
  for (auto [dtype, name] :
       {std::pair(DType::Int4, "i4"), std::pair(DType::UInt4, "ui4")}) {
    SCOPED_TRACE(name);
    compile(withType(windowKernel, name));
    for (int64_t columns : {1, 2, 7, 67})
      for (int64_t j : {0, 1, 2, 5})
        for (int64_t n : {0, 1, 2, 3, 33, 64}) {
          TestTensor x(dtype, {5, columns}), z(dtype, {5, columns});
          check({&x.fill(1), &z.fill(2), pl::Scalar::ofIndex(1),
                 pl::Scalar::ofIndex(j), pl::Scalar::ofIndex(n)});
        }
  }
}

TEST_F(CpuHalfBytes, TakesAnyStrides) {
  compile(withType(windowKernel, "i4"));
  for (std::vector<int64_t> in :
       {std::vector<int64_t>{40, 1}, {-40, 1}, {1, 7}, {37, -1}, {0, 1}})
    for (std::vector<int64_t> out : {std::vector<int64_t>{40, 1}, {1, 7}}) {
      TestTensor x(DType::Int4, {5, 33}, in), z(DType::Int4, {5, 33}, out);
      check({&x.fill(1), &z.fill(2), pl::Scalar::ofIndex(1),
             pl::Scalar::ofIndex(3), pl::Scalar::ofIndex(29)});
    }
}

/// Each iteration writes three elements, so that neighbours share bytes.
TEST_F(CpuHalfBytes, IterationsThatShareBytesKeepEachOthersHalves) {
  compile(R"(
    func.func @f(%x: !pl.tensor<[?], i4>, %z: !pl.tensor<[?], i4>) {
      %N = pl.bind "N" %x[0], %z[0] : !pl.tensor<[?], i4>, !pl.tensor<[?], i4>
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      pl.parallel %i = %c0 to %N step %c3 independent {
        %v = pl.slice %x[%i] [%c3] : !pl.tensor<[?], i4> -> !pl.tensor<[upto 3], i4>
        %w = pl.slice %z[%i] [%c3] : !pl.tensor<[?], i4> -> !pl.tensor<[upto 3], i4>
        %a = pl.load %v : !pl.tensor<[upto 3], i4>
        pl.store %a, %w : !pl.tile<[upto 3], i4>, !pl.tensor<[upto 3], i4>
      }
      return
    })");
  for (int round = 0; round < 20; ++round) {
    TestTensor x(DType::Int4, {20001}), z(DType::Int4, {20001});
    check({&x.fill(round), &z.fill(round + 1)});
  }
}

TEST_F(CpuHalfBytes, ReadsAndWritesSingleElements) {
  compile(R"(
    func.func @f(%x: !pl.tensor<[?, ?], i4>, %z: !pl.tensor<[?, ?], i4>, %i: index, %j: index) {
      %M = pl.bind "M" %x[0], %z[0] : !pl.tensor<[?, ?], i4>, !pl.tensor<[?, ?], i4>
      %N = pl.bind "N" %x[1], %z[1] : !pl.tensor<[?, ?], i4>, !pl.tensor<[?, ?], i4>
      %s = pl.read %x[%i, %j] : !pl.tensor<[?, ?], i4>
      pl.write %s, %z[%j, %i] : i4, !pl.tensor<[?, ?], i4>
      return
    })");
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 5; ++j) {
      TestTensor x(DType::Int4, {5, 5}), z(DType::Int4, {5, 5});
      check({&x.fill(1), &z.fill(2), pl::Scalar::ofIndex(i),
             pl::Scalar::ofIndex(j)});
    }
}

/// A tensor that the kernel makes, and one in another shape that is a copy.
TEST_F(CpuHalfBytes, KeepsTensorsOfTheKernelPacked) {
  compile(R"(
    func.func @f(%x: !pl.tensor<[?, ?], i4>, %z: !pl.tensor<[?], i4>) {
      %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], i4>
      %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], i4>
      %L = pl.bind "L" %z[0] : !pl.tensor<[?], i4>
      %n = arith.muli %M, %N : index
      %c0 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %t = pl.create_tensor [%n] : !pl.tensor<[?], i4>
      %v = pl.view %x, [%n] : !pl.tensor<[?, ?], i4> -> !pl.tensor<[?], i4>
      scf.for %i = %c0 to %n step %c9 {
        %from = pl.slice %v[%i] [%c9] : !pl.tensor<[?], i4> -> !pl.tensor<[upto 9], i4>
        %to = pl.slice %t[%i] [%c9] : !pl.tensor<[?], i4> -> !pl.tensor<[upto 9], i4>
        %a = pl.load %from : !pl.tensor<[upto 9], i4>
        pl.store %a, %to : !pl.tile<[upto 9], i4>, !pl.tensor<[upto 9], i4>
      }
      scf.for %i = %c0 to %n step %c9 {
        %from = pl.slice %t[%i] [%c9] : !pl.tensor<[?], i4> -> !pl.tensor<[upto 9], i4>
        %to = pl.slice %z[%i] [%c9] : !pl.tensor<[?], i4> -> !pl.tensor<[upto 9], i4>
        %a = pl.load %from : !pl.tensor<[upto 9], i4>
        pl.store %a, %to : !pl.tile<[upto 9], i4>, !pl.tensor<[upto 9], i4>
      }
      return
    })");
  for (int64_t columns : {1, 4, 7})
    for (int64_t pitch : {8, 7}) {
      TestTensor x(DType::Int4, {5, columns}, {pitch, 1}),
          z(DType::Int4, {5 * columns});
      check({&x.fill(1), &z.fill(2)});
    }
}
