// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/CollapseContiguous.h"

#include "tegula/backends/cpu/vectorize/NestOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tegula;

/// True if one of the last two loops indexes the operand.
static bool isTraversed(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  unsigned numLoops = op.getNumLoops();
  return map.isFunctionOfDim(numLoops - 1) || map.isFunctionOfDim(numLoops - 2);
}

/// True if the last two loops go over the last two axes.
static bool isIndexedByRows(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  unsigned numLoops = op.getNumLoops(), rank = map.getNumResults();
  auto isLoop = [&](unsigned axis, unsigned loop) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(axis));
    return dim && dim.getPosition() == loop;
  };
  return rank >= 2 && isLoop(rank - 1, numLoops - 1) &&
         isLoop(rank - 2, numLoops - 2);
}

bool tegula::canCollapseLoops(linalg::GenericOp op) {
  unsigned numLoops = op.getNumLoops();
  if (numLoops < 2 || op.getNumReductionLoops() != 0)
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (!isUnused(op, operand) && isTraversed(op, operand) &&
        !isIndexedByRows(op, operand))
      return false;
  return llvm::none_of(
      op.getBody()->getOps<linalg::IndexOp>(),
      [&](linalg::IndexOp index) { return index.getDim() + 2 >= numLoops; });
}

/// The distance of neighbouring rows; nothing if they are known to lie one
/// after the other.
static std::optional<OpFoldResult> rowStride(OpBuilder &builder, Location loc,
                                             Value memory) {
  if (auto made = memory.getDefiningOp<memref::ReinterpretCastOp>())
    return made.getMixedStrides()[made.getMixedStrides().size() - 2];
  auto type = cast<MemRefType>(memory.getType());
  if (type.getLayout().isIdentity())
    return std::nullopt;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, memory);
  return metadata.getConstifiedMixedStrides()[type.getRank() - 2];
}

RowLoops tegula::flattenRows(OpBuilder &builder, linalg::GenericOp op,
                             RowLoops loops, Value isDense) {
  Location loc = op.getLoc();
  IndexMath math(builder, loc);
  Value isFlat = isDense;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isUnused(op, operand) || !isTraversed(op, operand))
      continue;
    std::optional<OpFoldResult> stride = rowStride(builder, loc, operand.get());
    if (!stride || *stride == loops.columns)
      continue;
    if (IndexMath::number(*stride) && IndexMath::number(loops.columns))
      return loops;
    Value isNext =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                              math.value(*stride), math.value(loops.columns));
    isFlat =
        isFlat ? arith::AndIOp::create(builder, loc, isFlat, isNext).getResult()
               : isNext;
  }
  OpFoldResult one = math.constant(1);
  OpFoldResult all = math.mul(loops.rows, loops.columns);
  if (!isFlat)
    return {one, all};
  auto choose = [&](OpFoldResult ifFlat, OpFoldResult ifNot) -> OpFoldResult {
    return arith::SelectOp::create(builder, loc, isFlat, math.value(ifFlat),
                                   math.value(ifNot))
        .getResult();
  };
  return {choose(one, loops.rows), choose(all, loops.columns)};
}
