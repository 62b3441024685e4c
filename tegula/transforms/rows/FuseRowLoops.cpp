// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/OpCosts.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace tegula {
#define GEN_PASS_DEF_FUSEROWLOOPS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::Dim;

namespace {

/// A store of a whole matrix, each row of which is computed from the same row
/// of others and from single rows.
class RowStore {
public:
  explicit RowStore(pl::StoreOp store) : store(store) {}

  /// Looks at all that is stored. Changes nothing.
  bool find(int64_t readCost) {
    if (!isa<func::FuncOp>(store->getParentOp()) ||
        !store->getDiscardableAttrDictionary().empty() ||
        !isOfAllRows(store.getTile()) || !findRows(store.getTarget()))
      return false;
    return visit(store.getTile()) && keepsExpensiveRow(readCost) &&
           isMemoryAsItWas();
  }

  /// parallel i: what is stored, for `count` rows from i on
  void emit(int64_t count) {
    OpBuilder builder(store);
    Location loc = store.getLoc();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    zero = index(0);
    step = index(count);
    loop = pl::ParallelOp::create(builder, loc, zero, rows, step);
    builder.setInsertionPointToStart(&loop.getBody().front());
    induction = loop.getInductionVar();
    Value rest = arith::SubIOp::create(builder, loc, rows, induction);
    left = arith::MinSIOp::create(builder, loc, rest, step);
    IRMapping parts;
    for (Operation *op : expression)
      emitChunk(builder, op, parts, count);
    pl::StoreOp::create(builder, loc, parts.lookup(store.getTile()),
                        windowOf(builder, store.getTarget()));
    store.erase();
  }

private:
  static bool isMatrix(Value value) {
    return isa<pl::TileType, pl::TensorViewType>(value.getType()) &&
           pl::getDims(value.getType()).size() == 2;
  }
  static bool isOfAllRows(Value value) {
    return isMatrix(value) && pl::getDims(value.getType())[0].isAny();
  }
  static bool isOneRow(Value value) {
    return isMatrix(value) && pl::getDims(value.getType())[0].isExactly(1);
  }

  /// The symbol that is bound to the axis, if there is one.
  static Value findExtent(Value tensor, int64_t axis) {
    for (Operation *user : tensor.getUsers())
      if (auto bind = dyn_cast<pl::BindOp>(user))
        for (auto [bound, its] : llvm::zip(bind.getTensors(), bind.getAxes()))
          if (bound == tensor && its == axis)
            return bind.getExtent();
    return {};
  }

  /// True if the tensor is known to have as many rows as all others.
  bool findRows(Value tensor) {
    Value extent = findExtent(tensor, 0);
    if (!rows)
      rows = extent;
    return extent && rows == extent;
  }

  /// True if no iteration of the loop writes what others read of the tensor: it
  /// is another argument, which shares no memory with what is written.
  bool isReadOnly(Value tensor) {
    return isa<BlockArgument>(tensor) && tensor != store.getTarget();
  }

  /// Visits what the value is computed from, operands first.
  bool visit(Value value) {
    if (!isa<pl::TileType>(value.getType()))
      return !isMatrix(value);
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != store->getBlock() ||
        (!isOfAllRows(value) && !isOneRow(value)))
      return false;
    if (visited.contains(op))
      return true;
    if (auto load = dyn_cast<pl::LoadOp>(op)) {
      if (isOfAllRows(value) ? !findRows(load.getSource())
                             : !isReadOnly(load.getSource()))
        return false;
    } else if (!keepsRows(op) ||
               !llvm::all_of(op->getOperands(),
                             [&](Value operand) { return visit(operand); })) {
      return false;
    }
    visited.insert(op);
    expression.push_back(op);
    return op->getNumResults() == 1;
  }

  bool keepsRows(Operation *op) {
    if (auto reduce = dyn_cast<pl::ReduceOp>(op))
      return reduce.getAxis() == 1;
    if (auto full = dyn_cast<pl::FullOp>(op))
      return hasRows(full.getResult(), full.getSizes());
    if (auto broadcast = dyn_cast<pl::BroadcastOp>(op))
      return isMatrix(broadcast.getSource()) &&
             hasRows(broadcast.getResult(), broadcast.getSizes());
    return isa<pl::ElementwiseOpInterface>(op) && isPure(op);
  }
  bool hasRows(Value result, ValueRange sizes) {
    return isOneRow(result) || (sizes.size() == 2 && sizes[0] == rows);
  }

  /// True if a row that takes long to compute is reduced, and read again.
  bool keepsExpensiveRow(int64_t readCost) {
    llvm::DenseSet<Operation *> expensive;
    for (Operation *op : expression) {
      bool isExpensive = pl::getTileCost(op) > readCost ||
                         llvm::any_of(op->getOperands(), [&](Value of) {
                           return expensive.contains(of.getDefiningOp());
                         });
      if (!isExpensive || !isOfAllRows(op->getResult(0)) ||
          isa<pl::ReduceOp>(op))
        continue;
      expensive.insert(op);
      bool isReduced = llvm::any_of(op->getUsers(), [](Operation *user) {
        return isa<pl::ReduceOp>(user);
      });
      unsigned reads = llvm::count_if(op->getUsers(), [&](Operation *user) {
        return user == store || visited.contains(user);
      });
      if (isReduced && reads > 1)
        return true;
    }
    return false;
  }

  /// True if nothing is written between the first load and the store.
  bool isMemoryAsItWas() {
    Operation *first = store;
    for (Operation *op : expression)
      if (op->isBeforeInBlock(first))
        first = op;
    for (Operation *op = first; op != store; op = op->getNextNode())
      if (!isPure(op) && !isa<pl::LoadOp>(op))
        return false;
    return true;
  }

  Value windowOf(OpBuilder &builder, Value tensor) {
    OpBuilder before(loop);
    Value columns = findExtent(tensor, 1);
    if (!columns)
      columns = pl::buildExtent(before, store.getLoc(), tensor, 1);
    return pl::SliceOp::create(builder, store.getLoc(), tensor,
                               ValueRange{induction, zero},
                               ValueRange{step, columns});
  }

  void emitChunk(OpBuilder &builder, Operation *op, IRMapping &parts,
                 int64_t count) {
    Value whole = op->getResult(0);
    auto load = dyn_cast<pl::LoadOp>(op);
    if (load && isOfAllRows(whole)) {
      Value window = windowOf(builder, load.getSource());
      Operation *part = builder.clone(*op);
      part->setOperand(0, window);
      narrow(part->getResult(0), count);
      parts.map(whole, part->getResult(0));
      return;
    }
    Operation *part = builder.clone(*op, parts);
    if (!isOfAllRows(whole))
      return;
    if (auto full = dyn_cast<pl::FullOp>(part))
      full.getSizesMutable()[0].set(left);
    if (auto broadcast = dyn_cast<pl::BroadcastOp>(part))
      broadcast.getSizesMutable()[0].set(left);
    narrow(part->getResult(0), count);
  }

  static void narrow(Value value, int64_t count) {
    SmallVector<Dim> dims(pl::getDims(value.getType()));
    dims[0] = Dim::atMost(count);
    value.setType(pl::TileType::get(value.getContext(), dims,
                                    pl::getElementOrSelf(value.getType())));
  }

  pl::StoreOp store;
  pl::ParallelOp loop;
  /// Where rows end, and in the loop: what is left of them, where they begin.
  Value rows, left, induction, zero, step;
  SmallVector<Operation *> expression;
  llvm::DenseSet<Operation *> visited;
};

struct FuseRowLoopsPass : tegula::impl::FuseRowLoopsBase<FuseRowLoopsPass> {
  using Parent = tegula::impl::FuseRowLoopsBase<FuseRowLoopsPass>;
  using Parent::Parent;

  void runOnOperation() override {
    SmallVector<pl::StoreOp> stores;
    getOperation().walk([&](pl::StoreOp store) { stores.push_back(store); });
    for (pl::StoreOp store : stores) {
      RowStore rowStore(store);
      if (rowStore.find(readCost))
        rowStore.emit(rows);
    }
  }
};

} // namespace
