// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/IndexRange.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tegula::pl;

namespace {

/// Parses a function with x: M, numbers %a and %b, and hands out the operands
/// of its "test.range" op.
class IndexRange : public testing::Test {
protected:
  IndexRange() {
    context.loadDialect<PlDialect, func::FuncDialect, scf::SCFDialect,
                        arith::ArithDialect>();
    context.allowUnregisteredDialects();
  }

  SmallVector<Value> values(StringRef body) {
    std::string text = R"(
      func.func @f(%x: !pl.tensor<[?], f32>, %t: !pl.tile<[upto 8], f32>, %a: index, %b: index) {
        %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %c8 = arith.constant 8 : index
    )" + body.str() + "\nreturn }";
    module = parseSourceString<ModuleOp>(text, &context);
    SmallVector<Value> operands;
    if (module)
      module->walk([&](Operation *op) {
        if (op->getName().getStringRef() == "test.range")
          operands = llvm::to_vector(op->getOperands());
      });
    return operands;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(IndexRange, SeesWhatCancels) {
  auto found = values(R"(
    %end = arith.addi %a, %c8 : index
    %stop = arith.minsi %end, %M : index
    %size = arith.subi %stop, %a : index
    "test.range"(%size, %end) : (index, index) -> ()
  )");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(greatestOf(found[0]), 8);
  EXPECT_EQ(leastOf(found[0]), std::nullopt);
  EXPECT_EQ(greatestOf(found[1]), std::nullopt);
}

TEST_F(IndexRange, TakesTheGreaterOfBoth) {
  auto found = values(R"(
    %small = arith.minsi %a, %c3 : index
    %large = arith.minsi %b, %c8 : index
    %either = arith.maxsi %small, %large : index
    %open = arith.maxsi %small, %b : index
    "test.range"(%either, %open) : (index, index) -> ()
  )");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(greatestOf(found[0]), 8);
  EXPECT_EQ(greatestOf(found[1]), std::nullopt);
}

TEST_F(IndexRange, KnowsLoopVariablesAndExtents) {
  auto found = values(R"(
    scf.for %i = %c3 to %M step %c1 {
      %left = arith.subi %M, %i : index
      %n = pl.dim %t[0] : !pl.tile<[upto 8], f32>
      "test.range"(%i, %left, %n) : (index, index, index) -> ()
    }
  )");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(leastOf(found[0]), 3);
  EXPECT_EQ(leastOf(found[1]), 1);
  EXPECT_EQ(greatestOf(found[2]), 8);
  EXPECT_TRUE(isNonNegative(found[2]));
}

TEST_F(IndexRange, SaysNothingOfWhatGoesAround) {
  auto found = values(R"(
    %r = scf.for %i = %c0 to %M step %c1 iter_args(%n = %c8) -> (index) {
      "test.range"(%n) : (index) -> ()
      %m = arith.addi %n, %c1 : index
      scf.yield %m : index
    }
  )");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(greatestOf(found[0]), std::nullopt);
  EXPECT_EQ(leastOf(found[0]), std::nullopt);
}

TEST_F(IndexRange, RoundsQuotientsTheirWay) {
  auto found = values(R"(
    %n = pl.dim %t[0] : !pl.tile<[upto 8], f32>
    %down = arith.floordivsi %n, %c3 : index
    %up = arith.ceildivsi %n, %c3 : index
    %back = arith.muli %up, %c3 : index
    "test.range"(%down, %up, %back) : (index, index, index) -> ()
  )");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(greatestOf(found[0]), 2);
  EXPECT_EQ(greatestOf(found[1]), 3);
  EXPECT_EQ(greatestOf(found[2]), 10);
  EXPECT_EQ(leastOf(found[2]), 0);
}

TEST_F(IndexRange, GivesUpWhereNumbersDoNotFit) {
  auto found = values(R"(
    %huge = arith.constant 9223372036854775807 : index
    %n = pl.dim %t[0] : !pl.tile<[upto 8], f32>
    %sum = arith.addi %n, %huge : index
    %product = arith.muli %sum, %huge : index
    "test.range"(%sum, %product) : (index, index) -> ()
  )");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(greatestOf(found[0]), std::nullopt);
  EXPECT_EQ(greatestOf(found[1]), std::nullopt);
}

} // namespace
