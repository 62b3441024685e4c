// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_UNIFYEXTENTS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The two symbols that a requirement of the call makes equal.
static std::pair<pl::BindOp, pl::BindOp> equalSymbols(pl::RequireOp require) {
  auto compare = require.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!require.getAtCall() || !compare ||
      compare.getPredicate() != arith::CmpIPredicate::eq)
    return {};
  return {compare.getLhs().getDefiningOp<pl::BindOp>(),
          compare.getRhs().getDefiningOp<pl::BindOp>()};
}

/// Makes `kept` stand for both.
static void merge(pl::BindOp kept, pl::BindOp merged) {
  SmallVector<int64_t> axes(kept.getAxes());
  llvm::append_range(axes, merged.getAxes());
  kept.getTensorsMutable().append(merged.getTensors());
  kept.setAxes(axes);
  merged.getExtent().replaceAllUsesWith(kept.getExtent());
  merged.erase();
}

namespace {

struct UnifyExtentsPass : tegula::impl::UnifyExtentsBase<UnifyExtentsPass> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &entry = getOperation().getBody().front();
    for (auto require :
         llvm::make_early_inc_range(entry.getOps<pl::RequireOp>())) {
      auto [lhs, rhs] = equalSymbols(require);
      if (!lhs || !rhs)
        continue;
      require.erase();
      if (lhs == rhs)
        continue;
      bool isInOrder = lhs->isBeforeInBlock(rhs);
      merge(isInOrder ? lhs : rhs, isInOrder ? rhs : lhs);
    }
  }
};

} // namespace
