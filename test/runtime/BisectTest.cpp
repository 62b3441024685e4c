// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/check/Bisect.h"

#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/PipelineBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

using namespace tegula;

namespace {

/// A pass that is wrong on purpose: additions become subtractions.
struct BreakAdditions
    : mlir::PassWrapper<BreakAdditions, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BreakAdditions)

  llvm::StringRef getArgument() const override { return "break-additions"; }
  void runOnOperation() override {
    getOperation().walk([](pl::AddOp add) {
      mlir::OpBuilder builder(add);
      auto sub =
          pl::SubOp::create(builder, add.getLoc(), add.getLhs(), add.getRhs());
      add.replaceAllUsesWith(sub.getResult());
      add.erase();
    });
  }
};

struct Bisect : testing::Test {
  Bisect() {
    source.path = "sum.mlir";
    source.text = R"mlir(
      func.func @sum(%x: !pl.tensor<[?], f32> {pl.name = "x", pl.dir = #pl.dir<in>},
                     %y: !pl.tensor<[?], f32> {pl.name = "y", pl.dir = #pl.dir<out>})
          attributes {pl.kind = #pl.kind<entry>} {
        %N = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
        %t = pl.load %x : !pl.tensor<[?], f32>
        %s = pl.add %t, %t : !pl.tile<[?], f32>, !pl.tile<[?], f32>
        pl.store %s, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
        return
      })mlir";
  }

  std::optional<Culprit>
  bisect(llvm::function_ref<void(PipelineBuilder &)> build) {
    Compilation compilation(source);
    Error error = compilation.generate({});
    if (error) {
      ADD_FAILURE() << llvm::toString(std::move(error));
      return std::nullopt;
    }
    std::vector<Argument> arguments = {TensorView(x.data(), {3}),
                                       TensorView(y.data(), {3})};
    Expected<PassBisection> bisection =
        PassBisection::create(compilation, arguments);
    if (!bisection) {
      ADD_FAILURE() << llvm::toString(bisection.takeError());
      return std::nullopt;
    }
    Error failure =
        compilation.runPasses(build, bisection->makeInstrumentation());
    EXPECT_FALSE(static_cast<bool>(failure));
    return bisection->getCulprit();
  }

  KernelSource source;
  std::vector<float> x = {1, 2, 3}, y = {0, 0, 0};
};

} // namespace

TEST_F(Bisect, NamesTheFirstPassThatChangesAResult) {
  std::optional<Culprit> culprit = bisect([](PipelineBuilder &manager) {
    manager.addPass(mlir::createCSEPass());
    manager.addPass(std::make_unique<BreakAdditions>());
    manager.addPass(mlir::createCanonicalizerPass());
  });
  ASSERT_TRUE(culprit);
  EXPECT_EQ(culprit->pass, "break-additions");
  EXPECT_EQ(culprit->output.name, "y");
  EXPECT_EQ(culprit->output.firstWrong, "[0] is 0, expected 2");
  EXPECT_EQ(culprit->op, "'pl.store' at sum.mlir:8:9");
}

TEST_F(Bisect, FindsNothingInCorrectPasses) {
  EXPECT_FALSE(bisect([](PipelineBuilder &manager) {
    manager.addPass(mlir::createCanonicalizerPass());
    manager.addPass(mlir::createCSEPass());
  }));
}

TEST_F(Bisect, LeavesTheArgumentsAlone) {
  bisect(
      [](PipelineBuilder &manager) { manager.addPass(mlir::createCSEPass()); });
  EXPECT_EQ(y, (std::vector<float>{0, 0, 0}));
}

TEST_F(Bisect, ReadsTheSignatureFromTheEntry) {
  Compilation compilation(source);
  ASSERT_FALSE(compilation.generate({}));
  EXPECT_EQ(getSignature(compilation.getEntry()).format(),
            "sum(x: Tensor[[N], FP32], y: Out[Tensor[[N], FP32]])");
}

TEST_F(Bisect, ReportsIrThatDoesNotParse) {
  source.text = "func.func @broken(";
  Compilation compilation(source);
  std::string message = llvm::toString(compilation.generate({}));
  EXPECT_NE(message.find("sum.mlir:1:"), std::string::npos) << message;
  EXPECT_NE(message.find("error: expected"), std::string::npos) << message;
}
