// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/ir/Register.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

/// Parses a function of M, N and an element of memory, and asks about the
/// operand of its "test.ask" op.
class ExactArithmeticTest : public testing::Test {
protected:
  ExactArithmeticTest() {
    loadDialects(context);
    context.allowUnregisteredDialects();
  }

  void parse(StringRef body) {
    std::string text = R"(
      !v = !pl.tensor<[?], f32>
      !i = !pl.tensor<[?], i64>
      func.func @f(%x: !v, %y: !i, %n: index {pl.name = "n"})
          attributes {pl.kind = #pl.kind<entry>} {
        %M = pl.bind "M" %x[0] : !v
        %N = pl.bind "N" %y[0] : !i
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %far = arith.constant 9223372036854775807 : index
        %e = pl.read %y[%c0] : !i
        %element = arith.index_cast %e : i64 to index
    )" + body.str() + "\nreturn }";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
  }

  bool isExact(StringRef body) {
    parse(body);
    bool isExact = false;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "test.ask")
        isExact = ExactArithmetic().isExact(op->getOperand(0));
    });
    return isExact;
  }

  /// The ops that the guard looks at, by name.
  std::vector<std::string> exactOps(StringRef body) {
    parse(body);
    std::vector<std::string> names;
    for (const CheckedArithmetic &found : findCheckedArithmetic(*module))
      names.push_back(found.op->getName().getStringRef().str());
    return names;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using Names = std::vector<std::string>;

TEST_F(ExactArithmeticTest, SizesAndNumbersOfTheCallAreExact) {
  EXPECT_TRUE(isExact(R"(
    %a = arith.muli %M, %N : index
    %b = arith.subi %a, %n : index
    "test.ask"(%b) : (index) -> ())"));
}

TEST_F(ExactArithmeticTest, ElementsMayWrapAround) {
  EXPECT_FALSE(isExact(R"(
    %a = arith.addi %element, %c1 : index
    "test.ask"(%a) : (index) -> ())"));
  EXPECT_TRUE(isExact(R"(
    %a = arith.floordivsi %element, %c8 : index
    "test.ask"(%a) : (index) -> ())"));
}

TEST_F(ExactArithmeticTest, ElementsBetweenSizesAreExact) {
  EXPECT_TRUE(isExact(R"(
    %a = arith.maxsi %element, %c0 : index
    %b = arith.minsi %a, %M : index
    %d = arith.addi %b, %M : index
    "test.ask"(%d) : (index) -> ())"));
  EXPECT_FALSE(isExact(R"(
    %a = arith.maxsi %element, %c0 : index
    %d = arith.addi %a, %M : index
    "test.ask"(%d) : (index) -> ())"));
}

TEST_F(ExactArithmeticTest, AnExtentThatALoopCarriesCanShrink) {
  const char *loop = R"(
    %t = pl.load %x : !v
    %r:2 = scf.for %i = %c0 to %M step %c1 iter_args(%v = %t, %s = %M)
        -> (!pl.tile<[?], f32>, index) {
      %w = pl.with_extents %v [%s] : !pl.tile<[?], f32>
      %a = arith.OP %s, %c1 : index
      "test.ask"(%a) : (index) -> ()
      scf.yield %w, %s : !pl.tile<[?], f32>, index
    })";
  auto with = [&](const char *op) {
    std::string text = loop;
    return text.replace(text.find("OP"), 2, op);
  };
  EXPECT_TRUE(isExact(with("subi")));
  EXPECT_FALSE(isExact(with("addi")));
}

TEST_F(ExactArithmeticTest, WhatIsLeftOverIsExact) {
  EXPECT_TRUE(isExact(R"(
    %q = arith.floordivsi %element, %c8 : index
    %w = arith.muli %q, %c8 : index
    %r = arith.subi %element, %w : index
    %d = arith.addi %r, %M : index
    "test.ask"(%d) : (index) -> ())"));
}

TEST_F(ExactArithmeticTest, NoGuardLooksAtWhatAHelperIsGiven) {
  module = parseSourceString<ModuleOp>(R"(
    func.func @helper(%n: index) attributes {pl.kind = #pl.kind<inline>} {
      %c1 = arith.constant 1 : index
      %a = arith.addi %n, %c1 : index
      "test.ask"(%a) : (index) -> ()
      return
    })",
                                       &context);
  ASSERT_TRUE(module);
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "test.ask") {
      EXPECT_FALSE(ExactArithmetic().isExact(op->getOperand(0)));
    }
  });
}

TEST_F(ExactArithmeticTest, TheGuardLooksAtWholeExpressions) {
  EXPECT_EQ(exactOps(R"(
    %a = arith.muli %M, %N : index
    %b = arith.addi %a, %c1 : index
    "test.ask"(%b) : (index) -> ())"),
            Names{"arith.addi"});
}

TEST_F(ExactArithmeticTest, TheGuardLooksAtLoops) {
  EXPECT_EQ(exactOps(R"(
    scf.for %i = %c0 to %M step %c8 {
      %a = arith.muli %i, %c8 : index
      "test.ask"(%a) : (index) -> ()
    })"),
            (Names{"arith.muli", "scf.for"}));
}

TEST_F(ExactArithmeticTest, TheGuardDoesNotLookAtWhatAlwaysFits) {
  EXPECT_EQ(exactOps(R"(
    scf.for %i = %c0 to %M step %c1 {
      %q = arith.floordivsi %i, %c8 : index
      %w = arith.muli %q, %c8 : index
      %s = arith.subi %M, %i : index
      "test.ask"(%w, %s) : (index, index) -> ()
    })"),
            Names{});
}

TEST_F(ExactArithmeticTest, TheGuardDoesNotLookAtData) {
  EXPECT_EQ(exactOps(R"(
    %a = arith.addi %element, %M : index
    "test.ask"(%a) : (index) -> ())"),
            Names{});
}

TEST_F(ExactArithmeticTest, TheGuardDoesNotLookAtSumsThatGoAround) {
  EXPECT_EQ(exactOps(R"(
    %half = arith.floordivsi %M, %c8 : index
    %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %c0) -> (index) {
      %a = arith.addi %s, %half : index
      scf.yield %a : index
    }
    "test.ask"(%sum) : (index) -> ())"),
            Names{});
}

} // namespace
