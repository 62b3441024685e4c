// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/extents/LinearForm.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tegula::pl;

namespace {

/// Parses a function with x: MxN, y: MxK, z: MxN and hands out the operands of
/// its "test.facts" op.
class ExtentFacts : public testing::Test {
protected:
  ExtentFacts() {
    DialectRegistry registry;
    registry.insert<PlDialect, func::FuncDialect, scf::SCFDialect>();
    arith::registerValueBoundsOpInterfaceExternalModels(registry);
    scf::registerValueBoundsOpInterfaceExternalModels(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
  }

  SmallVector<Value> facts(StringRef body) {
    std::string text = R"(
      !m = !pl.tensor<[?, ?], f32>
      !t = !pl.tile<[?, ?], f32>
      func.func @f(%x: !m, %y: !m, %z: !m) {
        %M = pl.bind "M" %x[0], %y[0], %z[0] : !m, !m, !m
        %N = pl.bind "N" %x[1], %z[1] : !m, !m
        %K = pl.bind "K" %y[1] : !m
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %tx = pl.load %x : !m
        %ty = pl.load %y : !m
        %tz = pl.load %z : !m
    )" + body.str() + "\nreturn }";
    module = parseSourceString<ModuleOp>(text, &context);
    SmallVector<Value> operands;
    if (module)
      module->walk([&](Operation *op) {
        if (op->getName().getStringRef() == "test.facts")
          operands = llvm::to_vector(op->getOperands());
      });
    return operands;
  }

  /// Whether two extents are equal where "test.facts" stands.
  bool areEqual(Value lhs, unsigned lhsAxis, Value rhs, unsigned rhsAxis) {
    Operation *where = nullptr;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "test.facts")
        where = op;
    });
    return areEqualExtents(lhs, lhsAxis, rhs, rhsAxis, where);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ExtentFacts, ExtentsOfOneSymbolAreEqual) {
  SmallVector<Value> v =
      facts(R"("test.facts"(%tx, %ty, %tz) : (!t, !t, !t) -> ())");
  ASSERT_EQ(v.size(), 3u);
  EXPECT_TRUE(areEqual(v[0], 0, v[1], 0));
  EXPECT_TRUE(areEqual(v[0], 1, v[2], 1));
  EXPECT_FALSE(areEqual(v[0], 1, v[1], 1));
  EXPECT_FALSE(areEqual(v[0], 0, v[0], 1));
}

TEST_F(ExtentFacts, AreFollowedThroughShapeFunctions) {
  SmallVector<Value> v = facts(R"(
    %s = pl.slice %x[%c0, %c0] [%M, %N] : !m -> !m
    %l = pl.load %s : !m
    %e = pl.exp %l : !t
    %r = pl.reduce sum %e axis 1 : !t
    %b = pl.broadcast %r, [%M, %K] : !pl.tile<[?, 1], f32> -> !t
    %p = pl.transpose %b [1, 0] : !t
    "test.facts"(%p, %ty) : (!t, !t) -> ())");
  ASSERT_EQ(v.size(), 2u);
  EXPECT_TRUE(areEqual(v[0], 0, v[1], 1));
  EXPECT_TRUE(areEqual(v[0], 1, v[1], 0));
  EXPECT_EQ(describeExtent(v[0], 0), "K");
  EXPECT_EQ(describeExtent(v[0], 1), "M");
}

TEST_F(ExtentFacts, AWindowIsNotItsSource) {
  SmallVector<Value> v = facts(R"(
    %s = pl.slice %x[%c1, %c0] [%M, %N] : !m -> !m
    %l = pl.load %s : !m
    "test.facts"(%l, %tx) : (!t, !t) -> ())");
  ASSERT_EQ(v.size(), 2u);
  EXPECT_FALSE(areEqual(v[0], 0, v[1], 0));
  EXPECT_TRUE(areEqual(v[0], 1, v[1], 1));
  EXPECT_EQ(describeExtent(v[0], 0), "a run-time value");
}

TEST_F(ExtentFacts, AroundALoopTheyAreWhatIsSaid) {
  SmallVector<Value> v = facts(R"(
    %r = scf.for %i = %c0 to %M step %c1 iter_args(%a = %tx) -> (!t) {
      %s = pl.with_extents %a [%M, %K] : !t
      "test.facts"(%a, %s, %tz, %ty) : (!t, !t, !t, !t) -> ()
      scf.yield %a : !t
    })");
  ASSERT_EQ(v.size(), 4u);
  EXPECT_FALSE(areEqual(v[0], 0, v[2], 0));
  EXPECT_TRUE(areEqual(v[1], 0, v[2], 0));
  EXPECT_FALSE(areEqual(v[1], 1, v[2], 1));
  EXPECT_TRUE(areEqual(v[1], 1, v[3], 1));
}

TEST_F(ExtentFacts, KnowsDivisors) {
  SmallVector<Value> v = facts(R"(
    %a = arith.muli %M, %c8 : index
    %c12 = arith.constant 12 : index
    %b = arith.addi %a, %c12 : index
    scf.for %i = %c0 to %M step %c8 {
      "test.facts"(%a, %b, %i, %M) : (index, index, index, index) -> ()
    })");
  ASSERT_EQ(v.size(), 4u);
  EXPECT_EQ(knownDivisor(v[0]), 8u);
  EXPECT_EQ(knownDivisor(v[1]), 4u);
  EXPECT_EQ(knownDivisor(v[2]), 8u);
  EXPECT_EQ(knownDivisor(v[3]), 1u);
}

TEST_F(ExtentFacts, KnowsBounds) {
  SmallVector<Value> v = facts(R"(
    %left = arith.subi %M, %c1 : index
    %a = arith.minsi %left, %c8 : index
    %b = arith.maxsi %a, %c0 : index
    "test.facts"(%b, %c8, %M) : (index, index, index) -> ())");
  ASSERT_EQ(v.size(), 3u);
  EXPECT_EQ(dimOfExtent(v[0]), Dim::atMost(8));
  EXPECT_EQ(dimOfExtent(v[1]), Dim::exactly(8));
  EXPECT_EQ(dimOfExtent(v[2]), Dim::any());
}

TEST_F(ExtentFacts, TakesSumsApart) {
  SmallVector<Value> v = facts(R"(
    %a = arith.muli %M, %c8 : index
    %b = arith.addi %a, %N : index
    %c = arith.subi %b, %M : index
    %d = arith.addi %c, %c8 : index
    %e = arith.subi %b, %a : index
    "test.facts"(%d, %e, %M, %N) : (index, index, index, index) -> ())");
  ASSERT_EQ(v.size(), 4u);
  LinearForm linear = LinearForm::of(v[0]);
  EXPECT_EQ(linear.constant, 8);
  EXPECT_EQ(linear.coefficientOf(v[2]), 7);
  EXPECT_EQ(linear.coefficientOf(v[3]), 1);
  EXPECT_EQ(linear.terms.size(), 2u);
  EXPECT_TRUE(LinearForm::of(v[1]) == LinearForm::of(v[3]));
}

} // namespace
