// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/RowExpression.h"

using namespace mlir;
using namespace tegula;

RowExpression::RowExpression(pl::StoreOp store, function_ref<bool(Value)> isCut)
    : store(store), isCut(isCut) {
  canBe = store.getTile().getType().getRank() == 2 && isCut(store.getTile());
  visit(store.getTile());
  for (Value value : getPerRow())
    for (Operation *user : value.getUsers())
      canBe &=
          isa<pl::DimOp>(user) || user == store ||
          (user->getNumResults() == 1 && values.contains(user->getResult(0)));
}

/// True for ops that give a row of their result a row of each operand.
static bool keepsRows(Operation *op) {
  return isa<pl::ElementwiseOpInterface, pl::BroadcastOp, pl::RelaxOp,
             pl::WithExtentsOp>(op);
}

void RowExpression::visit(Value value) {
  auto type = dyn_cast<pl::TileType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!type || !op || op->getBlock() != store->getBlock()) {
    canBe &= !type || !isCut(value);
    return;
  }
  if (!canBe || !values.insert(value))
    return;
  canBe &= type.getRank() == 2;
  auto reduce = dyn_cast<pl::ReduceOp>(op);
  if (reduce && reduce.getAxis() == 1 && isCut(reduce.getSource())) {
    reductions.insert(value);
    return visit(reduce.getSource());
  }
  if (!keepsRows(op)) {
    canBe &= isa<pl::LoadOp, pl::FullOp, pl::ArangeOp>(op) || !isCut(value);
    return;
  }
  for (Value operand : op->getOperands())
    visit(operand);
}

/// What is cut is computed anew for each row as it is.
bool RowExpression::dependsOnRows(Value value) const {
  if (isCut(value) || !values.contains(value))
    return false;
  return reductions.contains(value) ||
         (keepsRows(value.getDefiningOp()) &&
          llvm::any_of(value.getDefiningOp()->getOperands(),
                       [&](Value operand) { return dependsOnRows(operand); }));
}

SmallVector<Value> RowExpression::getPerRow() const {
  return llvm::to_vector(llvm::make_filter_range(
      values, [&](Value value) { return dependsOnRows(value); }));
}
