// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/parallel/BlockValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_SPLITATBARRIERS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The grid, or the lanes, that a barrier is among; null if there are none.
static pl::ParallelOp waitingAt(pl::BarrierOp barrier) {
  auto loop = barrier->getParentOfType<pl::ParallelOp>();
  while (loop && loop.getKind() != barrier.getKind())
    loop = loop->getParentOfType<pl::ParallelOp>();
  return loop;
}

namespace {

/// Makes one loop over blocks into several, one for each stretch between
/// barriers:
///
///   grid { a; for (n) { b; barrier; c }; d }
///   ->  grid { a }; for (n) { grid { b }; grid { c } }; grid { d }
///
/// What a block knows at the end of a stretch and needs in a later one is
/// computed again or kept in memory (BlockValues).
class Splitter {
public:
  explicit Splitter(pl::ParallelOp grid)
      : grid(grid), builder(grid), values(grid) {}

  LogicalResult run();

private:
  /// What those are called that wait for each other.
  StringRef whoWait() {
    return grid.getKind() == pl::LoopKind::Lanes ? "lane" : "block";
  }
  bool hasBarrier(Operation *op);
  LogicalResult split(Block &block);
  LogicalResult splitControl(Operation *op);
  LogicalResult splitFor(scf::ForOp loop);
  LogicalResult splitIf(scf::IfOp branch);
  LogicalResult splitAt(pl::AtOp at);
  /// A loop over the blocks that does the ops.
  LogicalResult emitStretch(ArrayRef<Operation *> ops);
  /// A loop over the blocks in which each keeps `values` as what `kept` are.
  LogicalResult keep(ValueRange kept, ValueRange values, Location loc);
  pl::ParallelOp openStretch(Location loc);

  pl::ParallelOp grid;
  OpBuilder builder;
  BlockValues values;
  /// The regions with a placement around the stretch, outermost first.
  SmallVector<pl::AtOp> regions;
};

struct SplitAtBarriersPass
    : tegula::impl::SplitAtBarriersBase<SplitAtBarriersPass> {
  void runOnOperation() override;
};

} // namespace

bool Splitter::hasBarrier(Operation *op) {
  return op
      ->walk([&](pl::BarrierOp barrier) {
        return barrier.getKind() == grid.getKind() && waitingAt(barrier) == grid
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

pl::ParallelOp Splitter::openStretch(Location loc) {
  auto loop =
      pl::ParallelOp::create(builder, loc, grid.getLower(), grid.getUpper(),
                             grid.getStep(), grid.getKind());
  if (grid.getTaskAttr())
    loop.setTaskAttr(grid.getTaskAttr());
  builder.setInsertionPoint(loop.getBody().front().getTerminator());
  for (pl::AtOp region : regions) {
    auto inside = pl::AtOp::create(builder, region.getLoc(), TypeRange(),
                                   region.getLevel(), region.getTaskAttr());
    Block *body = builder.createBlock(&inside.getBody());
    builder.setInsertionPointToEnd(body);
    pl::YieldOp::create(builder, region.getLoc());
    builder.setInsertionPointToStart(body);
  }
  values.enter(loop.getInductionVar());
  return loop;
}

LogicalResult Splitter::emitStretch(ArrayRef<Operation *> ops) {
  if (ops.empty())
    return success();
  OpBuilder::InsertionGuard guard(builder);
  openStretch(ops.front()->getLoc());
  for (Operation *op : ops)
    if (failed(values.clone(op, builder)))
      return failure();
  return success();
}

LogicalResult Splitter::keep(ValueRange kept, ValueRange given, Location loc) {
  if (kept.empty())
    return success();
  OpBuilder::InsertionGuard guard(builder);
  openStretch(loc);
  // All are read before one is written: they may change places.
  SmallVector<Value> here;
  for (Value value : given) {
    FailureOr<Value> known = values.get(value, builder);
    if (failed(known))
      return failure();
    here.push_back(*known);
  }
  for (auto [name, value] : llvm::zip(kept, here))
    if (failed(values.set(name, value, builder)))
      return failure();
  return success();
}

/// for (a = init) { ... yield b }: what goes around is kept for each block.
LogicalResult Splitter::splitFor(scf::ForOp loop) {
  SmallVector<Value> bounds;
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
    FailureOr<Value> same = values.getForAll(bound, builder);
    if (failed(same))
      return loop.emitError("a barrier in a loop needs ")
             << whoWait() << "s that all run it equally often; its bounds "
             << "depend on the " << whoWait() << ", or on what is in memory";
    bounds.push_back(*same);
  }
  if (failed(keep(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getLoc())))
    return failure();
  auto outside = scf::ForOp::create(builder, loop.getLoc(), bounds[0],
                                    bounds[1], bounds[2]);
  outside->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  values.setForAll(loop.getInductionVar(), outside.getInductionVar());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(outside.getBody());
    if (failed(split(*loop.getBody())) ||
        failed(keep(loop.getRegionIterArgs(), loop.getYieldedValues(),
                    loop.getLoc())))
      return failure();
  }
  for (auto [result, argument] :
       llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
    values.rename(result, argument);
  return success();
}

LogicalResult Splitter::splitIf(scf::IfOp branch) {
  FailureOr<Value> condition = values.getForAll(branch.getCondition(), builder);
  if (failed(condition))
    return branch.emitError("a barrier under a condition needs ")
           << whoWait() << "s that all take the same branch; the condition "
           << "depends on the " << whoWait() << ", or on what is in memory";
  auto outside = scf::IfOp::create(builder, branch.getLoc(), TypeRange(),
                                   *condition, branch.elseBlock() != nullptr);
  for (auto [from, to] :
       llvm::zip(branch->getRegions(), outside->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&to.front());
    if (failed(split(from.front())) ||
        failed(keep(branch.getResults(),
                    from.front().getTerminator()->getOperands(),
                    branch.getLoc())))
      return failure();
  }
  return success();
}

LogicalResult Splitter::splitAt(pl::AtOp at) {
  regions.push_back(at);
  LogicalResult result = split(at.getBody().front());
  regions.pop_back();
  auto yield = cast<pl::YieldOp>(at.getBody().front().getTerminator());
  for (auto [name, value] : llvm::zip(at.getResults(), yield.getValues()))
    values.rename(name, value);
  return result;
}

LogicalResult Splitter::splitControl(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return splitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return splitIf(branch);
  if (auto at = dyn_cast<pl::AtOp>(op))
    return splitAt(at);
  if (isa<scf::WhileOp>(op))
    return op->emitError("a barrier cannot stand in a 'while', nor in a loop "
                         "with 'break' or 'return': ")
           << whoWait() << "s would leave it at different times";
  return op->emitError("a barrier among ")
         << whoWait() << "s cannot stand in a parallel loop inside a "
         << whoWait();
}

LogicalResult Splitter::split(Block &block) {
  SmallVector<Operation *> stretch;
  for (Operation &op : block.without_terminator()) {
    if (!hasBarrier(&op)) {
      stretch.push_back(&op);
      continue;
    }
    if (failed(emitStretch(stretch)))
      return failure();
    stretch.clear();
    if (!isa<pl::BarrierOp>(op) && failed(splitControl(&op)))
      return failure();
  }
  return emitStretch(stretch);
}

LogicalResult Splitter::run() {
  if (failed(split(grid.getBody().front())))
    return failure();
  grid.erase();
  return success();
}

void SplitAtBarriersPass::runOnOperation() {
  SmallVector<pl::BarrierOp> barriers;
  getOperation().walk(
      [&](pl::BarrierOp barrier) { barriers.push_back(barrier); });
  // Inner loops first: the lanes of a block are split before its grid is.
  llvm::SmallSetVector<Operation *, 4> loops;
  for (pl::BarrierOp barrier : barriers)
    if (pl::ParallelOp loop = waitingAt(barrier))
      loops.insert(loop);
    else
      barrier.erase();
  SmallVector<Operation *> inner(loops.begin(), loops.end());
  llvm::stable_sort(inner, [](Operation *first, Operation *second) {
    return second->isProperAncestor(first);
  });
  for (Operation *loop : inner)
    if (failed(Splitter(cast<pl::ParallelOp>(loop)).run()))
      return signalPassFailure();
}
