// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/Register.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tegula;

TEST(IndexExpression, GivesUpOnLongComputations) {
  MLIRContext context;
  loadDialects(context);
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  Type index = builder.getIndexType();
  auto function = func::FuncOp::create(
      builder, loc, "f", builder.getFunctionType({index, index}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  Value value = function.getArgument(0);
  for (unsigned count = 0; count < 100; ++count)
    value = arith::MulIOp::create(builder, loc, value, function.getArgument(1));
  EXPECT_TRUE(pl::programOf(value).has_value());
  for (unsigned count = 0; count < 500000; ++count)
    value = arith::MulIOp::create(builder, loc, value, function.getArgument(1));
  EXPECT_FALSE(pl::programOf(value).has_value());
}
