// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of whole matrices in memory, by values worked out by hand.

#include "InterpreterFixture.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::pl;
using ::testing::ElementsAre;

namespace {

using InterpretMatmul = InterpreterTest;

TEST_F(InterpretMatmul, TransposesEitherOperand) {
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {1, 0, 2, 0, 1, 1}, c(4, -1);
  for (bool isTransposed : {false, true}) {
    // As 2 x 3 and 3 x 2, or both the other way round.
    std::string types = "!pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, "
                        "!pl.tensor<[?, ?], f32>";
    std::string source =
        "func.func @main(%a: !pl.tensor<[?, ?], f32>, "
        "%b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {\n"
        "pl.matmul_into %a, %b into %c " +
        std::string(isTransposed ? "{transpose_lhs, transpose_rhs}" : "") +
        " : " + types + "\nreturn }";
    auto matrix = [&](std::vector<float> &data, int64_t rows, int64_t columns) {
      return isTransposed
                 ? TensorView(data.data(), {columns, rows}, {1, columns})
                 : TensorView(data.data(), {rows, columns});
    };
    runs(source,
         {matrix(a, 2, 3), matrix(b, 3, 2), TensorView(c.data(), {2, 2})});
    EXPECT_THAT(c, ElementsAre(8, 3, 20, 6));
  }
}

TEST_F(InterpretMatmul, WidensIntegersToTheFloatsOfTheTarget) {
  std::vector<int8_t> a = {-2, 3};
  std::vector<float> b = {0.5, 4}, c(1, -1);
  runs("func.func @main(%a: !pl.tensor<[1, 2], i8>, "
       "%b: !pl.tensor<[2, 1], f32>, %c: !pl.tensor<[1, 1], f32>) {\n"
       "pl.matmul_into %a, %b into %c : !pl.tensor<[1, 2], i8>, "
       "!pl.tensor<[2, 1], f32>, !pl.tensor<[1, 1], f32>\nreturn }",
       {TensorView(a.data(), {1, 2}), TensorView(b.data(), {2, 1}),
        TensorView(c.data(), {1, 1})});
  EXPECT_THAT(c, ElementsAre(11));
}

TEST_F(InterpretMatmul, IsZeroWhereNothingIsSummed) {
  std::vector<int32_t> none, c(2, -1);
  runs("func.func @main(%a: !pl.tensor<[1, ?], i32>, "
       "%b: !pl.tensor<[?, 2], i32>, %c: !pl.tensor<[1, 2], i32>) {\n"
       "pl.matmul_into %a, %b into %c : !pl.tensor<[1, ?], i32>, "
       "!pl.tensor<[?, 2], i32>, !pl.tensor<[1, 2], i32>\nreturn }",
       {TensorView(none.data(), {1, 0}), TensorView(none.data(), {0, 2}),
        TensorView(c.data(), {1, 2})});
  EXPECT_THAT(c, ElementsAre(0, 0));
}

TEST_F(InterpretMatmul, GivesItsEpilogueEachElement) {
  std::vector<float> a = {1, 2}, b = {3, 4, 5}, row = {10, 20, 30},
                     column = {2, -1}, c = {1, 1, 1, 2, 2, 2};
  for (bool isEmpty : {false, true}) {
    // The target is read where it is written.
    runs("func.func @main(%a: !pl.tensor<[?, ?], f32>, "
         "%b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>, "
         "%row: !pl.tensor<[?], f32>, %column: !pl.tensor<[?, 1], f32>) {\n"
         "%two = arith.constant 2.0 : f32\n"
         "pl.matmul_into %a, %b into %c with %row, %column, %c : "
         "!pl.tensor<[?], f32>, !pl.tensor<[?, 1], f32>, "
         "!pl.tensor<[?, ?], f32> epilogue {\n"
         "^bb0(%acc: f32, %r: f32, %s: f32, %old: f32):\n"
         "%0 = pl.mul %acc, %s : f32, f32\n%1 = pl.add %0, %r : f32, f32\n"
         "%2 = pl.mul %old, %two : f32, f32\n"
         "%3 = pl.add %1, %2 : f32, f32\npl.epilogue_yield %3 : f32\n"
         "} : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, "
         "!pl.tensor<[?, ?], f32>\nreturn }",
         {TensorView(a.data(), {2, isEmpty ? 0 : 1}),
          TensorView(b.data(), {isEmpty ? 0 : 1, 3}),
          TensorView(c.data(), {2, 3}), TensorView(row.data(), {3}),
          TensorView(column.data(), {2, 1})});
    if (!isEmpty)
      EXPECT_THAT(c, ElementsAre(18, 30, 42, 8, 16, 24));
  }
  // Without terms the accumulator is zero.
  EXPECT_THAT(c, ElementsAre(46, 80, 114, 26, 52, 78));
}

} // namespace
