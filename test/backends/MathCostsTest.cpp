// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions say that they cost, against the arithmetic that they become.

#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/ir/OpCosts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tegula;

/// A function that computes one vector of 32-bit floats.
static OwningOpRef<ModuleOp> makeModule(MLIRContext &context, StringRef op,
                                        unsigned bits) {
  std::string type = "vector<" + std::to_string(bits / 32) + "xf32>";
  std::string operands = op == "powf" ? "%x, %x" : "%x";
  return parseSourceString<ModuleOp>("func.func @f(%x: " + type + ") -> " +
                                         type + " {\n%r = math." + op.str() +
                                         " " + operands + " : " + type +
                                         "\nreturn %r : " + type + "\n}",
                                     &context);
}

TEST(MathCosts, AreAboutThoseOfTheArithmetic) {
  DialectRegistry registry;
  registerCpuDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  for (unsigned bits : {256u, 512u})
    for (StringRef op : {"exp", "log", "sin", "cos", "tanh", "erf", "powf"}) {
      OwningOpRef<ModuleOp> module = makeModule(context, op, bits);
      ASSERT_TRUE(module);
      auto function = *module->getOps<func::FuncOp>().begin();
      int64_t stated = pl::getCost(&function.getBody().front().front());
      CpuVectorMathOptions options;
      options.vectorBits = bits;
      PassManager pm(&context);
      pm.addPass(createCpuVectorMath(options));
      ASSERT_TRUE(succeeded(pm.run(*module)));
      int64_t expanded = 0;
      for (Operation &part : function.getBody().front())
        expanded += pl::getCost(&part);
      EXPECT_LE(expanded, 2 * stated) << op.str() << ", " << bits << " bits";
      EXPECT_GE(2 * expanded, stated) << op.str() << ", " << bits << " bits";
    }
}
