// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Analysis/DataFlow/LivenessAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_WARNUNUSEDTILES
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct WarnUnusedTilesPass
    : tegula::impl::WarnUnusedTilesBase<WarnUnusedTilesPass> {
  using WarnUnusedTilesBase::WarnUnusedTilesBase;

  void runOnOperation() override;
};

} // namespace

/// The variable that the value was given to, if it is a tile computed for
/// nothing but that.
static StringRef nameOfLast(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      isa<pl::WithExtentsOp, pl::RelaxOp>(op) ||
      !isa<pl::TileType>(op->getResult(0).getType()))
    return "";
  bool isLast = llvm::all_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           isa<pl::DimOp, pl::WithExtentsOp, pl::RelaxOp>(user);
  });
  return isLast ? nameOfValue(op->getResult(0)) : "";
}

/// The tile that an operand of the op, or of what it was computed from, is a
/// part of; null if there is none.
static Value findWhole(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto window = operand.getDefiningOp<pl::WindowOp>();
    if (window && !nameOfValue(window.getSource()).empty())
      return window.getSource();
  }
  return Value();
}

void WarnUnusedTilesPass::runOnOperation() {
  markAllAnalysesPreserved();
  dataflow::RunLivenessAnalysis analysis(getOperation());
  bool hasErrors = false;
  getOperation()->walk([&](Operation *op) {
    StringRef name = nameOfLast(op);
    if (name.empty() || name.starts_with("_"))
      return;
    const dataflow::Liveness *liveness = analysis.getLiveness(op->getResult(0));
    if (!liveness || liveness->isLive)
      return;
    InFlightDiagnostic warning = strict ? op->emitError() : op->emitWarning();
    warning << "nothing reads what '" << name << "' is here";
    if (Value whole = findWhole(op))
      warning.attachNote(op->getLoc())
          << "tiles are values: '" << name << "' is no window on '"
          << nameOfValue(whole) << "', which stays as it is; write '"
          << nameOfValue(whole) << "[...] = ...' or pl.assemble to change it";
    else
      warning.attachNote(op->getLoc())
          << "tiles are values: no other variable changes with it";
    hasErrors |= strict;
  });
  if (hasErrors)
    signalPassFailure();
}
