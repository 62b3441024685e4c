// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CpuFixture.h"

using namespace tegula;

namespace {

class CpuShapes : public CpuTest {
protected:
  /// A function of x: [M, N] and y: [P, Q]. %t is the tile of x, at most 8 x
  /// 24; %r, of type !R, is stored in y.
  void checkBody(const std::string &resultDims, const std::string &body) {
    std::string rank = std::to_string(
        1 + std::count(resultDims.begin(), resultDims.end(), ','));
    bool isMatrix = rank == "2";
    compile(R"(
!X = !pl.tensor<[?, ?], f32>
!V = !pl.tensor<[upto 8, upto 24], f32>
!T = !pl.tile<[upto 8, upto 24], f32>
!R = !pl.tile<[)" +
            resultDims + R"(], f32>
)" +
            std::string(isMatrix ? "!Y = !pl.tensor<[?, ?], f32>\n"
                                 : "!Y = !pl.tensor<[?, ?, ?], f32>\n") +
            R"(
func.func @f(%x: !X, %y: !Y, %n: index) {
  %M = pl.bind "M" %x[0] : !X
  %N = pl.bind "N" %x[1] : !X
  %P = pl.bind "P" %y[0] : !Y
  %Q = pl.bind "Q" %y[1] : !Y
  )" + std::string(isMatrix ? "" : "%Z = pl.bind \"Z\" %y[2] : !Y\n") +
            R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %c99 = arith.constant 99 : index
  %one = arith.constant 1.0 : f32
  %xs = pl.slice %x[%c0, %c0] [%c8, %c24] : !X -> !V
  %t = pl.load %xs : !V
  %m = pl.dim %t[0] : !T
  %w = pl.dim %t[1] : !T
)" + body +
            (isMatrix ? R"(
  %ys = pl.slice %y[%c0, %c0] [%c99, %c99] : !Y -> !pl.tensor<[upto 99, upto 99], f32>
  pl.store %r, %ys : !R, !pl.tensor<[upto 99, upto 99], f32>
  return
})"
                      : R"(
  %ys = pl.slice %y[%c0, %c0, %c0] [%c99, %c99, %c99] : !Y -> !pl.tensor<[upto 99, upto 99, upto 99], f32>
  pl.store %r, %ys : !R, !pl.tensor<[upto 99, upto 99, upto 99], f32>
  return
})"));
    for (int64_t m : {1, 5, 8, 11})
      for (int64_t n : {1, 7, 24, 30})
        for (bool isStrided : {false, true}) {
          std::vector<int64_t> steps =
              isStrided ? std::vector<int64_t>{1, m} : std::vector<int64_t>{};
          std::vector<int64_t> yShape = isMatrix
                                            ? std::vector<int64_t>{30, 50}
                                            : std::vector<int64_t>{9, 10, 50};
          TestTensor x(DType::FP32, {m, n}, steps), y(DType::FP32, yShape);
          check({&x.fill(1), &y.fill(2), pl::Scalar::ofIndex(2)}, 1e-5);
        }
  }
};

} // namespace

TEST_F(CpuShapes, Transposes) {
  checkBody("upto 24, upto 8", R"(
  %e = pl.exp %t : !T
  %r = pl.transpose %e [1, 0] : !T)");
  checkBody("upto 24, upto 8", R"(
  %q = pl.transpose %t [1, 0] : !T
  %r = pl.exp %q : !R)");
}

TEST_F(CpuShapes, Concatenates) {
  checkBody("upto 8, upto 48", R"(
  %e = pl.neg %t : !T
  %r = pl.concat %t, %e axis 1 : !T, !T)");
  checkBody("upto 16, upto 24", R"(
  %e = pl.neg %t : !T
  %r = pl.concat %e, %t axis 0 : !T, !T)");
}

TEST_F(CpuShapes, TakesWindows) {
  checkBody("upto 4, upto 24", R"(
  %e = pl.neg %t : !T
  %r = pl.window %e[%n, %c3] [%c4, %w] : !T -> !pl.tile<[upto 4, upto 24], f32>)");
  checkBody("upto 4, upto 24", R"(
  %q = pl.window %t[%n, %c3] [%c4, %w] : !T -> !pl.tile<[upto 4, upto 24], f32>
  %r = pl.exp %q : !R)");
}

TEST_F(CpuShapes, Inserts) {
  checkBody("upto 8, upto 24", R"(
  %q = pl.window %t[%c0, %c0] [%c4, %c4] : !T -> !pl.tile<[upto 4, upto 4], f32>
  %e = pl.neg %q : !pl.tile<[upto 4, upto 4], f32>
  %r = pl.insert %e, %t[%n, %c3] : !pl.tile<[upto 4, upto 4], f32>, !T)");
}

TEST_F(CpuShapes, Pads) {
  checkBody("8, 24", R"(
  %e = pl.neg %t : !T
  %r = pl.fillpad %e, %one : !T, f32)");
}

TEST_F(CpuShapes, Reshapes) {
  checkBody("4, 48", R"(
  %e = pl.fillpad %t, %one : !T, f32
  %c48 = arith.constant 48 : index
  %r = pl.reshape %e, [%c4, %c48] : !pl.tile<[8, 24], f32> -> !R)");
  checkBody("1, upto 8, upto 24", R"(
  %e = pl.neg %t : !T
  %r = pl.reshape %e, [%c1, %m, %w] : !T -> !R)");
  checkBody("1, upto 8", R"(
  %s = pl.reduce sum %t axis 1 : !T
  %r = pl.reshape %s, [%c1, %m] : !pl.tile<[upto 8, 1], f32> -> !R)");
}

TEST_F(CpuShapes, BroadcastsAndRamps) {
  checkBody("upto 8, upto 24", R"(
  %a = pl.arange %one, [%c1, %w] : f32 -> !pl.tile<[1, upto 24], f32>
  %b = pl.broadcast %a, [%m, %w] : !pl.tile<[1, upto 24], f32> -> !T
  %c = pl.reduce max %t axis 1 : !T
  %d = pl.broadcast %c, [%m, %w] : !pl.tile<[upto 8, 1], f32> -> !T
  %e = pl.mul %b, %d : !T, !T
  %r = pl.add %e, %t : !T, !T)");
  checkBody("3, upto 8, upto 24", R"(
  %e = pl.exp %t : !T
  %r = pl.broadcast %e, [%c3, %m, %w] : !T -> !R)");
}

TEST_F(CpuShapes, IntersectsExtents) {
  checkBody("upto 8, upto 24", R"(
  %q = pl.window %t[%c0, %c0] [%c4, %c3] : !T -> !T
  %r = pl.add %q, %t : !T, !T)");
}

TEST_F(CpuShapes, ReadsElementsOfTiles) {
  checkBody("upto 8, upto 24", R"(
  %e = pl.neg %t : !T
  %s = pl.read %e[%c0, %c0] : !T
  %f = pl.full %s, [%m, %w] : f32 -> !T
  %r = pl.add %f, %e : !T, !T)");
}

TEST_F(CpuShapes, HandlesRankZeroAndFour) {
  compile(R"(
!A = !pl.tensor<[], f32>
!B = !pl.tensor<[?, 2, ?, 5], f32>
!S = !pl.tensor<[upto 3, 2, upto 4, 5], f32>
!T = !pl.tile<[upto 3, 2, upto 4, 5], f32>
func.func @f(%a: !A, %b: !B) {
  %P = pl.bind "P" %b[0] : !B
  %Q = pl.bind "Q" %b[2] : !B
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %s = pl.slice %b[%c0, %c0, %c0, %c0] [%c3, %c2, %c4, %c5] : !B -> !S
  %t = pl.load %s : !S
  %z = pl.load %a : !A
  %m = pl.dim %t[0] : !T
  %n = pl.dim %t[2] : !T
  %w = pl.broadcast %z, [%m, %c2, %n, %c5] : !pl.tile<[], f32> -> !pl.tile<[upto 3, 2, upto 4, 5], f32>
  %u = pl.add %t, %w : !T, !T
  %v = pl.reduce sum %u axis 2 : !T
  %y = pl.broadcast %v, [%m, %c2, %n, %c5] : !pl.tile<[upto 3, 2, 1, 5], f32> -> !T
  pl.store %y, %s : !T, !S
  %e = pl.exp %z : !pl.tile<[], f32>
  pl.store %e, %a : !pl.tile<[], f32>, !A
  return
})");
  for (int64_t m : {0, 2, 4})
    for (int64_t n : {1, 4, 6}) {
      TestTensor a(DType::FP32, {}), b(DType::FP32, {m, 2, n, 5});
      check({&a.fill(1), &b.fill(2)}, 1e-5);
      TestTensor c(DType::FP32, {m, 2, n, 5}, {1, -7, 20, 200});
      check({&a.fill(1), &c.fill(2)}, 1e-5);
    }
}
