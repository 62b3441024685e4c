// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/LoopRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tegula;

OpFoldResult tegula::findExtent(OpBuilder &builder, linalg::GenericOp op,
                                unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || dim.getPosition() != loop)
        continue;
      Value memory = operand.get();
      if (auto made = memory.getDefiningOp<memref::ReinterpretCastOp>())
        return made.getMixedSizes()[axis];
      return memref::getMixedSize(builder, op.getLoc(), memory, axis);
    }
  }
  llvm_unreachable("every loop indexes an operand");
}

OpFoldResult tegula::wholeSteps(OpBuilder &builder, Location loc,
                                OpFoldResult from, OpFoldResult to,
                                int64_t step) {
  IndexMath math(builder, loc);
  OpFoldResult length = math.sub(to, from);
  if (std::optional<int64_t> known = IndexMath::number(length))
    return math.add(from, math.constant(*known / step * step));
  Value rest = arith::RemUIOp::create(builder, loc, math.value(length),
                                      math.value(math.constant(step)));
  return math.sub(to, rest);
}

OpFoldResult tegula::rowsTakenFew(OpBuilder &builder, Location loc,
                                  OpFoldResult rows, OpFoldResult columns,
                                  int64_t lanes, int64_t few) {
  IndexMath math(builder, loc);
  constexpr int64_t manyVectors = 16;
  OpFoldResult zero = math.constant(0);
  OpFoldResult whole = wholeSteps(builder, loc, zero, rows, few);
  if (std::optional<int64_t> known = IndexMath::number(columns))
    return *known >= manyVectors * lanes ? whole : zero;
  Value isLong = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sge, math.value(columns),
      math.value(math.constant(manyVectors * lanes)));
  return arith::SelectOp::create(builder, loc, isLong, math.value(whole),
                                 math.value(zero))
      .getResult();
}
