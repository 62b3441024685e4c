// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops. The elements of tiles that cross a region's boundary are
// in memory chosen beforehand; only their extents are values there.

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/loops/LoopCarry.h"
#include "tegula/backends/codegen/loops/RegionValues.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"
#include "tegula/transforms/parallel/ParallelNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula;

/// So many iterations that do nothing are soon over.
static constexpr int64_t fewIterations = int64_t(1) << 16;

/// Memory made by pl.create_tensor or pl.view in a loop is given back after
/// every iteration, unless a tensor leaves the iteration. What the iteration
/// hands on, which `endIteration` emits, may be computed of it.
static LogicalResult lowerLoopBody(TileLowering &lowering, Block &block,
                                   bool mayFree,
                                   llvm::function_ref<void()> endIteration) {
  OpBuilder &builder = lowering.builder;
  WalkResult found = block.walk([](Operation *op) {
    return isa<pl::CreateTensorOp, pl::ViewOp>(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  });
  if (!found.wasInterrupted() || !mayFree) {
    LogicalResult result = lowering.lower(block);
    if (succeeded(result))
      endIteration();
    return result;
  }
  Location loc = block.getParentOp()->getLoc();
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value mark = lowering.calls
                   .call(routine::tegulaScratchPush,
                         lowering.calls.getState().getType(), none, loc)
                   .getResult();
  LogicalResult result = lowering.lower(block);
  if (succeeded(result))
    endIteration();
  lowering.calls.call(routine::tegulaScratchPop, {}, mark, loc);
  return result;
}

/// True if another rank waits for what the loop does, or it waits for one.
static bool syncsWithRanks(Operation *loop) {
  return loop
      ->walk([](Operation *op) {
        return isa<pl::NotifyOp, pl::WaitOp, pl::MeetOp, pl::DispatchOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Where a loop to `upper` ends. Without its memory the call has failed, and
/// iterations that compute nothing may be too many to wait for, so there are
/// none. What a constant tells of a loop is worth more than that.
static Value endIfThere(TileLowering &lowering, Operation *loop, Value lower,
                        Value upper) {
  OpBuilder &builder = lowering.builder;
  std::optional<int64_t> number = IndexMath::number(upper);
  if (!lowering.isMemoryThere || (number && *number <= fewIterations) ||
      syncsWithRanks(loop))
    return upper;
  return arith::SelectOp::create(builder, loop->getLoc(),
                                 lowering.isMemoryThere, upper, lower);
}

static LogicalResult lowerFor(TileLowering &lowering, scf::ForOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  LoopCarry carry(lowering, op.getRegionIterArgs(),
                  *op.getYieldedValuesMutable(), loc);
  Value lower = lowering.scalar(op.getLowerBound()),
        upper = lowering.scalar(op.getUpperBound());
  Value end = endIfThere(lowering, op, lower, upper);
  SmallVector<Value> inits;
  // Who hears of steps hears of whole tiles.
  Value hasIterations;
  if (!lowering.steps)
    hasIterations = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, lower, end);
  carry.enter(op.getInitArgs(), inits, hasIterations);
  llvm::SaveAndRestore inside(lowering.isMemoryThere,
                              end == upper ? lowering.isMemoryThere : Value());
  auto loop = scf::ForOp::create(builder, loc, lower, end,
                                 lowering.scalar(op.getStep()), inits);
  lowering.values.setScalar(op.getInductionVar(), loop.getInductionVar());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value isFirst;
    if (carry.hasStartRows())
      isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      loop.getInductionVar(), lower);
    carry.beginIteration(loop.getRegionIterArgs(), isFirst);
    bool mayFree = !carry.carriesTensors();
    SmallVector<Value> yielded;
    if (failed(lowerLoopBody(lowering, *op.getBody(), mayFree,
                             [&] { carry.endIteration(yielded); })))
      return failure();
    if (!inits.empty())
      scf::YieldOp::create(builder, loc, yielded);
  }
  carry.leave(op.getResults(), loop.getResults());
  return success();
}

/// A loop in which something can fail ends when the call has: what it waits for
/// may never come.
static void endWhenFailed(TileLowering &lowering, scf::WhileOp loop) {
  OpBuilder &builder = lowering.builder;
  bool mayFail =
      llvm::any_of(lowering.calls.getState().getUsers(), [&](Operation *user) {
        return isa<LLVM::CallOp>(user) && loop->isProperAncestor(user);
      });
  if (!mayFail)
    return;
  scf::ConditionOp condition = loop.getConditionOp();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(condition);
  Location loc = condition.getLoc();
  Type i32 = builder.getI32Type();
  Value error =
      LLVM::LoadOp::create(builder, loc, i32, lowering.calls.getState());
  Value none = arith::ConstantIntOp::create(builder, loc, TegulaNoError, 32);
  Value isWell = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       error, none);
  condition.getConditionMutable().assign(
      arith::AndIOp::create(builder, loc, condition.getCondition(), isWell));
}

static LogicalResult lowerWhile(TileLowering &lowering, scf::WhileOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  scf::ConditionOp condition = op.getConditionOp();
  LoopCarry toBefore(lowering, op.getBeforeArguments(),
                     op.getYieldOp().getResultsMutable(), loc);
  LoopCarry toAfter(lowering, op.getAfterArguments(),
                    condition.getArgsMutable(), loc);
  SmallVector<Value> inits;
  toBefore.enter(op.getInits(), inits);
  toAfter.enter({}, inits);
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    flattenType(lowering, type, types);
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  auto addBlock = [&](Region &region, TypeRange arguments) {
    SmallVector<Location> locations(arguments.size(), loc);
    return builder.createBlock(&region, region.end(), arguments, locations);
  };
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> values;
  Block *before = addBlock(loop.getBefore(), ValueRange(inits).getTypes());
  toBefore.beginIteration(before->getArguments());
  if (failed(lowerLoopBody(lowering, *op.getBeforeBody(),
                           !toAfter.carriesTensors(),
                           [&] { toAfter.endIteration(values); })))
    return failure();
  scf::ConditionOp::create(builder, loc,
                           lowering.scalar(condition.getCondition()), values);
  Block *after = addBlock(loop.getAfter(), types);
  toAfter.beginIteration(after->getArguments());
  values.clear();
  if (failed(lowerLoopBody(lowering, *op.getAfterBody(),
                           !toBefore.carriesTensors(),
                           [&] { toBefore.endIteration(values); })))
    return failure();
  scf::YieldOp::create(builder, loc, values);
  endWhenFailed(lowering, loop);
  builder.setInsertionPointAfter(loop);
  toAfter.leave(op.getResults(), loop.getResults());
  return success();
}

static LogicalResult lowerIf(TileLowering &lowering, scf::IfOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  auto memories = memoriesOf(lowering, op.getResults(), loc);
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    flattenType(lowering, type, types);
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(builder, loc, types,
                                  lowering.scalar(op.getCondition()), hasElse);
  auto lowerBranch = [&](Block *from, Block *to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(to);
    if (failed(lowering.lower(*from)))
      return failure();
    SmallVector<Value> yielded;
    for (auto [value, result, memory] : llvm::zip(
             from->getTerminator()->getOperands(), op.getResults(), memories)) {
      if (memory && !lowering.isComputedIn(value, result))
        evaluateInto(lowering, value, *memory, lowering.tile(value).extents,
                     loc);
      flatten(lowering, value, yielded, loc);
    }
    if (!types.empty())
      scf::YieldOp::create(builder, loc, yielded);
    return success();
  };
  if (failed(lowerBranch(op.thenBlock(), branch.thenBlock())) ||
      (hasElse && failed(lowerBranch(op.elseBlock(), branch.elseBlock()))))
    return failure();
  ValueRange values = branch.getResults();
  for (auto [result, memory] : llvm::zip(op.getResults(), memories))
    unflatten(lowering, result, values, memory);
  return success();
}

/// A branch that only chooses between two values may have become a select.
static LogicalResult lowerSelect(TileLowering &lowering, arith::SelectOp op) {
  OpBuilder &builder = lowering.builder;
  Type type = op.getType();
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    lowering.values.clone(builder, *op);
    return success();
  }
  Location loc = op.getLoc();
  SmallVector<Type> types;
  flattenType(lowering, type, types);
  auto memories = memoriesOf(lowering, op.getResult(), loc);
  auto branch =
      scf::IfOp::create(builder, loc, types, lowering.scalar(op.getCondition()),
                        /*withElseRegion=*/true);
  auto choose = [&](Value value, Block *block) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    if (memories.front())
      evaluateInto(lowering, value, *memories.front(),
                   lowering.tile(value).extents, loc);
    SmallVector<Value> yielded;
    flatten(lowering, value, yielded, loc);
    if (!types.empty())
      scf::YieldOp::create(builder, loc, yielded);
  };
  choose(op.getTrueValue(), branch.thenBlock());
  choose(op.getFalseValue(), branch.elseBlock());
  ValueRange values = branch.getResults();
  unflatten(lowering, op.getResult(), values, memories.front());
  return success();
}

static LogicalResult lowerInOrder(TileLowering &lowering, pl::ParallelOp op) {
  OpBuilder &builder = lowering.builder;
  OpBuilder::InsertionGuard guard(builder);
  Value lower = lowering.scalar(op.getLower()),
        upper = lowering.scalar(op.getUpper());
  Value end = endIfThere(lowering, op, lower, upper);
  llvm::SaveAndRestore inside(lowering.isMemoryThere,
                              end == upper ? lowering.isMemoryThere : Value());
  auto loop = scf::ForOp::create(builder, op.getLoc(), lower, end,
                                 lowering.scalar(op.getStep()));
  lowering.values.setScalar(op.getInductionVar(), loop.getInductionVar());
  builder.setInsertionPointToStart(loop.getBody());
  return lowerLoopBody(lowering, op.getBody().front(), /*mayFree=*/true, [] {});
}

/// Loops directly inside each other become one, so that the iterations of all
/// of them are there to be shared out.
static LogicalResult lowerParallel(TileLowering &lowering, pl::ParallelOp op) {
  OpBuilder &builder = lowering.builder;
  if (!lowering.plan.placement.isFrame(op))
    return lowerInOrder(lowering, op);
  Location loc = op.getLoc();
  SmallVector<pl::ParallelOp> nest = findParallelNest(op);
  SmallVector<Value> lower, upper, step;
  bool mayBeEmpty = false;
  for (pl::ParallelOp level : nest) {
    lower.push_back(lowering.scalar(level.getLower()));
    upper.push_back(endIfThere(lowering, level, lower.back(),
                               lowering.scalar(level.getUpper())));
    step.push_back(lowering.scalar(level.getStep()));
    mayBeEmpty |= upper.back() != lowering.scalar(level.getUpper());
  }
  llvm::SaveAndRestore inside(lowering.isMemoryThere,
                              mayBeEmpty ? Value() : lowering.isMemoryThere);
  OpBuilder::InsertionGuard guard(builder);
  auto loop = scf::ParallelOp::create(builder, loc, lower, upper, step);
  Block &innermost = nest.back().getBody().front();
  builder.setInsertionPointToStart(loop.getBody());
  lowering.scratch.open(op, loc);
  LogicalResult result = success();
  for (auto [level, induction] : llvm::zip(nest, loop.getInductionVars())) {
    lowering.values.setScalar(level.getInductionVar(), induction);
    if (level != nest.back())
      lowering.chooseCopies(level.getBody().front());
    for (Operation &around : level.getBody().front().without_terminator())
      if (level != nest.back() && !isa<pl::ParallelOp>(around))
        if (failed(lowering.lower(around)))
          result = failure();
  }
  if (failed(lowerLoopBody(lowering, innermost, /*mayFree=*/true, [] {})))
    result = failure();
  if (succeeded(result))
    lowering.scratch.close(loc);
  return result;
}

void tegula::addControlPatterns(TilePatterns &patterns) {
  patterns.add(lowerFor);
  patterns.add(lowerWhile);
  patterns.add(lowerIf);
  patterns.add(lowerSelect);
  patterns.add(lowerParallel);
}
