// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/Register.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

/// Parses a function of the sizes M, N and K and asks about the operands of its
/// "test.ask" op, at that op.
class ExtentProverTest : public testing::Test {
protected:
  ExtentProverTest() {
    loadDialects(context);
    context.allowUnregisteredDialects();
  }

  void parse(StringRef body) {
    std::string text = R"(
      !v = !pl.tensor<[?], f32>
      func.func @f(%x: !v, %y: !v, %z: !v, %n: index {pl.name = "n"})
          attributes {pl.kind = #pl.kind<entry>} {
        %M = pl.bind "M" %x[0] : !v
        %N = pl.bind "N" %y[0] : !v
        %K = pl.bind "K" %z[0] : !v
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c15 = arith.constant 15 : index
        %c16 = arith.constant 16 : index
        %MN = arith.muli %M, %N : index
    )" + body.str() + "\nreturn }";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    ask = nullptr;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "test.ask")
        ask = op;
    });
    ASSERT_NE(ask, nullptr);
  }

  /// True if the condition given to test.ask always holds.
  bool isAlways(StringRef body) {
    parse(body);
    return ask && ExtentProver(ask).isAlways(ask->getOperand(0));
  }

  /// Sizes at which the condition given to test.ask does not hold.
  std::string sizesAgainst(StringRef body) {
    parse(body);
    ExtentProver prover(ask);
    auto opposite =
        alternativesOf(prover.getTerms(), ask->getOperand(0), false);
    if (!opposite)
      return "not about sizes";
    auto isFalse = [&](SizeEvaluation &sizes) {
      return sizes.evaluate(ask->getOperand(0)) == 0;
    };
    for (const Constraints &constraints : *opposite)
      if (auto example = prover.findExample(constraints, isFalse))
        return *example;
    return "";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Operation *ask = nullptr;
};

TEST_F(ExtentProverTest, AddsAndMultipliesByNumbers) {
  EXPECT_TRUE(isAlways(R"(
    %a = arith.addi %M, %c1 : index
    %b = arith.muli %a, %c2 : index
    %d = arith.muli %M, %c2 : index
    %e = arith.addi %d, %c2 : index
    %c = arith.cmpi eq, %b, %e : index
    "test.ask"(%c) : (i1) -> ())"));
  EXPECT_FALSE(isAlways(R"(
    %b = arith.muli %M, %c2 : index
    %e = arith.addi %M, %c2 : index
    %c = arith.cmpi eq, %b, %e : index
    "test.ask"(%c) : (i1) -> ())"));
}

TEST_F(ExtentProverTest, KnowsThatExtentsAreNotNegative) {
  EXPECT_TRUE(isAlways(R"(
    %c = arith.cmpi sge, %M, %c0 : index
    "test.ask"(%c) : (i1) -> ())"));
  EXPECT_FALSE(isAlways(R"(
    %c = arith.cmpi sge, %n, %c0 : index
    "test.ask"(%c) : (i1) -> ())"));
}

TEST_F(ExtentProverTest, RoundsDown) {
  // 16 * ((M + 15) // 16) is at least M and less than M + 16
  StringRef rounded = R"(
    %a = arith.addi %M, %c15 : index
    %q = arith.floordivsi %a, %c16 : index
    %r = arith.muli %q, %c16 : index
    %u = arith.addi %M, %c16 : index)";
  EXPECT_TRUE(isAlways((rounded + R"(
    %c = arith.cmpi sge, %r, %M : index
    "test.ask"(%c) : (i1) -> ())")
                           .str()));
  EXPECT_TRUE(isAlways((rounded + R"(
    %c = arith.cmpi slt, %r, %u : index
    "test.ask"(%c) : (i1) -> ())")
                           .str()));
  EXPECT_FALSE(isAlways((rounded + R"(
    %c = arith.cmpi eq, %r, %M : index
    "test.ask"(%c) : (i1) -> ())")
                            .str()));
}

TEST_F(ExtentProverTest, UsesRequirements) {
  // M % 16 == 0 makes rounding up to 16 the identity.
  EXPECT_TRUE(isAlways(R"(
    %q = arith.floordivsi %M, %c16 : index
    %w = arith.muli %q, %c16 : index
    %m = arith.subi %M, %w : index
    %f = arith.cmpi eq, %m, %c0 : index
    pl.require %f, "M % 16 == 0", "assumed" ["M"](%M)
    %a = arith.addi %M, %c15 : index
    %p = arith.floordivsi %a, %c16 : index
    %r = arith.muli %p, %c16 : index
    %c = arith.cmpi eq, %r, %M : index
    "test.ask"(%c) : (i1) -> ())"));
}

TEST_F(ExtentProverTest, DoesNotUseWhatIsRequiredLater) {
  EXPECT_FALSE(isAlways(R"(
    %c = arith.cmpi eq, %M, %N : index
    "test.ask"(%c) : (i1) -> ()
    pl.require %c, "M == N", "derived" ["M", "N"](%M, %N))"));
}

TEST_F(ExtentProverTest, DoesNotUseWhatIsCheckedAtRunTime) {
  // Compiled code goes on after the check.
  EXPECT_FALSE(isAlways(R"(
    %p = arith.cmpi sgt, %K, %c2 : index
    scf.if %p {
      %c = arith.cmpi eq, %M, %N : index
      pl.require %c, "M == N", "derived" ["M", "N"](%M, %N)
      "test.ask"(%c) : (i1) -> ()
    })"));
}

TEST_F(ExtentProverTest, UsesEqualSymbols) {
  EXPECT_TRUE(isAlways(R"(
    %f = arith.cmpi eq, %M, %N : index
    %g = arith.cmpi eq, %N, %K : index
    %h = arith.andi %f, %g : i1
    pl.require %h, "M == N == K", "assumed" ["M", "N", "K"](%M, %N, %K)
    %a = arith.addi %M, %c1 : index
    %b = arith.addi %K, %c1 : index
    %c = arith.cmpi eq, %a, %b : index
    "test.ask"(%c) : (i1) -> ())"));
}

TEST_F(ExtentProverTest, KnowsLoopsAndBranches) {
  EXPECT_TRUE(isAlways(R"(
    scf.for %i = %c0 to %M step %c16 {
      %c = arith.cmpi slt, %i, %M : index
      "test.ask"(%c) : (i1) -> ()
    })"));
  EXPECT_FALSE(isAlways(R"(
    scf.for %i = %c0 to %M step %c16 {
      %j = arith.addi %i, %c1 : index
      %c = arith.cmpi slt, %j, %M : index
      "test.ask"(%c) : (i1) -> ()
    })"));
  EXPECT_TRUE(isAlways(R"(
    %p = arith.cmpi sgt, %M, %c2 : index
    scf.if %p {
      %c = arith.cmpi sgt, %M, %c1 : index
      "test.ask"(%c) : (i1) -> ()
    })"));
  EXPECT_TRUE(isAlways(R"(
    %p = arith.cmpi sgt, %M, %c2 : index
    scf.if %p {
    } else {
      %c = arith.cmpi sle, %M, %c2 : index
      "test.ask"(%c) : (i1) -> ()
    })"));
}

TEST_F(ExtentProverTest, StepsDivideLoopVariables) {
  // 16 * k + 15 < M, if 16 divides M
  StringRef text = R"(
    scf.for %i = %c0 to %M step %c16 {
      %j = arith.addi %i, %c15 : index
      %c = arith.cmpi slt, %j, %M : index
      "test.ask"(%c) : (i1) -> ()
    })";
  StringRef assumption = R"(
    %q = arith.floordivsi %M, %c16 : index
    %w = arith.muli %q, %c16 : index
    %f = arith.cmpi eq, %w, %M : index
    pl.require %f, "M % 16 == 0", "assumed" ["M"](%M))";
  EXPECT_FALSE(isAlways(text));
  EXPECT_TRUE(isAlways((assumption + text).str()));
}

TEST_F(ExtentProverTest, TakesMinimaAndMaximaApart) {
  EXPECT_TRUE(isAlways(R"(
    %a = arith.minsi %M, %N : index
    %b = arith.maxsi %M, %N : index
    %s = arith.addi %a, %b : index
    %t = arith.addi %M, %N : index
    %c = arith.cmpi eq, %s, %t : index
    "test.ask"(%c) : (i1) -> ())"));
}

TEST_F(ExtentProverTest, MultipliesInequalities) {
  // i * N + j < M * N for i < M and j < N
  EXPECT_TRUE(isAlways(R"(
    scf.for %i = %c0 to %M step %c1 {
      scf.for %j = %c0 to %N step %c1 {
        %a = arith.muli %i, %N : index
        %b = arith.addi %a, %j : index
        %c = arith.cmpi slt, %b, %MN : index
        "test.ask"(%c) : (i1) -> ()
      }
    })"));
  EXPECT_FALSE(isAlways(R"(
    scf.for %i = %c0 to %M step %c1 {
      scf.for %j = %c0 to %N step %c1 {
        %a = arith.muli %i, %M : index
        %b = arith.addi %a, %j : index
        %c = arith.cmpi slt, %b, %MN : index
        "test.ask"(%c) : (i1) -> ()
      }
    })"));
}

TEST_F(ExtentProverTest, FindsSizes) {
  EXPECT_EQ(sizesAgainst(R"(
    %c = arith.cmpi eq, %M, %c0 : index
    "test.ask"(%c) : (i1) -> ())"),
            "M = 1");
  EXPECT_EQ(sizesAgainst(R"(
    %q = arith.floordivsi %M, %c16 : index
    %w = arith.muli %q, %c16 : index
    %c = arith.cmpi eq, %w, %M : index
    "test.ask"(%c) : (i1) -> ())"),
            "M = 1");
  EXPECT_EQ(sizesAgainst(R"(
    %c = arith.cmpi sge, %M, %c0 : index
    "test.ask"(%c) : (i1) -> ())"),
            "");
}

TEST_F(ExtentProverTest, FindsOnlySizesThatAreRight) {
  // A square is never 2: the solver sees a product, the check sees the square.
  EXPECT_EQ(sizesAgainst(R"(
    %s = arith.muli %M, %M : index
    %c = arith.cmpi ne, %s, %c2 : index
    "test.ask"(%c) : (i1) -> ())"),
            "");
}

TEST_F(ExtentProverTest, ComparesProducts) {
  const char *products = R"(
    %a = arith.muli %N, %c2 : index
    %b = arith.muli %M, %c2 : index
    %left = arith.muli %M, %a : index
    %right = arith.muli %b, %N : index
    %other = arith.muli %M, %K : index
    %q = arith.floordivsi %MN, %N : index
    %whole = arith.muli %q, %N : index
  )";
  auto areEqual = [&](std::string lhs, const std::string &rhs) {
    return isAlways(products + ("%c = arith.cmpi eq, " + lhs + ", " + rhs) +
                    " : index\n\"test.ask\"(%c) : (i1) -> ()");
  };
  EXPECT_TRUE(areEqual("%left", "%right"));
  EXPECT_TRUE(areEqual("%whole", "%MN"));
  EXPECT_FALSE(areEqual("%MN", "%other"));
  EXPECT_FALSE(areEqual("%MN", "%left"));
}

TEST_F(ExtentProverTest, AQuotientTimesItsDivisorIsNotTheWhole) {
  const char *halves = R"(
    %q = arith.floordivsi %M, %c2 : index
    %w = arith.muli %q, %c2 : index
    %c = arith.cmpi eq, %w, %M : index
    "test.ask"(%c) : (i1) -> ())";
  EXPECT_FALSE(isAlways(halves));
  EXPECT_EQ(sizesAgainst(halves), "M = 1");
}

TEST_F(ExtentProverTest, AnExampleIsComputed) {
  // The extent of the view is an unknown to the solver, and it is M.
  EXPECT_EQ(sizesAgainst(R"(
    %d = arith.cmpi eq, %N, %M : index
    pl.require %d, "N == M", "derived" []()
    %q = arith.floordivsi %M, %c2 : index
    %w = arith.muli %q, %c2 : index
    %e = arith.cmpi eq, %M, %w : index
    pl.require %e, "M == M // 2 * 2", "derived" []()
    %v = pl.view %x, [%w] : !v -> !v
    %s = pl.dim %v[0] : !v
    %c = arith.cmpi sle, %s, %N : index
    "test.ask"(%c) : (i1) -> ())"),
            "");
}

TEST_F(ExtentProverTest, AnExampleNamesAllItRestsOn) {
  EXPECT_EQ(sizesAgainst(R"(
    %d = arith.cmpi sle, %c16, %N : index
    pl.require %d, "N >= 16", "assumed" []()
    %a = arith.addi %M, %N : index
    %c = arith.cmpi slt, %a, %n : index
    "test.ask"(%c) : (i1) -> ())"),
            "M = 0, N = 16, n = 0");
}

TEST_F(ExtentProverTest, AnExampleRuns) {
  // A variable that is not less than 2 is 3 or more, and K greater still.
  EXPECT_EQ(sizesAgainst(R"(
    scf.for %i = %c1 to %K step %c2 {
      %c = arith.cmpi slt, %i, %c2 : index
      "test.ask"(%c) : (i1) -> ()
    })"),
            "K = 8");
}

TEST_F(ExtentProverTest, AnOverflowProvesNothing) {
  EXPECT_FALSE(isAlways(R"(
    %h = arith.constant 9223372036854775807 : index
    %a = arith.muli %M, %h : index
    %b = arith.muli %a, %h : index
    %d = arith.addi %b, %c1 : index
    %c = arith.cmpi slt, %b, %N : index
    "test.ask"(%c) : (i1) -> ())"));
}

} // namespace
