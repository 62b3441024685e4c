// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlRequireOps.h"

#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/extents/TripCounts.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/semantics/CheckedOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tegula::pl;

LogicalResult RequireOp::verify() {
  if (failed(verifyNames(*this, getNames(), getSizes())))
    return failure();
  if (getOrigin() != assumedOrigin && getOrigin() != declaredOrigin &&
      getOrigin() != derivedOrigin)
    return emitOpError("origin must be assumed, declared or derived, got ")
           << getOrigin();
  return success();
}

LogicalResult RequireOp::interpret(Frame &frame) {
  if (frame.getScalar(getCondition()).isTrue())
    return success();
  InFlightDiagnostic error = emitError("needs ") << getText();
  SmallVector<int64_t, 4> sizes = frame.getIndices(getSizes());
  for (auto [position, size] : llvm::enumerate(sizes))
    error << (position == 0 ? ", but " : " and ")
          << cast<StringAttr>(getNames()[position]).getValue() << " is "
          << size;
  return error;
}

bool tegula::pl::isUnconditional(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa_and_nonnull<AtOp, ParallelOp, scf::ForOp>(parent))
    parent = parent->getParentOp();
  return isa_and_nonnull<func::FuncOp>(parent);
}

bool TripCounts::areSome() const {
  std::optional<int64_t> first = getConstantIntValue(lower);
  std::optional<int64_t> end = getConstantIntValue(upper);
  return first && end && *first < *end;
}

SmallVector<TripCounts> tegula::pl::tripCountsAround(Operation *op) {
  SmallVector<TripCounts> counts;
  while ((op = op->getParentOp()))
    if (auto loop = dyn_cast<scf::ForOp>(op))
      counts.push_back({loop.getLowerBound(), loop.getUpperBound()});
    else if (auto loop = dyn_cast<ParallelOp>(op))
      counts.push_back({loop.getLower(), loop.getUpper()});
  return counts;
}

bool tegula::pl::dependsOnCallOnly(RequireOp op) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto kind = function ? function->getAttrOfType<FunctionKindAttr>(kindAttrName)
                       : FunctionKindAttr();
  bool isEntry = kind && (kind.getValue() == FunctionKind::Entry ||
                          kind.getValue() == FunctionKind::Host);
  return isEntry && isUnconditional(op) && programOf(op.getCondition());
}

bool tegula::pl::fitsInGuard(RequireOp op, ArrayRef<TripCounts> idle) {
  SmallVector<Value> values = {op.getCondition()};
  for (const TripCounts &counts : idle)
    values.append({counts.lower, counts.upper});
  // Each loop is a comparison and one more alternative. What is computed first
  // waits for the rest.
  size_t steps = 2 * idle.size();
  unsigned depth = 0;
  for (Value value : values) {
    std::optional<ExtentProgram> program = programOf(value);
    if (!program)
      return false;
    steps += program->steps.size();
    depth = std::max(depth, program->getDepth());
  }
  return steps <= maxProgramSteps &&
         depth + idle.size() + 1 <= ExtentProgram::maxDepth;
}

bool tegula::pl::isCheckedAtCall(RequireOp op) {
  if (op.getAtCall())
    return true;
  SmallVector<TripCounts> idle = tripCountsAround(op);
  llvm::erase_if(idle,
                 [](const TripCounts &counts) { return counts.areSome(); });
  return dependsOnCallOnly(op) && (idle.empty() || fitsInGuard(op, idle));
}

void RequireOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropTrueCheck<RequireOp>>(context);
}

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlRequireOps.cpp.inc"

void PlDialect::addRequireOps() {
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/ops/PlRequireOps.cpp.inc"
      >();
}
