// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ExtentFacts.h"
#include "tegula/ir/PlOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"

namespace tegula {
#define GEN_PASS_DEF_CARRYTENSORSINMEMORY
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The extent of `tile` as a value that can be used at the builder, which
/// stands before `op`. Null if it is not known there.
static Value extentBefore(Operation *op, Value tile, unsigned axis,
                          OpBuilder &builder) {
  auto roots = pl::rootsOfExtent(tile, axis, pl::FollowExtents::AroundLoops);
  DominanceInfo dominance;
  bool areKnown = llvm::all_of(roots, [&](const pl::ExtentRoot &root) {
    auto value = dyn_cast_if_present<Value>(root.value);
    Value needed = root.shaped ? root.shaped : value;
    return !needed || dominance.properlyDominates(needed, op);
  });
  if (areKnown)
    return pl::buildLeast(builder, op->getLoc(), roots);
  if (dominance.properlyDominates(tile, op))
    return pl::buildExtent(builder, op->getLoc(), tile, axis);
  return {};
}

/// Memory with the extents of `like`, made before `op`; null if they are not
/// known there.
static Value createMemory(Operation *op, Value like, OpBuilder &builder) {
  auto tile = cast<pl::TileType>(like.getType());
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < tile.getRank(); ++axis) {
    extents.push_back(extentBefore(op, like, axis, builder));
    if (!extents.back())
      return {};
  }
  auto type = pl::TensorViewType::get(op->getContext(), tile.getDims(),
                                      tile.getElementType());
  return pl::CreateTensorOp::create(builder, op->getLoc(), type, extents);
}

static bool haveEqualExtents(Value lhs, Value rhs) {
  auto axes = llvm::seq<unsigned>(0, pl::getDims(lhs.getType()).size());
  return llvm::all_of(axes, [&](unsigned axis) {
    return pl::areEqualExtents(lhs, axis, rhs, axis);
  });
}

static InFlightDiagnostic reportUnknownExtents(Operation *op) {
  return op->emitError("a value that crosses this statement has extents that "
                       "are not known before it; give it a tile shape, or "
                       "write it to a tensor inside");
}

/// at { ... yield v }  ->  ... v
static void inlineRegion(pl::AtOp at) {
  IRRewriter rewriter(at);
  Block &body = at.getBody().front();
  auto yield = cast<pl::YieldOp>(body.getTerminator());
  rewriter.inlineBlockBefore(&body, at);
  rewriter.replaceOp(at, yield.getValues());
  rewriter.eraseOp(yield);
}

/// for (a = init) { ... yield b }  ->
/// store init, m; for { a = load m; ...; store b, m }; load m
static LogicalResult carry(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<std::pair<unsigned, Value>> memories;
  for (auto [position, init] : llvm::enumerate(loop.getInits())) {
    if (!pl::isUnboundedTile(init))
      continue;
    Value memory = createMemory(loop, init, builder);
    if (!memory || !haveEqualExtents(init, yield.getOperand(position)))
      return reportUnknownExtents(loop);
    memories.push_back({position, memory});
    pl::StoreOp::create(builder, loc, init, memory);
  }
  for (auto [position, memory] : memories) {
    builder.setInsertionPointToStart(loop.getBody());
    Value inside = pl::LoadOp::create(builder, loc, memory);
    loop.getRegionIterArg(position).replaceAllUsesWith(inside);
    builder.setInsertionPointAfter(loop);
    Value after = pl::LoadOp::create(builder, loc, memory);
    loop.getResult(position).replaceAllUsesWith(after);
  }
  builder.setInsertionPoint(yield);
  for (auto [position, memory] : memories) {
    pl::StoreOp::create(builder, loc, yield.getOperand(position), memory);
    yield.setOperand(position, loop.getRegionIterArg(position));
  }
  return success();
}

/// while (a = init) { condition a } do (b) { ... yield c }  ->
/// store init, m; while { condition } do { b = load m; ...; store c, m };
/// load m
static LogicalResult carry(scf::WhileOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  scf::YieldOp yield = loop.getYieldOp();
  SmallVector<std::pair<Value, Value>> stores;
  for (auto [position, init] : llvm::enumerate(loop.getInits())) {
    if (!pl::isUnboundedTile(init))
      continue;
    // The front end hands every value through, each at its own place.
    Value before = loop.getBeforeArguments()[position];
    if (position >= condition.getArgs().size() ||
        condition.getArgs()[position] != before ||
        !haveEqualExtents(init, yield.getOperand(position)))
      return reportUnknownExtents(loop);
    builder.setInsertionPoint(loop);
    Value memory = createMemory(loop, init, builder);
    if (!memory)
      return reportUnknownExtents(loop);
    pl::StoreOp::create(builder, loc, init, memory);
    stores.push_back({yield.getOperand(position), memory});
    auto replaceAt = [&](Block *block, Value argument) {
      builder.setInsertionPointToStart(block);
      Value load = pl::LoadOp::create(builder, loc, memory);
      argument.replaceAllUsesWith(load);
    };
    // With nothing but the first value going around, the place disappears.
    condition.setOperand(position + 1, init);
    yield.setOperand(position, init);
    replaceAt(loop.getBeforeBody(), before);
    replaceAt(loop.getAfterBody(), loop.getAfterArguments()[position]);
    builder.setInsertionPointAfter(loop);
    Value after = pl::LoadOp::create(builder, loc, memory);
    loop.getResult(position).replaceAllUsesWith(after);
  }
  builder.setInsertionPoint(yield);
  for (auto [value, memory] : stores)
    pl::StoreOp::create(builder, loc, value, memory);
  return success();
}

/// if { yield a } else { yield b }  ->
/// if { store a, m } else { store b, m }; load m
static LogicalResult carry(scf::IfOp branch) {
  OpBuilder builder(branch);
  Location loc = branch.getLoc();
  for (auto [position, result] : llvm::enumerate(branch.getResults())) {
    if (!pl::isUnboundedTile(result))
      continue;
    Operation *thenYield = branch.thenYield(), *elseYield = branch.elseYield();
    Value chosen = thenYield->getOperand(position);
    Value other = elseYield->getOperand(position);
    builder.setInsertionPoint(branch);
    Value memory = haveEqualExtents(chosen, other)
                       ? createMemory(branch, chosen, builder)
                       : Value();
    if (!memory)
      return reportUnknownExtents(branch);
    builder.setInsertionPoint(thenYield);
    pl::StoreOp::create(builder, loc, chosen, memory);
    builder.setInsertionPoint(elseYield);
    pl::StoreOp::create(builder, loc, other, memory);
    builder.setInsertionPointAfter(branch);
    Value load = pl::LoadOp::create(builder, loc, memory);
    result.replaceAllUsesWith(load);
    // The yields still need a value of the type: any that is at hand.
    builder.setInsertionPoint(branch);
    Value unused = pl::LoadOp::create(builder, loc, memory);
    thenYield->setOperand(position, unused);
    elseYield->setOperand(position, unused);
  }
  return success();
}

namespace {

struct CarryTensorsInMemoryPass
    : tegula::impl::CarryTensorsInMemoryBase<CarryTensorsInMemoryPass> {
  void runOnOperation() override {
    SmallVector<Operation *> crossed;
    getOperation().walk([&](Operation *op) {
      if (op->getNumRegions() > 0 &&
          llvm::any_of(op->getResults(), pl::isUnboundedTile))
        crossed.push_back(op);
    });
    for (Operation *op : crossed) {
      LogicalResult result = success();
      if (auto at = dyn_cast<pl::AtOp>(op))
        inlineRegion(at);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        result = carry(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        result = carry(loop);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        result = carry(branch);
      else
        result = reportUnknownExtents(op);
      if (failed(result))
        return signalPassFailure();
    }
  }
};

} // namespace
