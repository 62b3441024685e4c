// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/semantics/ElementLoops.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula::pl;

Coordinates tegula::pl::buildExtents(OpBuilder &builder, Location loc,
                                     Value shaped) {
  Coordinates extents;
  for (unsigned axis = 0; axis < getDims(shaped.getType()).size(); ++axis)
    extents.push_back(buildExtent(builder, loc, shaped, axis));
  return extents;
}

void tegula::pl::buildElementLoops(OpBuilder &builder, Operation *op,
                                   ArrayRef<Value> extents,
                                   const LoopOrder &order,
                                   function_ref<void(ArrayRef<Value>)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = op->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Coordinates coordinates(extents.size(), zero);
  bool mayBeParallel = order.isParallel && !op->getParentOfType<ParallelOp>();
  for (unsigned axis : order.axes) {
    if (dimOfExtent(extents[axis]).isExactly(1))
      continue;
    if (mayBeParallel) {
      auto loop = ParallelOp::create(builder, loc, zero, extents[axis], one);
      builder.setInsertionPointToStart(&loop.getBody().front());
      coordinates[axis] = loop.getInductionVar();
    } else {
      auto loop = scf::ForOp::create(builder, loc, zero, extents[axis], one);
      builder.setInsertionPointToStart(loop.getBody());
      coordinates[axis] = loop.getInductionVar();
    }
    mayBeParallel = false;
  }
  body(coordinates);
}
