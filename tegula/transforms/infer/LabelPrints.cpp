// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/LoopVariables.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_LABELPRINTS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

template <typename Op> static void label(Op op) {
  if (op.getLabelled())
    return;
  SmallVector<Attribute> names;
  for (const pl::LoopVariable &loop : pl::listLoopVariables(op)) {
    names.push_back(StringAttr::get(op.getContext(), loop.name));
    op.getIterationsMutable().append(loop.value);
  }
  op.setNamesAttr(ArrayAttr::get(op.getContext(), names));
  op.setLabelled(true);
}

namespace {

struct LabelPrintsPass : tegula::impl::LabelPrintsBase<LabelPrintsPass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto print = dyn_cast<pl::PrintOp>(op))
        label(print);
      else if (auto assertion = dyn_cast<pl::AssertOp>(op))
        label(assertion);
    });
  }
};

} // namespace
