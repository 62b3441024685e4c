// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_EXPANDOPS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct ExpandOpsPass : tegula::impl::ExpandOpsBase<ExpandOpsPass> {
  void runOnOperation() override {
    SmallVector<pl::ExpandOpInterface> made;
    getOperation().walk([&](pl::ExpandOpInterface op) { made.push_back(op); });
    for (pl::ExpandOpInterface op : made) {
      OpBuilder builder(op);
      if (Value result = op.expand(builder))
        op->getResult(0).replaceAllUsesWith(
            pl::keepSpace(builder, op->getResult(0), result));
      op->erase();
    }
  }
};

} // namespace
