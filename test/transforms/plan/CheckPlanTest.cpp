// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker accepts what the planner makes and refuses it when it is moved.

#include "tegula/transforms/plan/CheckPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tegula;

namespace {

class CheckPlan : public ::testing::Test {
protected:
  CheckPlan() {
    context.loadDialect<pl::PlDialect, func::FuncDialect, scf::SCFDialect,
                        arith::ArithDialect>();
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  }

  /// A function of x and y: 64 FP32, n and b: index, with two tiles, `%e` and
  /// `%f`, that have memory.
  func::FuncOp parse(const std::string &body) {
    std::string text = R"(
      func.func @k(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>,
                   %n: index, %b: i1) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %a = pl.load %x : !pl.tensor<[64], f32>
        %e = pl.exp %a : !pl.tile<[64], f32>
        %f = pl.neg %a : !pl.tile<[64], f32>
        )" + body + R"(
        pl.store %e, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
        pl.store %f, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
        pl.store %e, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
        pl.store %f, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
        return
      })";
    module = parseSourceString<ModuleOp>(text, &context);
    return module ? *module->getOps<func::FuncOp>().begin() : func::FuncOp();
  }

  /// The buffer of the tile that the op of this name computes.
  static BufferId bufferOf(const TilePlan &plan, func::FuncOp function,
                           StringRef name) {
    std::optional<BufferId> found;
    function.walk([&](Operation *op) {
      if (op->getName().getStringRef() == name)
        found = plan.placement.getBuffer(op->getResult(0));
    });
    EXPECT_TRUE(found.has_value()) << name.str();
    return found.value_or(0);
  }

  /// Expects the plan to be right, and wrong with one tile where another is.
  void expectConflict(const std::string &body, StringRef one, StringRef other) {
    func::FuncOp function = parse(body);
    ASSERT_TRUE(function) << message;
    TilePlan plan(function, machine);
    ASSERT_TRUE(succeeded(checkPlan(function, plan))) << message;
    plan.memory.offsets[bufferOf(plan, function, one)] =
        plan.memory.offsets[bufferOf(plan, function, other)];
    EXPECT_TRUE(failed(checkPlan(function, plan)));
    EXPECT_NE(message.find("the memory plan is wrong"), std::string::npos)
        << message;
  }

  MachineModel machine = {
      "", {}, {{pl::MemorySpace::Scratchpad, "", 0, 64, {TileRole::Value}}}};
  MLIRContext context;
  std::string message;
  OwningOpRef<ModuleOp> module;
};

TEST_F(CheckPlan, RefusesTilesThatOverwriteEachOther) {
  expectConflict("", "pl.neg", "pl.exp");
}

TEST_F(CheckPlan, RefusesTilesThatReachIntoEachOther) {
  func::FuncOp function = parse("");
  TilePlan plan(function, machine);
  plan.memory.offsets[bufferOf(plan, function, "pl.neg")] =
      plan.memory.offsets[bufferOf(plan, function, "pl.exp")] + 64;
  EXPECT_TRUE(failed(checkPlan(function, plan)));
}

// The tile is read before it is overwritten, but there is a next iteration.
TEST_F(CheckPlan, FollowsLoopsIntoTheNextIteration) {
  expectConflict(R"(
    %g = pl.abs %a : !pl.tile<[64], f32>
    scf.for %i = %c0 to %n step %c1 {
      pl.store %g, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      %h = pl.sqrt %f : !pl.tile<[64], f32>
      pl.store %h, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      pl.store %h, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
    })",
                 "pl.sqrt", "pl.abs");
}

TEST_F(CheckPlan, FollowsBothBranches) {
  expectConflict(R"(
    scf.if %b {
      %h = pl.sqrt %f : !pl.tile<[64], f32>
      pl.store %h, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      pl.store %h, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
    })",
                 "pl.sqrt", "pl.neg");
}

TEST_F(CheckPlan, FollowsCarriedTiles) {
  expectConflict(R"(
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %e) -> (!pl.tile<[64], f32>) {
      %h = pl.sqrt %s : !pl.tile<[64], f32>
      pl.store %h, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      pl.store %h, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      %t = pl.add %s, %f : !pl.tile<[64], f32>, !pl.tile<[64], f32>
      scf.yield %t : !pl.tile<[64], f32>
    }
    pl.store %r, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>)",
                 "pl.sqrt", "scf.for");
}

TEST_F(CheckPlan, FollowsWhileLoops) {
  expectConflict(R"(
    %r = scf.while (%s = %e) : (!pl.tile<[64], f32>) -> !pl.tile<[64], f32> {
      scf.condition(%b) %s : !pl.tile<[64], f32>
    } do {
    ^bb0(%t: !pl.tile<[64], f32>):
      %h = pl.sqrt %f : !pl.tile<[64], f32>
      pl.store %h, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      pl.store %h, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      scf.yield %t : !pl.tile<[64], f32>
    }
    pl.store %r, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>)",
                 "pl.sqrt", "scf.while");
}

// A sum reads elements all over while it is written.
TEST_F(CheckPlan, RefusesAResultInPlaceOfWhatItIsComputedFrom) {
  expectConflict(R"(
    %p = pl.reshape %f, [%c1, %c64] : !pl.tile<[64], f32> -> !pl.tile<[1, 64], f32>
    %s = pl.reduce sum %p axis 1 : !pl.tile<[1, 64], f32>
    %v = pl.read %s[%c0, %c0] : !pl.tile<[1, 1], f32>
    pl.write %v, %y[%c0] : f32, !pl.tensor<[64], f32>)",
                 "pl.reduce", "pl.neg");
}

TEST_F(CheckPlan, LetsTilesShareMemoryOneAfterTheOther) {
  func::FuncOp function = parse(R"(
    %g = pl.abs %a : !pl.tile<[64], f32>
    pl.store %g, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
    pl.store %g, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
    %h = pl.sqrt %f : !pl.tile<[64], f32>
    pl.store %h, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
    pl.store %h, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>)");
  ASSERT_TRUE(function) << message;
  TilePlan plan(function, machine);
  EXPECT_EQ(plan.memory.offsets[bufferOf(plan, function, "pl.sqrt")],
            plan.memory.offsets[bufferOf(plan, function, "pl.abs")]);
  EXPECT_TRUE(succeeded(checkPlan(function, plan))) << message;
}

} // namespace
