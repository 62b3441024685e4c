// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/PlRequireOps.h"

#include "tegula/ir/CheckedOps.h"
#include "tegula/ir/Frame.h"
#include "tegula/ir/IndexExpression.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

bool tegula::pl::isCheckedAtCall(RequireOp op) {
  if (op.getAtCall())
    return true;
  auto function = op->getParentOfType<func::FuncOp>();
  auto kind = function ? function->getAttrOfType<FunctionKindAttr>(kindAttrName)
                       : FunctionKindAttr();
  bool isEntry = kind && (kind.getValue() == FunctionKind::Entry ||
                          kind.getValue() == FunctionKind::Host);
  return isEntry && isUnconditional(op) && programOf(op.getCondition());
}

void RequireOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropTrueCheck<RequireOp>>(context);
}

#define GET_OP_CLASSES
#include "tegula/ir/PlRequireOps.cpp.inc"

void PlDialect::addRequireOps() {
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/PlRequireOps.cpp.inc"
      >();
}
