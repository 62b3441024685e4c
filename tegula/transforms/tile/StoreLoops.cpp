// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/tile/StoreLoops.h"

#include "tegula/ir/ops/attributes/LoopAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

LogicalResult StoreLoops::open() {
  for (unsigned axis = 0; axis < chosen.window.size(); ++axis)
    if (chosen.isLooped[axis] && failed(openAxis(axis)))
      return failure();
  return success();
}

Value StoreLoops::openLoop(Value from, Value to, Value step) {
  Location loc = store.getLoc();
  bool isShared = options.isShared;
  options.isShared = options.areAllShared;
  if (!isShared) {
    auto loop = scf::ForOp::create(builder, loc, from, to, step);
    builder.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  }
  auto loop = pl::ParallelOp::create(builder, loc, from, to, step);
  loop->setAttr(pl::madeAttrName, builder.getUnitAttr());
  builder.setInsertionPointToStart(&loop.getBody().front());
  return loop.getInductionVar();
}

/// The window of a tensor that is `size` long along one axis.
static Value sliceAxis(OpBuilder &builder, Location loc, Value tensor,
                       unsigned axis, Value offset, Value size) {
  unsigned rank = pl::getDims(tensor.getType()).size();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> offsets(rank, zero), sizes;
  for (unsigned other = 0; other < rank; ++other)
    sizes.push_back(
        other == axis ? size : pl::buildExtent(builder, loc, tensor, other));
  offsets[axis] = offset;
  return pl::SliceOp::create(builder, loc, tensor, offsets, sizes);
}

std::pair<Value, Value> StoreLoops::openBlocks(unsigned axis, Value to) {
  Location loc = store.getLoc();
  Value block = chosen.blocks[axis];
  Value from = openLoop(zero, to, block);
  emitter.enterLoop();
  Value end = arith::AddIOp::create(builder, loc, from, block);
  to = arith::MinSIOp::create(builder, loc, end, to);
  // That blocks are apart is seen by their windows.
  if (!options.isInPlace) {
    starts[axis] = from;
    target = sliceAxis(builder, loc, target, axis, from, block);
  }
  return {from, to};
}

LogicalResult StoreLoops::openAxis(unsigned axis) {
  Location loc = store.getLoc();
  Value tile = store.getTile();
  if (failed(emitter.prepare(tile, chosen.window)))
    return failure();
  Value from = zero;
  Value tileExtent = pl::buildExtent(builder, loc, tile, axis);
  Value to = builder.createOrFold<arith::MinSIOp>(
      loc, tileExtent, pl::buildExtent(builder, loc, store.getTarget(), axis));
  if (chosen.blocks[axis])
    std::tie(from, to) = openBlocks(axis, to);
  AxisWindow &window = chosen.window[axis];
  Value step = window.length
                   ? window.length
                   : arith::ConstantIndexOp::create(builder, loc, window.bound)
                         .getResult();
  window.offset = openLoop(from, to, step);
  window.isPending = false;
  // The last rows of a block end where the next one begins.
  if (chosen.blocks[axis]) {
    Value left = arith::SubIOp::create(builder, loc, to, window.offset);
    window.length = arith::MinSIOp::create(builder, loc, step, left);
  }
  emitter.enterLoop();
  return success();
}
