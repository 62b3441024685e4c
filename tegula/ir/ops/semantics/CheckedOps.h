// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What pl.require, pl.assert and pl.print have in common: they name values in
/// what they say, and the first two check a condition.

#ifndef TEGULA_IR_OPS_SEMANTICS_CHECKEDOPS_H
#define TEGULA_IR_OPS_SEMANTICS_CHECKEDOPS_H

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace tegula::pl {

/// There is one name for each value.
inline mlir::LogicalResult verifyNames(mlir::Operation *op,
                                       mlir::ArrayAttr names,
                                       mlir::ValueRange values) {
  if (names.size() == values.size())
    return mlir::success();
  return op->emitOpError("expects ")
         << values.size() << " names, got " << names.size();
}

/// require(true), assert(true)  ->  nothing
template <typename Op> struct DropTrueCheck : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    if (!mlir::matchPattern(op.getCondition(), mlir::m_One()))
      return rewriter.notifyMatchFailure(op, "may be false");
    rewriter.eraseOp(op);
    return mlir::success();
  }
};

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_SEMANTICS_CHECKEDOPS_H
