// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on whole tiles, by values worked out by hand.

#include "InterpreterFixture.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace tegula;
using namespace tegula::pl;
using ::testing::Each;
using ::testing::ElementsAre;

namespace {

class InterpretTile : public InterpreterTest {
protected:
  /// Loads %a from a matrix, runs `body`, which defines %r of `resultType`,
  /// and stores it in a 4 x 4 matrix of -1.
  template <typename T = float>
  std::vector<T> apply(llvm::StringRef body, llvm::StringRef resultType,
                       std::vector<T> x, int64_t rows, int64_t columns,
                       llvm::StringRef element = "f32") {
    std::vector<T> r(16, T(-1));
    std::string source =
        "func.func @main(%x: !pl.tensor<[upto 8, upto 8], E>, "
        "%out: !pl.tensor<[4, 4], E>) {\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%c2 = arith.constant 2 : index\n%c3 = arith.constant 3 : index\n"
        "%cm1 = arith.constant -1 : index\n"
        "%a = pl.load %x : !pl.tensor<[upto 8, upto 8], E>\n" +
        body.str() + "\npl.store %r, %out : " + resultType.str() +
        ", !pl.tensor<[4, 4], E>\nreturn }";
    for (size_t at; (at = source.find(" E>")) != std::string::npos;)
      source.replace(at, 2, " " + element.str());
    runs(source,
         {TensorView(x.data(), {rows, columns}), TensorView(r.data(), {4, 4})});
    return r;
  }
};

constexpr char tile[] = "!pl.tile<[upto 8, upto 8], E>";

TEST_F(InterpretTile, FullClampsNegativeSizes) {
  EXPECT_THAT(
      apply(R"(%v = arith.constant 7.0 : f32
      %r = pl.full %v, [%c1, %c3] : f32 -> !pl.tile<[1, 3], E>)",
            "!pl.tile<[1, 3], E>", {}, 0, 0),
      ElementsAre(7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
  EXPECT_THAT(apply(R"(%v = arith.constant 7.0 : f32
      %n = pl.dim %a[0] : !pl.tile<[upto 8, upto 8], E>
      %m = arith.subi %n, %c3 : index
      %r = pl.full %v, [%m, %c3] : f32 -> !pl.tile<[?, 3], E>)",
                    "!pl.tile<[?, 3], E>", {}, 0, 0),
              Each(-1));
}

TEST_F(InterpretTile, ArangeRepeatsTheRampInEveryRow) {
  EXPECT_THAT(
      (apply<int32_t>(R"(%v = arith.constant 5 : i32
      %r = pl.arange %v, [%c2, %c3] : i32 -> !pl.tile<[2, 3], E>)",
                      "!pl.tile<[2, 3], E>", {}, 0, 0, "i32")),
      ElementsAre(5, 6, 7, -1, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1));
  EXPECT_THAT((apply<int8_t>(R"(%v = arith.constant 126 : i8
      %r = pl.arange %v, [%c1, %c3] : i8 -> !pl.tile<[1, 3], E>)",
                             "!pl.tile<[1, 3], E>", {}, 0, 0, "i8")),
              ElementsAre(126, 127, -128, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                          -1, -1, -1, -1));
}

TEST_F(InterpretTile, BroadcastRepeatsAxesOfOne) {
  EXPECT_THAT(
      apply(R"(%m = pl.reduce sum %a axis 1 : !pl.tile<[upto 8, upto 8], E>
      %r = pl.broadcast %m, [%c2, %c3] : !pl.tile<[upto 8, 1], E> -> !pl.tile<[upto 8, 3], E>)",
            "!pl.tile<[upto 8, 3], E>", {1, 2, 3, 4}, 2, 2),
      ElementsAre(3, 3, 3, -1, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1));
  EXPECT_THAT(
      apply(R"(%v = arith.constant 7.0 : f32
      %w = arith.constant 1.0 : f32
      %u = pl.arange %w, [%c3] : f32 -> !pl.tile<[3], E>
      %r = pl.broadcast %u, [%c2, %c3] : !pl.tile<[3], E> -> !pl.tile<[2, 3], E>)",
            "!pl.tile<[2, 3], E>", {}, 0, 0),
      ElementsAre(1, 2, 3, -1, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1));
}

TEST_F(InterpretTile, ReducesEachAxis) {
  std::string columns = "!pl.tile<[1, upto 8], E>";
  auto reduce = [&](std::string kind, std::vector<float> x) {
    std::vector<float> r = apply(
        "%r = pl.reduce " + kind + " %a axis 0 : " + tile, columns, x, 2, 2);
    return std::pair(r[0], r[1]);
  };
  EXPECT_EQ(reduce("sum", {1, 2, 3, 4}), std::pair(4.0f, 6.0f));
  EXPECT_EQ(reduce("prod", {1, 2, 3, 4}), std::pair(3.0f, 8.0f));
  EXPECT_EQ(reduce("max", {1, 9, 3, 4}), std::pair(3.0f, 9.0f));
  EXPECT_EQ(reduce("min", {1, 9, 3, 4}), std::pair(1.0f, 4.0f));
  EXPECT_TRUE(std::isnan(reduce("max", {NAN, 9, 3, NAN}).first));
  EXPECT_TRUE(std::isnan(reduce("min", {NAN, 9, 3, NAN}).second));
}

TEST_F(InterpretTile, ReducesNothingToTheNeutralValue) {
  auto reduce = [&](std::string kind) {
    return apply("%r = pl.reduce " + kind + " %a axis 1 : " + tile,
                 "!pl.tile<[upto 8, 1], E>", {}, 1, 0)[0];
  };
  EXPECT_EQ(reduce("sum"), 0);
  EXPECT_EQ(reduce("prod"), 1);
  EXPECT_EQ(reduce("max"), -INFINITY);
  EXPECT_EQ(reduce("min"), INFINITY);
  auto integers = [&](std::string kind, auto zero, std::string element) {
    return apply<decltype(zero)>(
        "%r = pl.reduce " + kind + " %a axis 1 : " + tile,
        "!pl.tile<[upto 8, 1], E>", {}, 1, 0, element)[0];
  };
  EXPECT_EQ(integers("max", int8_t(0), "i8"), -128);
  EXPECT_EQ(integers("min", int8_t(0), "i8"), 127);
  EXPECT_EQ(integers("max", uint16_t(0), "ui16"), 0);
  EXPECT_EQ(integers("min", uint16_t(0), "ui16"), 65535);
  EXPECT_EQ(integers("min", uint64_t(0), "ui64"), UINT64_MAX);
}

TEST_F(InterpretTile, SumsOfIntegersWrap) {
  EXPECT_EQ(
      (apply<int8_t>(std::string("%r = pl.reduce sum %a axis 1 : ") + tile,
                     "!pl.tile<[upto 8, 1], E>", {100, 100}, 1, 2, "i8")[0]),
      -56);
  EXPECT_EQ(
      (apply<uint8_t>(std::string("%r = pl.reduce max %a axis 1 : ") + tile,
                      "!pl.tile<[upto 8, 1], E>", {1, 200}, 1, 2, "ui8")[0]),
      200);
}

TEST_F(InterpretTile, SumsOfHalfFloatsAreRoundedOnce) {
  // 2048 + 1 + 1: FP16 has no 2049, so rounding each step would stay at 2048.
  uint16_t x[] = {0x6800, 0x3c00, 0x3c00}, r = 0;
  runs(R"mlir(
    func.func @main(%x: !pl.tensor<[3], f16>, %out: !pl.tensor<[1], f16>) {
      %a = pl.load %x : !pl.tensor<[3], f16>
      %r = pl.reduce sum %a axis 0 : !pl.tile<[3], f16>
      pl.store %r, %out : !pl.tile<[1], f16>, !pl.tensor<[1], f16>
      return
    })mlir",
       {TensorView(x, DType::FP16, {3}), TensorView(&r, DType::FP16, {1})});
  EXPECT_EQ(r, 0x6801);
}

TEST_F(InterpretTile, MultipliesAllWaysRound) {
  // [1 2 3; 4 5 6] times its transpose is [14 32; 32 77].
  std::vector<float> x = {1, 2, 3, 4, 5, 6};
  std::vector<float> r =
      apply(std::string("%r = pl.matmul %a, %a {transpose_rhs} : ") + tile +
                ", " + tile,
            tile, x, 2, 3);
  EXPECT_THAT(r, ElementsAre(14, 32, -1, -1, 32, 77, -1, -1, -1, -1, -1, -1, -1,
                             -1, -1, -1));
  // The transpose times the matrix.
  r = apply(std::string("%r = pl.matmul %a, %a {transpose_lhs} : ") + tile +
                ", " + tile,
            tile, x, 2, 3);
  EXPECT_THAT(r, ElementsAre(17, 22, 27, -1, 22, 29, 36, -1, 27, 36, 45, -1, -1,
                             -1, -1, -1));
  // Where the inner extents differ, the least counts: 2 of 3 columns.
  r = apply(std::string("%r = pl.matmul %a, %a : ") + tile + ", " + tile, tile,
            x, 2, 3);
  EXPECT_THAT(r, ElementsAre(9, 12, 15, -1, 24, 33, 42, -1, -1, -1, -1, -1, -1,
                             -1, -1, -1));
}

TEST_F(InterpretTile, MatmulAddsToItsAccumulator) {
  EXPECT_THAT(apply(std::string("%r = pl.matmul %a, %a acc %a : ") + tile +
                        ", " + tile + ", " + tile,
                    tile, {1, 2, 3, 4}, 2, 2),
              ElementsAre(8, 12, -1, -1, 18, 26, -1, -1, -1, -1, -1, -1, -1, -1,
                          -1, -1));
}

TEST_F(InterpretTile, MatmulOfNothingIsZero) {
  EXPECT_THAT(
      apply(std::string("%r = pl.matmul %a, %a {transpose_rhs} : ") + tile +
                ", " + tile,
            tile, {}, 2, 0),
      ElementsAre(0, 0, -1, -1, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
}

TEST_F(InterpretTile, MatmulOfBytesSumsIn32Bits) {
  int8_t x[] = {-128, -128};
  int32_t r = 0;
  runs(R"mlir(
    func.func @main(%x: !pl.tensor<[1, 2], i8>, %out: !pl.tensor<[1, 1], i32>) {
      %a = pl.load %x : !pl.tensor<[1, 2], i8>
      %r = pl.matmul %a, %a {transpose_rhs} : !pl.tile<[1, 2], i8>, !pl.tile<[1, 2], i8>
      pl.store %r, %out : !pl.tile<[1, 1], i32>, !pl.tensor<[1, 1], i32>
      return
    })mlir",
       {TensorView(x, {1, 2}), TensorView(&r, {1, 1})});
  EXPECT_EQ(r, 32768);
}

TEST_F(InterpretTile, MatmulOfHalfFloatsGivesFP32) {
  uint16_t x[] = {0x3c00, 0x1000}; // 1 and 2^-11
  float r = 0;
  runs(R"mlir(
    func.func @main(%x: !pl.tensor<[1, 2], f16>, %out: !pl.tensor<[1, 1], f32>) {
      %a = pl.load %x : !pl.tensor<[1, 2], f16>
      %r = pl.matmul %a, %a {transpose_rhs} : !pl.tile<[1, 2], f16>, !pl.tile<[1, 2], f16>
      pl.store %r, %out : !pl.tile<[1, 1], f32>, !pl.tensor<[1, 1], f32>
      return
    })mlir",
       {TensorView(x, DType::FP16, {1, 2}), TensorView(&r, {1, 1})});
  EXPECT_EQ(r, 1 + std::ldexp(1.0f, -22));
}

TEST_F(InterpretTile, ReshapeKeepsRowMajorOrder) {
  std::vector<float> x = {1, 2, 3, 4, 5, 6}, r(6), column(3);
  runs(R"mlir(
    func.func @main(%x: !pl.tensor<[2, 3], f32>, %y: !pl.tensor<[upto 8], f32>, %r: !pl.tensor<[3, 2], f32>, %s: !pl.tensor<[upto 8, 1], f32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %a = pl.load %x : !pl.tensor<[2, 3], f32>
      %b = pl.reshape %a, [%c3, %c2] : !pl.tile<[2, 3], f32> -> !pl.tile<[3, 2], f32>
      pl.store %b, %r : !pl.tile<[3, 2], f32>, !pl.tensor<[3, 2], f32>
      %c = pl.load %y : !pl.tensor<[upto 8], f32>
      %n = pl.dim %c[0] : !pl.tile<[upto 8], f32>
      %d = pl.reshape %c, [%c1, %n, %c1] : !pl.tile<[upto 8], f32> -> !pl.tile<[1, upto 8, 1], f32>
      %e = pl.reshape %d, [%n, %c1] : !pl.tile<[1, upto 8, 1], f32> -> !pl.tile<[upto 8, 1], f32>
      pl.store %e, %s : !pl.tile<[upto 8, 1], f32>, !pl.tensor<[upto 8, 1], f32>
      return
    })mlir",
       {TensorView(x.data(), {2, 3}), TensorView(x.data(), {3}),
        TensorView(r.data(), {3, 2}), TensorView(column.data(), {3, 1})});
  EXPECT_EQ(r, x);
  EXPECT_THAT(column, ElementsAre(1, 2, 3));
}

TEST_F(InterpretTile, TransposePermutesAxes) {
  EXPECT_THAT(
      apply(std::string("%r = pl.transpose %a [1, 0] : ") + tile, tile,
            {1, 2, 3, 4, 5, 6}, 2, 3),
      ElementsAre(1, 4, -1, -1, 2, 5, -1, -1, 3, 6, -1, -1, -1, -1, -1, -1));
  std::vector<float> x(24), r(24);
  std::iota(x.begin(), x.end(), 0);
  runs(R"mlir(
    func.func @main(%x: !pl.tensor<[2, 3, 4], f32>, %r: !pl.tensor<[4, 2, 3], f32>) {
      %a = pl.load %x : !pl.tensor<[2, 3, 4], f32>
      %b = pl.transpose %a [2, 0, 1] : !pl.tile<[2, 3, 4], f32>
      pl.store %b, %r : !pl.tile<[4, 2, 3], f32>, !pl.tensor<[4, 2, 3], f32>
      return
    })mlir",
       {TensorView(x.data(), {2, 3, 4}), TensorView(r.data(), {4, 2, 3})});
  // r[k][i][j] = x[i][j][k]
  EXPECT_EQ(r[3 * 6 + 1 * 3 + 2], x[1 * 12 + 2 * 4 + 3]);
  EXPECT_EQ(r[0 * 6 + 1 * 3 + 0], x[1 * 12 + 0 * 4 + 0]);
}

TEST_F(InterpretTile, ConcatJoinsValidElements) {
  EXPECT_THAT(
      apply(
          R"(%b = pl.window %a[%c0, %c0] [%c1, %c1] : !pl.tile<[upto 8, upto 8], E> -> !pl.tile<[upto 1, upto 1], E>
      %r = pl.concat %a, %b axis 1 : !pl.tile<[upto 8, upto 8], E>, !pl.tile<[upto 1, upto 1], E>)",
          "!pl.tile<[upto 1, upto 9], E>", {1, 2, 3, 4}, 2, 2),
      ElementsAre(1, 2, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
  EXPECT_THAT(
      apply(std::string("%r = pl.concat %a, %a axis 0 : ") + tile + ", " + tile,
            "!pl.tile<[upto 16, upto 8], E>", {1, 2}, 1, 2),
      ElementsAre(1, 2, -1, -1, 1, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
}

TEST_F(InterpretTile, ConcatOfNoRows) {
  EXPECT_THAT(
      apply(std::string("%r = pl.concat %a, %a axis 1 : ") + tile + ", " + tile,
            "!pl.tile<[upto 8, upto 16], E>", {}, 0, 2),
      Each(-1));
}

TEST_F(InterpretTile, WindowClampsAtTheValidRegion) {
  auto window = [&](std::string offsets, std::string sizes) {
    return apply("%r = pl.window %a" + offsets + " " + sizes + " : " +
                     std::string(tile) + " -> !pl.tile<[upto 3, upto 3], E>",
                 "!pl.tile<[upto 3, upto 3], E>", {1, 2, 3, 4, 5, 6}, 2, 3);
  };
  EXPECT_THAT(window("[%c1, %c1]", "[%c3, %c3]"),
              ElementsAre(5, 6, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                          -1, -1));
  EXPECT_THAT(window("[%c0, %c0]", "[%c2, %c1]"),
              ElementsAre(1, -1, -1, -1, 4, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                          -1, -1));
  EXPECT_THAT(window("[%c3, %c0]", "[%c2, %c1]"), Each(-1));
  EXPECT_THAT(window("[%c0, %c0]", "[%cm1, %c1]"), Each(-1));
}

TEST_F(InterpretTile, InsertLeavesOutWhatDoesNotFit) {
  EXPECT_THAT(
      apply(std::string("%r = pl.insert %a, %a[%c1, %c1] : ") + tile + ", " +
                tile,
            tile, {1, 2, 3, 4, 5, 6}, 2, 3),
      ElementsAre(1, 2, 3, -1, 4, 1, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1));
  EXPECT_THAT(apply(std::string("%r = pl.insert %a, %a[%c3, %c0] : ") + tile +
                        ", " + tile,
                    tile, {1, 2}, 1, 2),
              ElementsAre(1, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                          -1, -1));
}

TEST_F(InterpretTile, FillPadGrowsToTheBounds) {
  EXPECT_THAT(
      apply(R"(%v = arith.constant 9.0 : f32
      %b = pl.window %a[%c0, %c0] [%c2, %c3] : !pl.tile<[upto 8, upto 8], E> -> !pl.tile<[upto 2, upto 3], E>
      %r = pl.fillpad %b, %v : !pl.tile<[upto 2, upto 3], E>, f32)",
            "!pl.tile<[2, 3], E>", {1, 2}, 1, 2),
      ElementsAre(1, 2, 9, -1, 9, 9, 9, -1, -1, -1, -1, -1, -1, -1, -1, -1));
}

TEST_F(InterpretTile, RelaxChangesNothing) {
  EXPECT_THAT(apply(std::string("%r = pl.relax %a : ") + tile +
                        " -> !pl.tile<[?, ?], E>",
                    "!pl.tile<[?, ?], E>", {1, 2}, 1, 2),
              ElementsAre(1, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                          -1, -1));
}

} // namespace
