// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/parallel/CoreRegions.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula;

bool tegula::touchesTiles(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<pl::TileType>) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<pl::TileType>);
}

void tegula::inlineRegion(pl::AtOp at) {
  IRRewriter rewriter(at);
  Block &body = at.getBody().front();
  auto yield = cast<pl::YieldOp>(body.getTerminator());
  rewriter.inlineBlockBefore(&body, at);
  rewriter.replaceOp(at, yield.getValues());
  rewriter.eraseOp(yield);
}
