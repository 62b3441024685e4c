// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InterpreterFixture.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::pl;
using ::testing::ElementsAre;

TEST_F(InterpreterTest, AddsTilesOfSymbolicExtent) {
  std::vector<float> x = {1, 2, 3}, y = {10, 20, 30}, z(3);
  runs(R"mlir(
    func.func @main(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>, %z: !pl.tensor<[?], f32>) {
      %n = pl.bind "N" %x[0], %y[0], %z[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
      %a = pl.load %x : !pl.tensor<[?], f32>
      %b = pl.load %y : !pl.tensor<[?], f32>
      %c = pl.add %a, %b : !pl.tile<[?], f32>, !pl.tile<[?], f32>
      pl.store %c, %z : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
      return
    })mlir",
       {TensorView(x.data(), {3}), TensorView(y.data(), {3}),
        TensorView(z.data(), {3})});
  EXPECT_THAT(z, ElementsAre(11, 22, 33));
}

TEST_F(InterpreterTest, MultipliesMatricesFastEnough) {
  constexpr int64_t n = 256;
  std::vector<float> a(n * n, 0.5f), b(n * n), c(n * n);
  for (int64_t i = 0; i < n * n; ++i)
    b[i] = static_cast<float>(i % 7);
  runs(R"mlir(
    func.func @main(%x: !pl.tensor<[256, 256], f32>, %y: !pl.tensor<[256, 256], f32>, %z: !pl.tensor<[256, 256], f32>) {
      %a = pl.load %x : !pl.tensor<[256, 256], f32>
      %b = pl.load %y : !pl.tensor<[256, 256], f32>
      %c = pl.matmul %a, %b : !pl.tile<[256, 256], f32>, !pl.tile<[256, 256], f32>
      %s = pl.reduce sum %c axis 1 : !pl.tile<[256, 256], f32>
      %c256 = arith.constant 256 : index
      %w = pl.broadcast %s, [%c256, %c256] : !pl.tile<[256, 1], f32> -> !pl.tile<[256, 256], f32>
      %r = pl.sub %c, %w : !pl.tile<[256, 256], f32>, !pl.tile<[256, 256], f32>
      pl.store %r, %z : !pl.tile<[256, 256], f32>, !pl.tensor<[256, 256], f32>
      return
    })mlir",
       {TensorView(a.data(), {n, n}), TensorView(b.data(), {n, n}),
        TensorView(c.data(), {n, n})});
  double total = 0, column = 0;
  for (int64_t i = 0; i < n * n; ++i)
    total += 0.5 * (i % 7);
  for (int64_t k = 0; k < n; ++k)
    column += 0.5 * ((k * n + 5) % 7);
  EXPECT_EQ(c[3 * n + 5], static_cast<float>(static_cast<float>(column) -
                                             static_cast<float>(total)));
}
