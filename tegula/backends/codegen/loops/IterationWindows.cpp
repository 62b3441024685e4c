// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/loops/IterationWindows.h"

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tegula;

/// True if the number is made from the loop's. Looks at a few values only.
static bool dependsOn(Value number, Value induction, int depth = 4) {
  if (number == induction)
    return true;
  Operation *op = number.getDefiningOp();
  return op && depth > 0 && isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, induction, depth - 1);
         });
}

bool tegula::movesWith(Value window, Value induction) {
  while (auto slice = window.getDefiningOp<pl::SliceOp>()) {
    if (llvm::any_of(slice.getOffsets(), [&](Value offset) {
          return dependsOn(offset, induction);
        }))
      return true;
    window = slice.getSource();
  }
  return false;
}

/// True if so many are as many as the loop steps by, unless fewer are left.
static bool isWholeStep(Value size, OpFoldResult step) {
  if (isEqualConstantIntOrValue(size, step))
    return true;
  auto least = size.getDefiningOp<arith::MinSIOp>();
  return least && (isEqualConstantIntOrValue(least.getLhs(), step) ||
                   isEqualConstantIntOrValue(least.getRhs(), step));
}

/// The window among those the rows are part of that an iteration of the loop
/// chooses rows by; null if none is.
static pl::SliceOp findMovingRows(Value rows, Value induction) {
  while (auto slice = rows.getDefiningOp<pl::SliceOp>()) {
    if (dependsOn(slice.getOffsets().front(), induction))
      return slice;
    rows = slice.getSource();
  }
  return {};
}

static bool isMatrix(Value tensor) {
  return pl::getDims(tensor.getType()).size() == 2;
}

bool tegula::loadsNextRows(pl::LoadOp load) {
  Value window = load.getSource();
  for (Operation *around = load->getParentOp();
       isMatrix(window) && !isa<func::FuncOp>(around);
       around = around->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(around);
    if (!loop)
      continue;
    std::optional<SmallVector<Value>> inductions = loop.getLoopInductionVars();
    std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
    if (!inductions || !steps || inductions->size() != 1)
      return false;
    if (pl::SliceOp slice = findMovingRows(window, inductions->front()))
      return isMatrix(slice.getSource()) &&
             isWholeStep(slice.getSizes().front(), steps->front());
  }
  return false;
}
