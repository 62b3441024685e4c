// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/NestOperands.h"

using namespace mlir;
using namespace tegula;

bool tegula::isUnused(linalg::GenericOp op, OpOperand &operand) {
  return op.isDpsInput(&operand) &&
         op.getMatchingBlockArgument(&operand).use_empty();
}

bool tegula::isStepped(linalg::GenericOp op, OpOperand &operand) {
  unsigned numLoops = op.getNumLoops();
  return numLoops != 0 &&
         op.getMatchingIndexingMap(&operand).isFunctionOfDim(numLoops - 1);
}

bool tegula::isReadAcross(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  return llvm::any_of(llvm::seq(op.getNumLoops() - 1), [&](unsigned loop) {
    return kinds[loop] == utils::IteratorType::reduction &&
           map.isFunctionOfDim(loop);
  });
}
