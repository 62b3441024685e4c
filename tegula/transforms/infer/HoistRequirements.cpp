// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/extents/TripCounts.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tegula {
#define GEN_PASS_DEF_HOISTREQUIREMENTS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct HoistRequirementsPass
    : tegula::impl::HoistRequirementsBase<HoistRequirementsPass> {
  using HoistRequirementsBase::HoistRequirementsBase;
  void runOnOperation() override;

private:
  LogicalResult settle(pl::RequireOp op);
  void hoist(pl::RequireOp op, ArrayRef<pl::TripCounts> idle);
  void setToTop(OpBuilder &builder);
  Value copyToTop(Value value);
  void explain(pl::RequireOp op, StringRef how);
  void explainSignature();

  /// The next requirement goes right after this, or first if there is none: an
  /// op that stays, whatever becomes of the requirements below it.
  Operation *last = nullptr;
  IRMapping copies;
};

} // namespace

/// The computation of `value` at the top of the function.
Value HoistRequirementsPass::copyToTop(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<pl::BindOp>(op))
    return value;
  if (Value copy = copies.lookupOrNull(value))
    return copy;
  for (Value operand : op->getOperands())
    copyToTop(operand);
  OpBuilder builder(&getContext());
  setToTop(builder);
  last = builder.clone(*op, copies);
  return last->getResult(0);
}

void HoistRequirementsPass::setToTop(OpBuilder &builder) {
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(&getOperation().getBody().front());
}

/// The loops around a requirement that may make no iteration; nothing if it
/// cannot be told at the call whether one of them does, or would take too long.
static std::optional<SmallVector<pl::TripCounts>>
idleLoopsAround(pl::RequireOp op) {
  SmallVector<pl::TripCounts> idle;
  Operation *loop = op;
  for (const pl::TripCounts &counts : pl::tripCountsAround(op)) {
    do
      loop = loop->getParentOp();
    while (!isa<scf::ForOp, pl::ParallelOp>(loop));
    if (counts.areSome())
      continue;
    pl::ExtentProver prover(loop);
    pl::Polynomial first = prover.getTerms().of(counts.lower);
    pl::Polynomial end = prover.getTerms().of(counts.upper);
    if (prover.isImpossible({pl::Constraint::atMost(end, first)}))
      continue;
    idle.push_back(counts);
  }
  if (!idle.empty() && !pl::fitsInGuard(op, idle))
    return std::nullopt;
  return idle;
}

/// One of the `idle` loops makes no iteration, or the condition holds.
void HoistRequirementsPass::hoist(pl::RequireOp op,
                                  ArrayRef<pl::TripCounts> idle) {
  Value condition = copyToTop(op.getCondition());
  for (const pl::TripCounts &counts : idle) {
    Value lower = copyToTop(counts.lower), upper = copyToTop(counts.upper);
    OpBuilder builder(&getContext());
    setToTop(builder);
    Value isIdle = arith::CmpIOp::create(
        builder, op.getLoc(), arith::CmpIPredicate::sge, lower, upper);
    auto either = arith::OrIOp::create(builder, op.getLoc(), isIdle, condition);
    last = either;
    condition = either;
  }
  SmallVector<Value> sizes;
  SmallVector<Attribute> names;
  for (auto [size, name] : llvm::zip(op.getSizes(), op.getNames()))
    if (pl::programOf(size)) {
      sizes.push_back(copyToTop(size));
      names.push_back(name);
    }
  OpBuilder builder(&getContext());
  setToTop(builder);
  auto hoisted = pl::RequireOp::create(
      builder, op.getLoc(), condition, op.getText(), op.getOrigin(),
      builder.getArrayAttr(names), sizes, op.getArgument(), op.getAxis(),
      /*at_call=*/true);
  last = hoisted;
  explain(hoisted, "checked at the call");
  op.erase();
}

LogicalResult HoistRequirementsPass::settle(pl::RequireOp op) {
  pl::ExtentProver prover(op);
  if (prover.isAlways(op.getCondition())) {
    explain(op, "proved");
    op.erase();
    return success();
  }
  auto cases = pl::alternativesOf(prover.getTerms(), op.getCondition(), true);
  bool isHopeless =
      cases && llvm::all_of(*cases, [&](const pl::Constraints &constraints) {
        return prover.isImpossible(constraints);
      });
  // In a branch it may be meant never to run.
  if (isHopeless && pl::isUnconditional(op))
    return op.emitError("needs ")
           << op.getText() << ", which does not hold for any sizes";
  std::optional<SmallVector<pl::TripCounts>> idle;
  if (pl::dependsOnCallOnly(op))
    idle = idleLoopsAround(op);
  if (idle)
    hoist(op, *idle);
  else
    explain(op, "checked at run time");
  return success();
}

void HoistRequirementsPass::explain(pl::RequireOp op, StringRef how) {
  if (!explainFacts)
    return;
  StringRef why = op.getOrigin() == pl::assumedOrigin ? "assumed here"
                  : op.getOrigin() == pl::declaredOrigin
                      ? "declared here"
                      : "this operation needs it";
  op.emitRemark() << how << ": " << op.getText() << " (" << why << ")";
}

/// What the signature itself makes the guard check.
void HoistRequirementsPass::explainSignature() {
  func::FuncOp func = getOperation();
  auto nameOf = [&](Value value) {
    unsigned position = cast<BlockArgument>(value).getArgNumber();
    auto name = func.getArgAttrOfType<StringAttr>(position, pl::nameAttrName);
    return name ? name.str() : "arg" + std::to_string(position);
  };
  for (auto bind : func.getBody().front().getOps<pl::BindOp>()) {
    InFlightDiagnostic remark = bind.emitRemark("checked at the call: ");
    remark << bind.getSymbol() << " is";
    for (auto [position, tensor] : llvm::enumerate(bind.getTensors()))
      remark << (position ? " and" : "") << " axis " << bind.getAxes()[position]
             << " of '" << nameOf(tensor) << "'";
  }
  for (BlockArgument argument : func.getArguments())
    if (auto type = dyn_cast<pl::TensorViewType>(argument.getType()))
      for (auto [axis, dim] : llvm::enumerate(type.getDims()))
        if (dim.isExact())
          emitRemark(argument.getLoc())
              << "checked at the call: axis " << axis << " of '"
              << nameOf(argument) << "' is " << dim.getBound();
}

void HoistRequirementsPass::runOnOperation() {
  func::FuncOp func = getOperation();
  auto kind = func->getAttrOfType<pl::FunctionKindAttr>(pl::kindAttrName);
  if (func.isExternal() || !kind ||
      (kind.getValue() != pl::FunctionKind::Entry &&
       kind.getValue() != pl::FunctionKind::Host))
    return;
  if (explainFacts)
    explainSignature();
  Block &entry = func.getBody().front();
  Operation *first = &entry.front();
  while (isa<pl::BindOp>(first) ||
         (isa<pl::RequireOp>(first) && cast<pl::RequireOp>(first).getAtCall()))
    first = first->getNextNode();
  for (pl::BindOp bind : llvm::make_early_inc_range(entry.getOps<pl::BindOp>()))
    if (!bind->isBeforeInBlock(first) && first != bind)
      bind->moveBefore(first);
  last = first->getPrevNode();
  copies.clear();
  SmallVector<pl::RequireOp> requirements;
  func.walk([&](pl::RequireOp op) {
    if (!op.getAtCall())
      requirements.push_back(op);
  });
  for (pl::RequireOp op : requirements)
    if (failed(settle(op)))
      return signalPassFailure();
}
