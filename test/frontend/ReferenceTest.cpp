// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Reference.h"
#include "tegula/ir/ops/PlOps.h"

#include <gtest/gtest.h>
#include <set>

using namespace tegula;

TEST(Reference, SaysWhatEveryFunctionMeans) {
  std::set<std::string> names;
  for (const FunctionEntry &entry : listFunctions()) {
    EXPECT_FALSE(entry.meaning.empty()) << entry.name.str();
    EXPECT_TRUE(names.insert(entry.name.str()).second) << entry.name.str();
  }
}

TEST(Reference, HasEveryElementwiseOp) {
  std::set<std::string> names;
  for (const FunctionEntry &entry : listFunctions())
    names.insert(entry.name.str());
  mlir::MLIRContext context;
  context.loadDialect<pl::PlDialect>();
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations())
    if (op.hasInterface<pl::ElementwiseOpInterface>() &&
        op.hasInterface<mlir::InferTypeOpInterface>())
      EXPECT_TRUE(names.count(op.stripDialect().str()))
          << op.getStringRef().str();
}

TEST(Reference, WritesParametersAsACall) {
  for (const FunctionEntry &entry : listFunctions())
    if (entry.name == "transpose")
      EXPECT_EQ(formatFunction(entry),
                "pl.transpose(x, axis1=, axis2=, tmp_tile=): two axes "
                "exchanged; those of a matrix if none are given");
}

TEST(Reference, SaysOfWhichFunctionAParameterIsIgnored) {
  std::set<std::string> names;
  for (const IgnoredParameters &group : listIgnored())
    names.insert(group.names.begin(), group.names.end());
  EXPECT_TRUE(names.count("tmp="));
  EXPECT_TRUE(names.count("pl.create_tile(transpose=)"));
  EXPECT_FALSE(names.count("transpose="));
}
