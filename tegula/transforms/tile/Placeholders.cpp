// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/tile/Placeholders.h"

#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/interpreter/ScalarConstant.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

/// The uses of a value, and of the same value under other extents.
static SmallVector<OpOperand *> usesOf(Value value) {
  SmallVector<OpOperand *> uses;
  SmallVector<Value> same = {value};
  while (!same.empty())
    for (OpOperand &use : same.pop_back_val().getUses()) {
      if (isa<pl::WithExtentsOp, pl::RelaxOp>(use.getOwner()) &&
          use.getOperandNumber() == 0)
        same.push_back(use.getOwner()->getResult(0));
      else if (!isa<pl::DimOp>(use.getOwner()))
        uses.push_back(&use);
    }
  return uses;
}

static bool goesIntoLoop(OpOperand *use) {
  auto loop = dyn_cast<scf::ForOp>(use->getOwner());
  return loop && use->getOperandNumber() >= loop.getNumControlOperands();
}

bool tegula::isPlaceholder(pl::LoadOp load) {
  SmallVector<OpOperand *> uses = usesOf(load.getResult());
  return !uses.empty() && llvm::all_of(uses, goesIntoLoop);
}

/// True if the op cannot run in the first iteration of the loop.
static bool runsLater(Operation *op, scf::ForOp loop) {
  pl::ExtentProver prover(op);
  pl::ExtentTerms &terms = prover.getTerms();
  return prover.isImpossible({pl::Constraint::equal(
      terms.of(loop.getInductionVar()), terms.of(loop.getLowerBound()))});
}

/// An op that may use `value` in the first iteration of the loop.
static Operation *findUse(Value value, scf::ForOp loop) {
  for (OpOperand *use : usesOf(value)) {
    Operation *op = use->getOwner();
    if (runsLater(op, loop))
      continue;
    auto branch = isa<scf::YieldOp>(op) ? dyn_cast<scf::IfOp>(op->getParentOp())
                                        : scf::IfOp();
    if (!branch)
      return op;
    if (Operation *found =
            findUse(branch.getResult(use->getOperandNumber()), loop))
      return found;
  }
  return nullptr;
}

Operation *tegula::findFirstUse(pl::LoadOp placeholder) {
  for (OpOperand *use : usesOf(placeholder.getResult())) {
    auto loop = cast<scf::ForOp>(use->getOwner());
    if (Operation *found = findUse(loop.getTiedLoopRegionIterArg(use), loop))
      return found;
  }
  return nullptr;
}

void tegula::replaceByZeros(pl::LoadOp placeholder) {
  OpBuilder builder(placeholder);
  Location loc = placeholder.getLoc();
  auto type = cast<pl::TileType>(placeholder.getType());
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < type.getRank(); ++axis)
    extents.push_back(
        pl::buildExtent(builder, loc, placeholder.getSource(), axis));
  Type element = type.getElementType();
  // All bits zero are zero in every type.
  Value zero = pl::buildNumber(
      builder, loc, pl::Scalar::ofBits(*pl::getDType(element), 0), element);
  Value zeros = pl::FullOp::create(builder, loc, type, zero, extents);
  placeholder.replaceAllUsesWith(zeros);
  placeholder.erase();
}
