// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops. The elements of tiles that cross a region's boundary are
// in memory chosen beforehand; only their extents are values there.

#include "tegula/backends/cpu/LoopCarry.h"
#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula;

/// So many iterations that do nothing are soon over.
static constexpr int64_t fewIterations = int64_t(1) << 16;

void TileLowering::flattenType(Type type, SmallVectorImpl<Type> &types) {
  Type index = builder.getIndexType();
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    types.push_back(signlessType(type));
    return;
  }
  for (pl::Dim dim : pl::getDims(type))
    if (!dim.isExact())
      types.push_back(index);
  if (isa<pl::TileType>(type))
    return;
  types.push_back(state.getType());
  types.append(pl::getDims(type).size(), index);
}

void TileLowering::flatten(Value value, SmallVectorImpl<Value> &values,
                           Location loc) {
  Type type = value.getType();
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    values.push_back(scalar(value));
    return;
  }
  bool isTile = isa<pl::TileType>(type);
  const Indices extents = isTile ? tile(value).extents : view(value).sizes;
  for (auto [dim, extent] : llvm::zip(pl::getDims(type), extents))
    if (!dim.isExact())
      values.push_back(math(loc).value(extent));
  if (isTile)
    return;
  values.push_back(view(value).asPointer(builder, loc));
  for (OpFoldResult stride : view(value).strides)
    values.push_back(math(loc).value(stride));
}

void TileLowering::unflatten(Value value, ValueRange &values,
                             std::optional<View> memory) {
  auto next = [&] {
    Value front = values.front();
    values = values.drop_front();
    return front;
  };
  Type type = value.getType();
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    scalars.map(value, next());
    return;
  }
  Indices extents;
  for (pl::Dim dim : pl::getDims(type))
    extents.push_back(dim.isExact()
                          ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                          : OpFoldResult(next()));
  if (isa<pl::TileType>(type)) {
    tiles[value] = {extents, memory->shrink(extents)};
    return;
  }
  View tensorView{next(),
                  tensorElement(pl::getElementOrSelf(type)),
                  builder.getIndexAttr(0),
                  extents,
                  {}};
  for (size_t axis = 0; axis < extents.size(); ++axis)
    tensorView.strides.push_back(next());
  views[value] = tensorView;
}

SmallVector<std::optional<View>> TileLowering::memoriesOf(ValueRange values,
                                                          Location loc) {
  return llvm::map_to_vector(values, [&](Value value) -> std::optional<View> {
    if (!isa<pl::TileType>(value.getType()))
      return std::nullopt;
    return destinationOf(value, loc);
  });
}

/// Memory made by pl.create_tensor or pl.view in a loop is given back after
/// every iteration, unless a tensor leaves the iteration. What the iteration
/// hands on, which `endIteration` emits, may be computed of it.
LogicalResult
TileLowering::lowerLoopBody(Block &block, bool mayFree,
                            llvm::function_ref<void()> endIteration) {
  WalkResult found = block.walk([](Operation *op) {
    return isa<pl::CreateTensorOp, pl::ViewOp>(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  });
  if (!found.wasInterrupted() || !mayFree) {
    LogicalResult result = lowerBlock(block);
    if (succeeded(result))
      endIteration();
    return result;
  }
  Location loc = block.getParentOp()->getLoc();
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value mark =
      callRuntime(routine::tegulaScratchPush, state.getType(), none, loc)
          .getResult();
  LogicalResult result = lowerBlock(block);
  if (succeeded(result))
    endIteration();
  callRuntime(routine::tegulaScratchPop, {}, mark, loc);
  return result;
}

void TileLowering::loopsNeed(Value isThere) {
  isMemoryThere = isMemoryThere
                      ? arith::AndIOp::create(builder, isThere.getLoc(),
                                              isMemoryThere, isThere)
                            .getResult()
                      : isThere;
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
Value TileLowering::endIfThere(Operation *loop, Value lower, Value upper) {
  std::optional<int64_t> number = IndexMath::number(upper);
  if (!isMemoryThere || (number && *number <= fewIterations) ||
      syncsWithRanks(loop))
    return upper;
  return arith::SelectOp::create(builder, loop->getLoc(), isMemoryThere, upper,
                                 lower);
}

LogicalResult TileLowering::lowerFor(scf::ForOp op) {
  Location loc = op.getLoc();
  LoopCarry carry(*this, op.getRegionIterArgs(), *op.getYieldedValuesMutable(),
                  loc);
  Value lower = scalar(op.getLowerBound()), upper = scalar(op.getUpperBound());
  Value end = endIfThere(op, lower, upper);
  SmallVector<Value> inits;
  // Who hears of steps hears of whole tiles.
  Value hasIterations;
  if (!hooks)
    hasIterations = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, lower, end);
  carry.enter(op.getInitArgs(), inits, hasIterations);
  llvm::SaveAndRestore inside(isMemoryThere,
                              end == upper ? isMemoryThere : Value());
  auto loop =
      scf::ForOp::create(builder, loc, lower, end, scalar(op.getStep()), inits);
  scalars.map(op.getInductionVar(), loop.getInductionVar());
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
    if (failed(lowerLoopBody(*op.getBody(), mayFree,
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
void TileLowering::endWhenFailed(scf::WhileOp loop) {
  bool mayFail = llvm::any_of(state.getUsers(), [&](Operation *user) {
    return isa<LLVM::CallOp>(user) && loop->isProperAncestor(user);
  });
  if (!mayFail)
    return;
  scf::ConditionOp condition = loop.getConditionOp();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(condition);
  Location loc = condition.getLoc();
  Type i32 = builder.getI32Type();
  Value error = LLVM::LoadOp::create(builder, loc, i32, state);
  Value none = arith::ConstantIntOp::create(builder, loc, TegulaNoError, 32);
  Value isWell = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       error, none);
  condition.getConditionMutable().assign(
      arith::AndIOp::create(builder, loc, condition.getCondition(), isWell));
}

LogicalResult TileLowering::lowerWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  scf::ConditionOp condition = op.getConditionOp();
  LoopCarry toBefore(*this, op.getBeforeArguments(),
                     op.getYieldOp().getResultsMutable(), loc);
  LoopCarry toAfter(*this, op.getAfterArguments(), condition.getArgsMutable(),
                    loc);
  SmallVector<Value> inits;
  toBefore.enter(op.getInits(), inits);
  toAfter.enter({}, inits);
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    flattenType(type, types);
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  auto addBlock = [&](Region &region, TypeRange arguments) {
    SmallVector<Location> locations(arguments.size(), loc);
    return builder.createBlock(&region, region.end(), arguments, locations);
  };
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> values;
  Block *before = addBlock(loop.getBefore(), ValueRange(inits).getTypes());
  toBefore.beginIteration(before->getArguments());
  if (failed(lowerLoopBody(*op.getBeforeBody(), !toAfter.carriesTensors(),
                           [&] { toAfter.endIteration(values); })))
    return failure();
  scf::ConditionOp::create(builder, loc, scalar(condition.getCondition()),
                           values);
  Block *after = addBlock(loop.getAfter(), types);
  toAfter.beginIteration(after->getArguments());
  values.clear();
  if (failed(lowerLoopBody(*op.getAfterBody(), !toBefore.carriesTensors(),
                           [&] { toBefore.endIteration(values); })))
    return failure();
  scf::YieldOp::create(builder, loc, values);
  endWhenFailed(loop);
  builder.setInsertionPointAfter(loop);
  toAfter.leave(op.getResults(), loop.getResults());
  return success();
}

LogicalResult TileLowering::lowerIf(scf::IfOp op) {
  Location loc = op.getLoc();
  auto memories = memoriesOf(op.getResults(), loc);
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    flattenType(type, types);
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(builder, loc, types,
                                  scalar(op.getCondition()), hasElse);
  auto lowerBranch = [&](Block *from, Block *to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(to);
    if (failed(lowerBlock(*from)))
      return failure();
    SmallVector<Value> yielded;
    for (auto [value, result, memory] : llvm::zip(
             from->getTerminator()->getOperands(), op.getResults(), memories)) {
      if (memory && !isComputedIn(value, result))
        evaluateInto(value, *memory, tile(value).extents, loc);
      flatten(value, yielded, loc);
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
    unflatten(result, values, memory);
  return success();
}

/// A branch that only chooses between two values may have become a select.
LogicalResult TileLowering::lowerSelect(arith::SelectOp op) {
  Type type = op.getType();
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    builder.clone(*op, scalars);
    return success();
  }
  Location loc = op.getLoc();
  SmallVector<Type> types;
  flattenType(type, types);
  auto memories = memoriesOf(op.getResult(), loc);
  auto branch =
      scf::IfOp::create(builder, loc, types, scalar(op.getCondition()),
                        /*withElseRegion=*/true);
  auto choose = [&](Value value, Block *block) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    if (memories.front())
      evaluateInto(value, *memories.front(), tile(value).extents, loc);
    SmallVector<Value> yielded;
    flatten(value, yielded, loc);
    if (!types.empty())
      scf::YieldOp::create(builder, loc, yielded);
  };
  choose(op.getTrueValue(), branch.thenBlock());
  choose(op.getFalseValue(), branch.elseBlock());
  ValueRange values = branch.getResults();
  unflatten(op.getResult(), values, memories.front());
  return success();
}

/// The only independent loop inside `outer`, if everything else there can as
/// well be computed in each of its iterations; null otherwise.
static pl::ParallelOp getNestedLoop(pl::ParallelOp outer) {
  Block &body = outer.getBody().front();
  pl::ParallelOp inner;
  for (Operation &op : body.without_terminator()) {
    auto loop = dyn_cast<pl::ParallelOp>(op);
    bool isCheap = isa<pl::SliceOp, pl::DimOp>(op) ||
                   (isPure(&op) && op.getNumRegions() == 0);
    if (loop ? (inner || !loop.getIndependent()) : !isCheap)
      return {};
    if (loop)
      inner = loop;
  }
  auto isOutside = [&](Value bound) { return bound.getParentBlock() != &body; };
  return inner && llvm::all_of(inner->getOperands(), isOutside)
             ? inner
             : pl::ParallelOp();
}

LogicalResult TileLowering::lowerInOrder(pl::ParallelOp op) {
  OpBuilder::InsertionGuard guard(builder);
  Value lower = scalar(op.getLower()), upper = scalar(op.getUpper());
  Value end = endIfThere(op, lower, upper);
  llvm::SaveAndRestore inside(isMemoryThere,
                              end == upper ? isMemoryThere : Value());
  auto loop = scf::ForOp::create(builder, op.getLoc(), lower, end,
                                 scalar(op.getStep()));
  scalars.map(op.getInductionVar(), loop.getInductionVar());
  builder.setInsertionPointToStart(loop.getBody());
  return lowerLoopBody(op.getBody().front(), /*mayFree=*/true, [] {});
}

/// Loops directly inside each other become one, so that the iterations of all
/// of them are there to be shared out.
LogicalResult TileLowering::lowerParallel(pl::ParallelOp op) {
  if (!plan.placement.isFrame(op))
    return lowerInOrder(op);
  Location loc = op.getLoc();
  SmallVector<pl::ParallelOp> nest;
  SmallVector<Value> lower, upper, step;
  bool mayBeEmpty = false;
  for (pl::ParallelOp level = op; level; level = getNestedLoop(level)) {
    nest.push_back(level);
    lower.push_back(scalar(level.getLower()));
    upper.push_back(endIfThere(level, lower.back(), scalar(level.getUpper())));
    step.push_back(scalar(level.getStep()));
    mayBeEmpty |= upper.back() != scalar(level.getUpper());
  }
  llvm::SaveAndRestore inside(isMemoryThere,
                              mayBeEmpty ? Value() : isMemoryThere);
  OpBuilder::InsertionGuard guard(builder);
  auto loop = scf::ParallelOp::create(builder, loc, lower, upper, step);
  Block &innermost = nest.back().getBody().front();
  builder.setInsertionPointToStart(loop.getBody());
  ScratchFrame frame = openFrame(op, loc);
  frames.push_back(&frame);
  LogicalResult result = success();
  for (auto [level, induction] : llvm::zip(nest, loop.getInductionVars())) {
    scalars.map(level.getInductionVar(), induction);
    if (level != nest.back())
      takeRingSlot(level.getBody().front());
    for (Operation &around : level.getBody().front().without_terminator())
      if (level != nest.back() && !isa<pl::ParallelOp>(around))
        if (failed(lowerOp(around)))
          result = failure();
  }
  if (failed(lowerLoopBody(innermost, /*mayFree=*/true, [] {})))
    result = failure();
  if (succeeded(result))
    closeFrame(frame, loc);
  frames.pop_back();
  return result;
}
