// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/parallel/CoreRegions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_ASSIGNCORES
#define GEN_PASS_DEF_VERIFYPLACEMENT
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// True if something in the op, or the op itself, is as `is` says.
static bool hasInside(Operation *op, function_ref<bool(Operation *)> is) {
  return op
      ->walk([&](Operation *inner) {
        return is(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isCore(Operation *op) {
  auto at = dyn_cast<pl::AtOp>(op);
  return at && at.isCore();
}

/// Dissolves the core regions inside `op`: there is one around it.
static void inlineCoresIn(Operation *op) {
  SmallVector<pl::AtOp> inner;
  op->walk([&](pl::AtOp at) {
    if (at != op && at.isCore())
      inner.push_back(at);
  });
  for (pl::AtOp at : inner)
    inlineRegion(at);
}

/// Puts ops that follow each other in a core region.
static void wrap(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  auto isInside = [&](Operation *user) {
    while (user->getBlock() != ops.front()->getBlock())
      user = user->getParentOp();
    return inside.contains(user);
  };
  SmallVector<Value> needed;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(), isInside))
        needed.push_back(result);
  OpBuilder builder(ops.front());
  Location loc = ops.front()->getLoc();
  auto at = pl::AtOp::create(builder, loc, ValueRange(needed).getTypes(),
                             pl::Level::CoreGroup, nullptr);
  Block *body = builder.createBlock(&at.getBody());
  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  builder.setInsertionPointToEnd(body);
  pl::YieldOp::create(builder, loc, needed);
  for (auto [value, result] : llvm::zip(needed, at.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !at->isAncestor(use.getOwner());
    });
}

static void assignIn(Block &block);

namespace {

/// Ops of one block that are to be placed together.
class Run {
public:
  /// What computes tiles, or stands between such ops.
  void add(Operation *op, bool isPlaced) {
    if (ops.empty() && !isPlaced)
      return;
    if (!isPlaced && isFreeToGoBefore(op)) {
      op->moveBefore(ops.front());
      return;
    }
    ops.push_back(op);
    members.insert(op);
    if (isPlaced)
      numPlaced = ops.size();
  }
  /// What comes next is not placed with what came before.
  void end() {
    ops.resize(numPlaced);
    if (!ops.empty())
      wrap(ops);
    ops.clear();
    members.clear();
    numPlaced = 0;
  }

private:
  /// True for numbers and views that nothing of the run decides: they can be
  /// seen from everywhere.
  bool isFreeToGoBefore(Operation *op) {
    auto isOfTheRun = [&](Value operand) {
      return members.contains(operand.getDefiningOp());
    };
    return op->getNumRegions() == 0 && isPure(op) &&
           llvm::none_of(op->getOperands(), isOfTheRun);
  }

  SmallVector<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 16> members;
  /// How many of them end with one that computes tiles.
  size_t numPlaced = 0;
};

} // namespace

/// True if the op stays outside and what is in it is placed.
static bool isScaffold(Operation *op) {
  if (op->getNumRegions() == 0 || touchesTiles(op))
    return false;
  return isa<pl::ParallelOp, pl::AtOp>(op) || hasInside(op, [](Operation *in) {
           return isa<pl::ParallelOp>(in) || isCore(in);
         });
}

static void assignIn(Block &block) {
  Run run;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (isCore(&op)) {
      inlineCoresIn(&op);
      run.end();
    } else if (isScaffold(&op)) {
      run.end();
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          assignIn(inner);
    } else if (isa<pl::BarrierOp>(op)) {
      run.end();
    } else {
      bool isPlaced = hasInside(&op, touchesTiles);
      if (isPlaced)
        inlineCoresIn(&op);
      run.add(&op, isPlaced);
    }
  }
  run.end();
}

namespace {

struct AssignCoresPass : tegula::impl::AssignCoresBase<AssignCoresPass> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      assignIn(block);
  }
};

struct VerifyPlacementPass
    : tegula::impl::VerifyPlacementBase<VerifyPlacementPass> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    getOperation().walk([&](Operation *op) {
      unsigned numCores = 0;
      for (Operation *at = op->getParentOp(); at; at = at->getParentOp())
        numCores += isCore(at);
      bool isWrong =
          isCore(op) ? numCores != 0 : touchesTiles(op) && numCores != 1;
      if (!isWrong)
        return;
      op->emitOpError("lies in ") << numCores << " core regions";
      signalPassFailure();
    });
  }
};

} // namespace
