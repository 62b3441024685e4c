// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/memory/CarriedTiles.h"
#include "tegula/transforms/parallel/CoreRegions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace tegula {
#define GEN_PASS_DEF_CARRYTENSORSINMEMORY
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// select c, a, b  ->  if c { yield a } else { yield b }
static scf::IfOp branchOf(arith::SelectOp select) {
  OpBuilder builder(select);
  Location loc = select.getLoc();
  auto branch = scf::IfOp::create(
      builder, loc, select.getCondition(),
      [&](OpBuilder &inside, Location) {
        scf::YieldOp::create(inside, loc, select.getTrueValue());
      },
      [&](OpBuilder &inside, Location) {
        scf::YieldOp::create(inside, loc, select.getFalseValue());
      });
  select.replaceAllUsesWith(branch.getResult(0));
  select.erase();
  return branch;
}

/// for (a = init) { ... yield b }  ->
/// store init, m; for { a = load m; ...; store b, m }; load m
///
/// If it is not known how large m is: v = init in memory;
/// for (v) { a = load v; ...; yield b in memory }; load
static void carry(scf::ForOp loop) {
  Location loc = loop.getLoc();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  DenseMap<Value, Value> inside, after;
  for (auto [argument, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getResults())) {
    inside[argument] = inside[result] = argument;
    after[argument] = result;
  }
  SmallVector<CarriedTile> carried;
  for (auto [position, init] : llvm::enumerate(loop.getInits()))
    if (pl::isUnboundedTile(init))
      carried.push_back(enterLoop(
          loop, loop.getInitArgsMutable()[position], position,
          {loop.getRegionIterArg(position), loop.getResult(position)}, inside));
  OpBuilder builder(loop);
  for (const CarriedTile &carriedTile : carried) {
    Value argument = loop.getRegionIterArg(carriedTile.position);
    Value result = loop.getResult(carriedTile.position);
    Value next = yield.getOperand(carriedTile.position);
    builder.setInsertionPoint(yield);
    if (carriedTile.memory)
      pl::StoreOp::create(builder, loc, next, carriedTile.memory);
    else
      yield.setOperand(carriedTile.position, inMemory(builder, loc, next));
    OpBuilder start = OpBuilder::atBlockBegin(loop.getBody());
    builder.setInsertionPointAfter(loop);
    if (carriedTile.memory) {
      becomeLoad(argument, carriedTile.memory, carriedTile.extents, start);
      becomeLoad(result, carriedTile.memory,
                 *renamed(loop, carriedTile.extents, after), builder);
      // With nothing but the first value going around, the place disappears.
      yield.setOperand(carriedTile.position, argument);
    } else {
      becomeView(argument, start);
      becomeView(result, builder);
    }
  }
}

/// if { yield a } else { yield b }  ->
/// v = if { yield a in memory } else { yield b in memory }; load v
///
/// Where the extents are known before: if { store a, m } else { store b, m }
static void carry(scf::IfOp branch) {
  Location loc = branch.getLoc();
  for (auto [position, result] : llvm::enumerate(branch.getResults())) {
    if (!pl::isUnboundedTile(result))
      continue;
    std::optional<OperandRange> extents = extentsOf(result);
    bool areKnown = extents && llvm::all_of(*extents, [&](Value extent) {
                      Operation *op = extent.getDefiningOp();
                      return !op || op->getBlock() != branch->getBlock() ||
                             op->isBeforeInBlock(branch);
                    });
    OpBuilder builder(branch);
    Value memory;
    if (areKnown)
      memory = pl::CreateTensorOp::create(
          builder, loc, viewTypeOf(result.getType()), *extents);
    for (Operation *yield : {branch.thenYield(), branch.elseYield()}) {
      builder.setInsertionPoint(yield);
      Value tile = yield->getOperand(position);
      if (memory)
        pl::StoreOp::create(builder, loc, tile, memory);
      else
        yield->setOperand(position, inMemory(builder, loc, tile));
    }
    builder.setInsertionPointAfter(branch);
    if (memory)
      becomeLoad(result, memory, SmallVector<Value>(*extents), builder);
    else
      becomeView(result, builder);
  }
}

namespace {

struct CarryTensorsInMemoryPass
    : tegula::impl::CarryTensorsInMemoryBase<CarryTensorsInMemoryPass> {
  void runOnOperation() override {
    // Inner loops first: what they give bounds what goes around outer ones.
    SmallVector<Operation *> crossed;
    getOperation().walk([&](Operation *op) {
      if ((op->getNumRegions() > 0 || isa<arith::SelectOp>(op)) &&
          llvm::any_of(op->getResults(), pl::isUnboundedTile))
        crossed.push_back(op);
    });
    for (Operation *op : crossed) {
      if (auto at = dyn_cast<pl::AtOp>(op))
        inlineRegion(at);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        carry(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        carryInMemory(loop);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        carry(branch);
      else if (auto select = dyn_cast<arith::SelectOp>(op))
        carry(branchOf(select));
      else {
        op->emitOpError("cannot hand on a value with no static bound");
        return signalPassFailure();
      }
    }
  }
};

} // namespace
