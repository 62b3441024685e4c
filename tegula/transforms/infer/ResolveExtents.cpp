// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_RESOLVEEXTENTS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

namespace {

struct ResolveExtentsPass
    : tegula::impl::ResolveExtentsBase<ResolveExtentsPass> {
  void runOnOperation() override { tegula::pl::resolveExtents(getOperation()); }
};

} // namespace
