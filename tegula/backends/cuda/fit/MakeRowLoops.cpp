// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole-array expressions -> loops over rows, so that an iteration may have as
// many as a block has registers for.

#include "tegula/backends/cuda/Passes.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/attributes/LoopAttributes.h"
#include "tegula/transforms/tile/CutExpression.h"
#include "tegula/transforms/tile/TileEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAMAKEROWLOOPS
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// More than any axis has.
static constexpr int64_t anyLength = int64_t(1) << 48;

static bool isByElement(Operation *op) {
  return isa<pl::LoadOp, pl::FullOp, pl::BroadcastOp, pl::RelaxOp,
             pl::ElementwiseOpInterface>(op) &&
         isPure(op) == !isa<pl::LoadOp>(op);
}

/// True if elements are computed one by one from memory that stays as it is
/// until they are stored.
static bool isElementwise(pl::StoreOp store, const CutTiles &cut) {
  Value tile = store.getTile();
  if (!pl::isUnboundedTile(tile) || pl::getDims(tile.getType()).size() < 2 ||
      !store->getDiscardableAttrDictionary().empty() ||
      !rootOfView(store.getTarget()) ||
      readsMemoryOf(tile, store.getTarget(), cut))
    return false;
  return llvm::all_of(expressionOf(store, cut), [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != store->getBlock() || !isByElement(op) ||
        !op->getDiscardableAttrDictionary().empty())
      return false;
    // Tiles with bounds are made before the loop.
    bool isCut = llvm::all_of(op->getOperands(), [&](Value operand) {
      return !isa<pl::TileType>(operand.getType()) || cut.contains(operand) ||
             operand.getDefiningOp<pl::FullOp>();
    });
    auto load = dyn_cast<pl::LoadOp>(op);
    return isCut && !(load && mayBeWrittenBetween(
                                  load, store, rootOfView(load.getSource())));
  });
}

/// What nobody reads any more.
static void eraseUnused(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !op->use_empty() || (!isPure(op) && !isa<pl::LoadOp>(op)))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    if (isa<pl::TileType>(operand.getType()))
      eraseUnused(operand);
}

/// parallel i, ...: the row of the store there
static LogicalResult emitLoops(pl::StoreOp store, const CutTiles &cut) {
  OpBuilder builder(store);
  Location loc = store.getLoc();
  Value tile = store.getTile(), target = store.getTarget();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = index(0), one = index(1);
  unsigned last = pl::getDims(tile.getType()).size() - 1;
  SmallVector<Value> ends, offsets, sizes;
  for (unsigned axis = 0; axis <= last; ++axis)
    ends.push_back(builder.createOrFold<arith::MinSIOp>(
        loc, pl::buildExtent(builder, loc, tile, axis),
        pl::buildExtent(builder, loc, target, axis)));
  Window window;
  for (unsigned axis = 0; axis < last; ++axis) {
    auto loop = pl::ParallelOp::create(builder, loc, zero, ends[axis], one);
    loop->setAttr(pl::madeAttrName, builder.getUnitAttr());
    builder.setInsertionPointToStart(&loop.getBody().front());
    offsets.push_back(loop.getInductionVar());
    sizes.push_back(one);
    window.push_back({offsets.back(), 1});
  }
  window.push_back({zero, anyLength, /*isPending=*/false, ends[last]});
  offsets.push_back(zero);
  sizes.push_back(ends[last]);
  TileEmitter emitter(builder, zero, {1, 1}, cut);
  Value row = emitter.emit(tile, window);
  if (!row)
    return failure();
  Value view = pl::SliceOp::create(builder, loc, target, offsets, sizes);
  pl::StoreOp::create(builder, loc, row, view);
  store.erase();
  eraseUnused(tile);
  return success();
}

namespace {

struct CudaMakeRowLoopsPass
    : tegula::impl::CudaMakeRowLoopsBase<CudaMakeRowLoopsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    CutTiles cut(function, anyLength, /*takesRows=*/false,
                 /*cutsAllAxes=*/false);
    SmallVector<pl::StoreOp> stores;
    for (auto store : function.getBody().front().getOps<pl::StoreOp>())
      if (isElementwise(store, cut))
        stores.push_back(store);
    for (pl::StoreOp store : stores)
      if (failed(emitLoops(store, cut)))
        return signalPassFailure();
  }
};

} // namespace
