// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../ir/CastCases.h"
#include "CpuFixture.h"

using namespace tegula;

namespace {

class CpuReduce : public CpuTest {
protected:
  /// y = reduce(x) along the axis, in tiles of 8 x 64.
  static std::string source(const std::string &kind, int axis,
                            const std::string &type) {
    std::string x = "!pl.tensor<[?, ?], " + type + ">";
    std::string xs = "!pl.tensor<[upto 8, upto 64], " + type + ">";
    std::string tile = "!pl.tile<[upto 8, upto 64], " + type + ">";
    std::string dims = axis ? "[upto 8, 1], " : "[1, upto 64], ";
    std::string yType = "!pl.tensor<[?, ?], " + type + ">";
    std::string at = axis ? "[%i, %c0] [%c8, %c1]" : "[%c0, %c0] [%c1, %c64]";
    std::string ys = "!pl.tensor<" + dims + type + ">";
    return "func.func @f(%x: " + x + ", %y: " + yType + ") {\n" +
           "%M = pl.bind \"M\" %x[0] : " + x + "\n" +
           "%N = pl.bind \"N\" %x[1] : " + x + "\n" +
           "%P = pl.bind \"P\" %y[0] : " + x + "\n" +
           "%Q = pl.bind \"Q\" %y[1] : " + x + "\n" +
           "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
           "%c8 = arith.constant 8 : index\n%c64 = arith.constant 64 : index\n"
           "scf.for %i = %c0 to %M step %c8 {\n"
           "%xs = pl.slice %x[%i, %c0] [%c8, %c64] : " +
           x + " -> " + xs + "\n%t = pl.load %xs : " + xs +
           "\n%r = pl.reduce " + kind + " %t axis " + std::to_string(axis) +
           " : " + tile + "\n%ys = pl.slice %y" + at + " : " + yType + " -> " +
           ys + "\npl.store %r, %ys : !pl.tile<" + dims + type + ">, " + ys +
           "\n}\nreturn\n}";
  }
};

} // namespace

TEST_F(CpuReduce, ReducesEveryKindAlongBothAxes) {
  for (const char *kind : {"sum", "prod", "max", "min"})
    for (int axis : {0, 1})
      for (auto [dtype, name] : elementTypes) {
        if (dtype == DType::Bool)
          continue;
        SCOPED_TRACE(std::string(kind) + " " + name);
        compile(source(kind, axis, name));
        for (int64_t n : {0, 1, 15, 16, 17, 37, 64}) {
          TestTensor x(dtype, {11, n}), y(dtype, {axis ? 11 : 1, axis ? 1 : n});
          // Partial sums are added in another order than the oracle does.
          check({&x.fill(1), &y.fill(2)}, getSize(dtype) == 1    ? 0.26
                                          : dtype == DType::BF16 ? 1e-2
                                          : dtype == DType::FP16 ? 1e-3
                                                                 : 2e-5);
        }
      }
}

/// NaN in one place of each row, another one in every row.
TEST_F(CpuReduce, PropagatesNaN) {
  for (auto [dtype, type] :
       {std::pair(DType::FP32, "f32"), std::pair(DType::FP64, "f64")})
    for (const char *kind : {"max", "min"}) {
      compile(source(kind, 1, type));
      for (int64_t n : {1, 15, 16, 17, 50, 64}) {
        SCOPED_TRACE(std::string(kind) + " " + type + " " + std::to_string(n));
        TestTensor x(dtype, {n + 1, n}), y(dtype, {n + 1, 1});
        x.fill(1);
        for (int64_t row = 0; row < n; ++row)
          writeElement(x.bytes.data() +
                           (x.start + row * n + row) * getSize(dtype),
                       dtype, NAN);
        check({&x, &y});
      }
    }
}

/// What lanes beyond the row hold is no part of it, NaN least of all.
TEST_F(CpuReduce, IgnoresLanesBeyondTheRow) {
  std::string kernel = source("max", 1, "f32");
  size_t at = kernel.find("%r = pl.reduce max %t");
  kernel.replace(at, 21,
                 "%q = pl.div %t, %t : !pl.tile<[upto 8, upto 64], f32>, "
                 "!pl.tile<[upto 8, upto 64], f32>\n%r = pl.reduce max %q");
  compile(kernel);
  for (int64_t n : {1, 17, 50, 63}) {
    TestTensor x(DType::FP32, {3, n}), y(DType::FP32, {3, 1});
    check({&x.fill(1), &y});
  }
}

static const char *softmaxKernel = R"(
func.func @softmax(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c96 = arith.constant 96 : index
  pl.parallel %i = %c0 to %M step %c4 independent {
    %xs = pl.slice %x[%i, %c0] [%c4, %c96] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 4, upto 96], f32>
    %ys = pl.slice %y[%i, %c0] [%c4, %c96] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 4, upto 96], f32>
    %t = pl.load %xs : !pl.tensor<[upto 4, upto 96], f32>
    %m = pl.reduce max %t axis 1 : !pl.tile<[upto 4, upto 96], f32>
    %n = pl.dim %t[1] : !pl.tile<[upto 4, upto 96], f32>
    %mb = pl.broadcast %m, [%c4, %n] : !pl.tile<[upto 4, 1], f32> -> !pl.tile<[upto 4, upto 96], f32>
    %d = pl.sub %t, %mb : !pl.tile<[upto 4, upto 96], f32>, !pl.tile<[upto 4, upto 96], f32>
    %e = pl.exp %d : !pl.tile<[upto 4, upto 96], f32>
    %s = pl.reduce sum %e axis 1 : !pl.tile<[upto 4, upto 96], f32>
    %sb = pl.broadcast %s, [%c4, %n] : !pl.tile<[upto 4, 1], f32> -> !pl.tile<[upto 4, upto 96], f32>
    %r = pl.div %e, %sb : !pl.tile<[upto 4, upto 96], f32>, !pl.tile<[upto 4, upto 96], f32>
    pl.store %r, %ys : !pl.tile<[upto 4, upto 96], f32>, !pl.tensor<[upto 4, upto 96], f32>
  }
  return
})";

TEST_F(CpuReduce, FusesSoftmax) {
  compile(softmaxKernel);
  for (int64_t m : {1, 4, 7, 130})
    for (int64_t n : {1, 16, 45, 96}) {
      TestTensor x(DType::FP32, {m, n}), y(DType::FP32, {m, n});
      check({&x.fill(1), &y.fill(2)}, 1e-6);
    }
  TestTensor x(DType::FP32, {9, 33}, {1, 9}), y(DType::FP32, {9, 33}, {-1, 9});
  check({&x.fill(1), &y.fill(2)}, 1e-6);
}

TEST_F(CpuReduce, EmptyMaximumIsFiniteWhereThereIsNoInfinity) {
  compile(source("max", 1, "f8E4M3FN"));
  TestTensor x(DType::FP8E4M3FN, {3, 0}), y(DType::FP8E4M3FN, {3, 1});
  check({&x, &y});
  EXPECT_EQ(readElement(y.bytes.data() + y.start, y.dtype), -448);
}
