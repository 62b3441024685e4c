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

static pl::TensorViewType viewTypeOf(Type type) {
  auto tile = cast<pl::TileType>(type);
  return pl::TensorViewType::get(type.getContext(), tile.getDims(),
                                 tile.getElementType());
}

/// The tile in memory of its own, as a view of the type.
static Value inMemory(OpBuilder &builder, Location loc, Value tile, Type type) {
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < pl::getDims(type).size(); ++axis)
    extents.push_back(pl::buildExtent(builder, loc, tile, axis));
  Value memory = pl::CreateTensorOp::create(builder, loc, type, extents);
  pl::StoreOp::create(builder, loc, tile, memory);
  return memory;
}

/// The tile at the start of memory that is large enough, as a view of the type.
static Value inMemory(OpBuilder &builder, Location loc, Value tile, Type type,
                      Value memory) {
  SmallVector<Value> offsets, extents;
  for (unsigned axis = 0; axis < pl::getDims(type).size(); ++axis) {
    offsets.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
    extents.push_back(pl::buildExtent(builder, loc, tile, axis));
  }
  Value part = pl::SliceOp::create(builder, loc, memory, offsets, extents,
                                   ArrayRef<int64_t>());
  part.setType(type);
  pl::StoreOp::create(builder, loc, tile, part);
  return part;
}

/// A value that was a tile is a view from now on; what used it loads it, at the
/// builder.
static void becomeView(Value value, Type type, OpBuilder &builder) {
  Location loc = value.getLoc();
  auto tile = cast<pl::TileType>(value.getType());
  value.setType(type);
  auto load = pl::LoadOp::create(builder, loc, tile, value);
  value.replaceAllUsesExcept(load, load);
}

/// True if no turn of a loop makes the tile larger than it was before it.
static bool onlyShrinks(Value init, Value yielded) {
  auto axes = llvm::seq<unsigned>(0, pl::getDims(init.getType()).size());
  return llvm::all_of(axes, [&](unsigned axis) {
    auto follow = pl::FollowExtents::AroundLoops;
    auto first = pl::rootsOfExtent(init, axis, follow);
    auto next = pl::rootsOfExtent(yielded, axis, follow);
    return llvm::all_of(first, [&](const pl::ExtentRoot &root) {
      return llvm::is_contained(next, root);
    });
  });
}

/// Makes memory of what a loop starts with, and puts what it yields there if
/// that is large enough; the type of the memory.
static Type carryInMemory(OpBuilder &builder, OpOperand &init,
                          scf::YieldOp yield, unsigned position) {
  Location loc = yield->getParentOp()->getLoc();
  Value next = yield.getOperand(position);
  Type type = viewTypeOf(init.get().getType());
  bool isLargeEnough = onlyShrinks(init.get(), next);
  Value memory = inMemory(builder, loc, init.get(), type);
  init.set(memory);
  builder.setInsertionPoint(yield);
  yield.setOperand(position, isLargeEnough
                                 ? inMemory(builder, loc, next, type, memory)
                                 : inMemory(builder, loc, next, type));
  return type;
}

/// for (a = init) { ... yield b }  ->
/// v = init in memory; for (v) { a = load v; ...; yield b in memory }; load
static void carryView(scf::ForOp loop, unsigned position) {
  OpBuilder builder(loop);
  OpOperand &init = loop.getInitArgsMutable()[position];
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  Type type = carryInMemory(builder, init, yield, position);
  builder.setInsertionPointToStart(loop.getBody());
  becomeView(loop.getRegionIterArg(position), type, builder);
  builder.setInsertionPointAfter(loop);
  becomeView(loop.getResult(position), type, builder);
}

/// while (a = init) { condition a } do (b) { ... yield c }, in the same way
static void carryView(scf::WhileOp loop, unsigned position) {
  OpBuilder builder(loop);
  scf::YieldOp yield = loop.getYieldOp();
  OpOperand &init = loop.getInitsMutable()[position];
  Type type = carryInMemory(builder, init, yield, position);
  builder.setInsertionPointToStart(loop.getAfterBody());
  becomeView(loop.getAfterArguments()[position], type, builder);
  builder.setInsertionPointAfter(loop);
  becomeView(loop.getResult(position), type, builder);
  // The condition hands the view itself through, and loads it for its own use.
  builder.setInsertionPointToStart(loop.getBeforeBody());
  Value before = loop.getBeforeArguments()[position];
  becomeView(before, type, builder);
  loop.getConditionOp()->setOperand(position + 1, before);
}

/// if { yield a } else { yield b }  ->
/// v = if { yield a in memory } else { yield b in memory }; load v
static void carryView(scf::IfOp branch, unsigned position) {
  OpBuilder builder(branch);
  Location loc = branch.getLoc();
  Value result = branch.getResult(position);
  Type type = viewTypeOf(result.getType());
  for (Operation *yield : {branch.thenYield(), branch.elseYield()}) {
    builder.setInsertionPoint(yield);
    yield->setOperand(
        position, inMemory(builder, loc, yield->getOperand(position), type));
  }
  builder.setInsertionPointAfter(branch);
  becomeView(result, type, builder);
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
    bool keepsExtents = haveEqualExtents(init, yield.getOperand(position));
    Value memory = keepsExtents ? createMemory(loop, init, builder) : Value();
    if (!memory) {
      carryView(loop, position);
      continue;
    }
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
        condition.getArgs()[position] != before)
      return reportUnknownExtents(loop);
    builder.setInsertionPoint(loop);
    bool keepsExtents = haveEqualExtents(init, yield.getOperand(position));
    Value memory = keepsExtents ? createMemory(loop, init, builder) : Value();
    if (!memory) {
      carryView(loop, position);
      continue;
    }
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
    if (!memory) {
      carryView(branch, position);
      continue;
    }
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
