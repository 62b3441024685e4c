// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/PrepareForPlan.h"

#include "tegula/ir/PlOps.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula;

/// at { ... yield v }  ->  ... v
static void inlineAt(func::FuncOp function) {
  SmallVector<pl::AtOp> regions;
  function.walk([&](pl::AtOp at) { regions.push_back(at); });
  IRRewriter rewriter(function.getContext());
  for (pl::AtOp at : regions) {
    Block &body = at.getBody().front();
    auto yield = cast<pl::YieldOp>(body.getTerminator());
    rewriter.inlineBlockBefore(&body, at);
    rewriter.replaceOp(at, yield.getValues());
    rewriter.eraseOp(yield);
  }
}

static void dropExtents(func::FuncOp function) {
  function.walk([](pl::WithExtentsOp op) {
    op.getResult().replaceAllUsesWith(op.getSource());
    op.erase();
  });
}

void tegula::prepareForPlan(func::FuncOp function) {
  inlineAt(function);
  dropExtents(function);
}
