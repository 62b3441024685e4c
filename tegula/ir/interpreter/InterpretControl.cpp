// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions on data. They run in program order, but for blocks that wait for each
// other.

#include "tegula/ir/interpreter/CooperativeBlocks.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/TouchRecord.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

LogicalResult AtOp::interpret(Frame &frame) {
  FailureOr<RuntimeValues> yielded = frame.run(getBody(), {});
  if (failed(yielded))
    return failure();
  for (auto [result, concrete] : llvm::zip_equal(getResults(), *yielded))
    if (failed(frame.set(result, std::move(concrete))))
      return failure();
  return success();
}

/// True if a barrier of the kind may be reached in `root`, or in what is called
/// from there.
static bool mayWait(Operation *root, LoopKind kind,
                    SmallPtrSetImpl<Operation *> &visited) {
  if (!visited.insert(root).second)
    return false;
  auto waits = [&](Operation *op) {
    if (auto barrier = dyn_cast<BarrierOp>(op))
      return barrier.getKind() == kind;
    SymbolRefAttr callee;
    if (auto call = dyn_cast<func::CallOp>(op))
      callee = call.getCalleeAttr();
    else if (auto launch = dyn_cast<LaunchOp>(op))
      callee = launch.getCalleeAttr();
    Operation *called =
        callee ? SymbolTable::lookupNearestSymbolFrom(op, callee) : nullptr;
    return called && mayWait(called, kind, visited);
  };
  return root
      ->walk([&](Operation *op) {
        return waits(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Runs the blocks of a grid, or lanes, from barrier to barrier.
static LogicalResult interpretTogether(ParallelOp op, Frame &frame) {
  int64_t lower = frame.getIndex(op.getLower());
  int64_t step = frame.getIndex(op.getStep());
  int64_t count = llvm::divideCeil(
      std::max<int64_t>(0, frame.getIndex(op.getUpper()) - lower), step);
  InterpreterState &state = frame.getState();
  CooperativeBlocks blocks;
  bool isGrid = op.getKind() == LoopKind::Grid;
  CooperativeBlocks *&current = isGrid ? state.blocks : state.lanes;
  CooperativeBlocks *outer = std::exchange(current, &blocks);
  unsigned depth = state.depth;
  SmallVector<TouchRecord *, 2> watched = state.watched;
  LogicalResult result = blocks.run(op, count, [&](int64_t block) {
    // Each has values of its own, and goes on at its own depth.
    Frame own = frame;
    state.depth = depth;
    state.watched = watched;
    if (isGrid)
      state.lanes = nullptr;
    return LogicalResult(
        own.run(op.getBody(), {Scalar::ofIndex(lower + block * step)}));
  });
  state.depth = depth;
  state.watched = watched;
  current = outer;
  return result;
}

LogicalResult BarrierOp::interpret(Frame &frame) {
  InterpreterState &state = frame.getState();
  CooperativeBlocks *others =
      getKind() == LoopKind::Grid ? state.blocks : state.lanes;
  if (!others)
    return success();
  unsigned depth = state.depth;
  // Lanes belong to one block.
  CooperativeBlocks *lanes = state.lanes;
  SmallVector<TouchRecord *, 2> watched = state.watched;
  LogicalResult result = others->wait(*this);
  state.depth = depth;
  state.lanes = lanes;
  state.watched = watched;
  return result;
}

LogicalResult LaunchOp::interpret(Frame &frame) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      *this, getCalleeAttr());
  FailureOr<RuntimeValues> returned =
      call(callee, frame.get(getOperands()), *this, frame.getState(), &frame);
  if (failed(returned))
    return failure();
  for (auto [result, concrete] : llvm::zip_equal(getResults(), *returned))
    if (failed(frame.set(result, std::move(concrete))))
      return failure();
  return success();
}

LogicalResult ParallelOp::interpret(Frame &frame) {
  int64_t upper = frame.getIndex(getUpper());
  int64_t step = frame.getIndex(getStep());
  if (step <= 0)
    return emitError("step must be positive, got ") << step;
  SmallPtrSet<Operation *, 4> visited;
  if (getKind() != LoopKind::AnyOrder && mayWait(*this, getKind(), visited))
    return interpretTogether(*this, frame);
  InterpreterState &state = frame.getState();
  TouchRecord record(*this);
  bool isWatched = state.options.checkIndependence && getIndependent();
  if (isWatched)
    state.watched.push_back(&record);
  llvm::scope_exit leave([&] {
    if (isWatched)
      state.watched.pop_back();
  });
  for (int64_t i = frame.getIndex(getLower()); i < upper;) {
    record.beginIteration(i);
    if (failed(frame.run(getBody(), {Scalar::ofIndex(i)})))
      return failure();
    if (llvm::AddOverflow(i, step, i))
      break;
  }
  return success();
}
