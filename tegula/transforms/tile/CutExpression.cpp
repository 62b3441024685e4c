// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/tile/CutExpression.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"

using namespace mlir;
using namespace tegula;

void tegula::visitExpression(Value value, const CutTiles &cut,
                             function_ref<void(Value)> visit,
                             llvm::SmallPtrSetImpl<void *> &seen) {
  if (!cut.contains(value) || !seen.insert(value.getAsOpaquePointer()).second)
    return;
  visit(value);
  if (Operation *op = value.getDefiningOp())
    for (Value operand : op->getOperands())
      visitExpression(operand, cut, visit, seen);
}

SmallVector<Value> tegula::expressionOf(Operation *sink, const CutTiles &cut) {
  SmallVector<Value> values;
  llvm::SmallPtrSet<void *, 16> seen;
  for (Value operand : sink->getOperands())
    visitExpression(operand, cut, [&](Value v) { values.push_back(v); }, seen);
  return values;
}

bool tegula::readsMemoryOf(Value value, Value target, const CutTiles &cut) {
  bool reads = false;
  llvm::SmallPtrSet<void *, 16> seen;
  visitExpression(
      value, cut,
      [&](Value inside) {
        auto load = inside.getDefiningOp<pl::LoadOp>();
        reads |= load && mayShareMemory(load.getSource(), target);
      },
      seen);
  return reads;
}

bool tegula::readsOnlySameWindow(Value value, Value target, const CutTiles &cut,
                                 llvm::SmallPtrSetImpl<void *> &seen) {
  if (!cut.contains(value) || !seen.insert(value.getAsOpaquePointer()).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast_or_null<pl::LoadOp>(op))
    return load.getSource() == target ||
           !mayShareMemory(load.getSource(), target);
  // A row that is reduced is read before anything of it is stored.
  bool isOfRow =
      op && (cut.isPerRow(value) ||
             (isa<pl::BroadcastOp>(op) && cut.isPerRow(op->getOperand(0))));
  if (op &&
      (isOfRow ||
       isa<pl::ElementwiseOpInterface, pl::RelaxOp, pl::WithExtentsOp>(op)))
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return readsOnlySameWindow(operand, target, cut, seen);
    });
  // A window of an accumulator is read before it is stored.
  if (auto matmul = dyn_cast_or_null<pl::MatmulOp>(op);
      matmul && matmul.getAcc())
    return !readsMemoryOf(matmul.getLhs(), target, cut) &&
           !readsMemoryOf(matmul.getRhs(), target, cut) &&
           readsOnlySameWindow(matmul.getAcc(), target, cut, seen);
  // Through any other op a window may depend on other windows. What was seen
  // before on the way here may be reached again, so the set starts anew.
  return !readsMemoryOf(value, target, cut);
}

Value tegula::toMemory(Value value) {
  MLIRContext *context = value.getContext();
  OpBuilder builder(context);
  builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  auto tile = cast<pl::TileType>(value.getType());
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < tile.getRank(); ++axis)
    extents.push_back(pl::buildExtent(builder, loc, value, axis));
  auto type =
      pl::TensorViewType::get(context, tile.getDims(), tile.getElementType());
  Value memory = pl::CreateTensorOp::create(builder, loc, type, extents);
  auto store = pl::StoreOp::create(builder, loc, value, memory);
  Value load =
      pl::keepSpace(builder, value, pl::LoadOp::create(builder, loc, memory));
  value.replaceUsesWithIf(load, [&](OpOperand &use) {
    return use.getOwner() != store && !isa<pl::DimOp>(use.getOwner());
  });
  return load;
}
