// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op of the language is lowered, or there is a reason why it never gets
// there.

#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The ops that no pattern of all targets lowers, and why.
const llvm::StringMap<llvm::StringRef> reasons = {
    {"at", "PrepareForPlan inlines regions"},
    {"barrier", "SplitAtBarriers, of the infer pipeline, leaves none"},
    {"epilogue_yield", "the target that takes matmul_into takes its epilogue"},
    {"launch", "OutlineCores makes them, for the interpreter alone"},
    {"matmul_into", "made only for targets that have a pattern of their own"},
    {"with_extents", "PrepareForPlan replaces it by its source"},
    {"yield", "the op around it takes what its region yields"},
};

TEST(TilePatterns, LowersEveryOpThatHasNoReason) {
  MLIRContext context;
  context.loadDialect<pl::PlDialect>();
  TilePatterns patterns = TilePatterns::ofAllFamilies();
  size_t numReasons = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "pl")
      continue;
    // These are made of others (ExpandOps).
    if (name.hasInterface<pl::ExpandOpInterface>()) {
      EXPECT_FALSE(patterns.lowers(name)) << name.getStringRef().str();
      continue;
    }
    bool hasReason = reasons.contains(name.stripDialect());
    numReasons += hasReason;
    EXPECT_NE(patterns.lowers(name), hasReason)
        << name.getStringRef().str()
        << (hasReason ? " is lowered, so it needs no reason"
                      : " has neither a pattern nor a reason");
  }
  EXPECT_EQ(numReasons, reasons.size()) << "a reason is of no op";
}

} // namespace
