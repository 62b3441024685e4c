// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/tile/CutTiles.h"

#include "tegula/ir/ops/attributes/LoopAttributes.h"
#include "tegula/transforms/rows/RowExpression.h"

using namespace mlir;
using namespace tegula;

/// True for an op of which a window needs windows of the operands only.
static bool worksByWindows(Operation *op) {
  if (auto matmul = dyn_cast<pl::MatmulOp>(op))
    return matmul.getType().getRank() == 2;
  return isa<pl::ElementwiseOpInterface, pl::BroadcastOp, pl::ReduceOp,
             pl::TransposeOp, pl::RelaxOp, pl::LoadOp, pl::FullOp,
             pl::ArangeOp>(op);
}

void CutTiles::findRows(func::FuncOp function) {
  // What earlier stores take is theirs only.
  auto isCut = [&](Value value) {
    return pl::isUnboundedTile(value) || large.contains(value);
  };
  function.walk([&](pl::StoreOp store) {
    RowExpression expression(store, isCut);
    if (!expression.isByRow())
      return;
    byRow.insert(store);
    for (Value value : expression.getPerRow())
      perRow.insert(value);
  });
}

CutTiles::CutTiles(func::FuncOp function, int64_t largest, bool takesRows,
                   bool cutsAllAxes)
    : cutsAllAxes(cutsAllAxes) {
  // What is computed from others comes after them.
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto tile = op->getNumResults() == 1
                    ? dyn_cast<pl::TileType>(op->getResult(0).getType())
                    : pl::TileType();
    // What sums over something without a bound is the end of an expression.
    if (!tile || !tile.isBounded() || !worksByWindows(op) ||
        llvm::any_of(op->getOperands(), pl::isUnboundedTile))
      return;
    bool isUnit =
        llvm::all_of(tile.getDims(), [](pl::Dim dim) { return dim.isUnit(); });
    bool isLarge = pl::countElements(tile.getDims()) > largest;
    auto isOfLarge = [&](Value operand) { return large.contains(operand); };
    if (!isUnit && (isLarge || llvm::any_of(op->getOperands(), isOfLarge)))
      large.insert(op->getResult(0));
  });
  if (takesRows)
    findRows(function);
}

bool CutTiles::isLonger(Value tile, unsigned axis, int64_t size) const {
  pl::Dim dim = pl::getDims(tile.getType())[axis];
  bool mayBeCut = isLarge(tile) || (cutsAllAxes && pl::isUnboundedTile(tile));
  return !dim.hasBound() || (mayBeCut && dim.getBound() > size);
}

bool tegula::takesFittingRows(pl::StoreOp store, pl::Dim rows, int64_t most) {
  auto loop = store->getParentOfType<pl::ParallelOp>();
  return loop && loop->hasAttr(pl::fitsRowsAttrName) && rows.hasBound() &&
         rows.getBound() <= most;
}
