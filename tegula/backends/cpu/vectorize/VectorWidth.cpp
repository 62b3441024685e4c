// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/VectorWidth.h"

#include "tegula/backends/codegen/loops/VectorBody.h"
#include "tegula/backends/cpu/vectorize/CollapseContiguous.h"
#include "tegula/backends/cpu/vectorize/NestOperands.h"
#include "tegula/ir/OpCosts.h"

using namespace mlir;
using namespace tegula;

static int64_t findLanes(linalg::GenericOp op, unsigned vectorBits) {
  if (isFolded(op))
    return 1;
  unsigned numLoops = op.getNumLoops(), widest = 8;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isUnused(op, operand))
      continue;
    auto type = cast<MemRefType>(operand.get().getType());
    Type element = type.getElementType();
    unsigned bits = element.getIntOrFloatBitWidth();
    widest =
        std::max(widest, isa<FloatType>(element) ? std::max(32u, bits) : bits);
    if (!isStepped(op, operand))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!last || last.getPosition() != numLoops - 1 ||
        (!type.isLastDimUnitStride() && isReadAcross(op, operand)))
      return 1;
  }
  return numLoops == 0 ? 1 : vectorBits / widest;
}

static bool canHalve(linalg::GenericOp op, unsigned vectorBits, int64_t lanes) {
  if (lanes < 8 || op.getNumLoops() < 2 || canCollapseLoops(op))
    return false;
  // Narrow elements have masks of their own only where vectors are longest.
  return vectorBits == 512 ||
         llvm::all_of(op->getOpOperands(), [](OpOperand &operand) {
           Type element = getElementTypeOrSelf(operand.get());
           return element.getIntOrFloatBitWidth() >= 32;
         });
}

static bool canBeLight(linalg::GenericOp op, unsigned vectorBits,
                       int64_t lanes) {
  return vectorBits == 512 && lanes >= 8 && canCollapseLoops(op) &&
         isQuick(op, /*mostInstructions=*/3);
}

VectorWidth VectorWidth::of(linalg::GenericOp op, unsigned vectorBits) {
  int64_t lanes = findLanes(op, vectorBits);
  return {lanes, /*hasMaskRegisters=*/vectorBits == 512,
          canHalve(op, vectorBits, lanes), canBeLight(op, vectorBits, lanes)};
}

bool tegula::isQuick(linalg::GenericOp op, int64_t mostInstructions) {
  int64_t instructions = 0;
  for (Operation &nested : *op.getBody())
    instructions += pl::getCost(&nested);
  return instructions <= mostInstructions;
}

bool tegula::isFolded(linalg::GenericOp op) {
  bool readsTarget = op.getNumReductionLoops() != 0 ||
                     !op.getRegionOutputArgs().front().use_empty();
  return readsTarget && !Combiner::of(op);
}
