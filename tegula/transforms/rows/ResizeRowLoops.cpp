// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/OpCosts.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/LoopAttributes.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

namespace tegula {
#define GEN_PASS_DEF_RESIZEROWLOOPS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::Dim;

namespace {

/// A parallel loop over some rows at a time, which does the same with every
/// row and knows no more of it than where it lies.
class RowLoop {
public:
  explicit RowLoop(pl::ParallelOp loop) : loop(loop) {}

  /// Looks at all that the loop does. Changes nothing.
  bool find() {
    APInt step;
    if (loop.getKind() != pl::LoopKind::AnyOrder ||
        !matchPattern(loop.getLower(), m_Zero()) ||
        !matchPattern(loop.getStep(), m_ConstantInt(&step)) || step.slt(2))
      return false;
    rows = step.getSExtValue();
    bool isFine = !loop.getBody()
                       .walk([&](Operation *op) {
                         return isByRow(op) ? WalkResult::advance()
                                            : WalkResult::interrupt();
                       })
                       .wasInterrupted();
    return isFine && !lengths.empty() && usesIndexOnly() && usesRowsOnly();
  }

  /// The elements of rows, as they are known before the loop.
  ArrayRef<Value> getLengths() const { return lengths.getArrayRef(); }
  int64_t getRows() const { return rows; }
  /// How many rows there are.
  Value getEnd() { return loop.getUpper(); }
  /// True if rows are read more than once.
  bool isReduced() const { return hasReduction; }
  /// True if something takes longer to compute than to read.
  bool isExpensive(int64_t readCost) {
    return loop.getBody()
        .walk([&](Operation *op) {
          return pl::getTileCost(op) > readCost ? WalkResult::interrupt()
                                                : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// So many rows at a time, and never more than `most`.
  void resize(Value step, int64_t most) {
    loop.getStepMutable().assign(step);
    for (OpOperand *size : sizes)
      size->set(step);
    loop.getBody().walk([&](Operation *op) {
      for (Value result : op->getResults())
        resizeType(result, most);
    });
  }

private:
  bool isByRow(Operation *op) {
    if (isa<pl::AtOp>(op))
      return op->getNumResults() == 0;
    if (op->hasTrait<OpTrait::IsTerminator>())
      return op->getNumOperands() == 0;
    if (auto slice = dyn_cast<pl::SliceOp>(op))
      return isRowWindow(slice);
    if (auto load = dyn_cast<pl::LoadOp>(op))
      return isWindow(load.getSource()) || isSingleRow(load);
    if (auto store = dyn_cast<pl::StoreOp>(op))
      return store->getNumRegions() == 0 && isStoreByRow(store);
    if (isa<arith::ArithDialect>(op->getDialect()))
      return dependsOnRows(op) ? isExtent(op) : true;
    if (auto reduce = dyn_cast<pl::ReduceOp>(op)) {
      hasReduction = true;
      return reduce.getAxis() == 1 && isRowTile(reduce.getSource());
    }
    if (auto full = dyn_cast<pl::FullOp>(op))
      return isOneRow(full.getResult()) || isSizedByRows(full.getSizes());
    if (auto broadcast = dyn_cast<pl::BroadcastOp>(op))
      return (isRowTile(broadcast.getSource()) ||
              isOneRow(broadcast.getSource())) &&
             (isOneRow(broadcast.getResult()) ||
              isSizedByRows(broadcast.getSizes()));
    return isa<pl::ElementwiseOpInterface>(op) && isPure(op) &&
           isElementwiseByRow(op);
  }

  bool usesInduction(Operation *op) {
    return llvm::is_contained(op->getOperands(), loop.getInductionVar());
  }
  bool dependsOnRows(Operation *op) {
    return usesInduction(op) || llvm::any_of(op->getOperands(), [&](Value of) {
             return rests.contains(of) || extents.contains(of);
           });
  }

  /// A window of all rows from the loop's number on: `rows` of them, or what is
  /// left. The loop ends where the tensor does.
  bool isRowWindow(pl::SliceOp slice) {
    ValueRange offsets = slice.getOffsets(), given = slice.getSizes();
    APInt size;
    if (offsets.size() != 2 || !slice.getDrop().empty() ||
        offsets[0] != loop.getInductionVar() ||
        !matchPattern(given[0], m_ConstantInt(&size)) || size != rows ||
        !isBoundToEnd(slice.getSource()))
      return false;
    windows.insert(slice.getResult());
    tensors.insert(slice.getSource());
    sizes.push_back(&slice.getSizesMutable()[0]);
    if (!isWithin(given[1]))
      lengths.insert(given[1]);
    return isRowsDim(slice.getResult());
  }

  /// True if the number of rows of the tensor is where the loop ends.
  bool isBoundToEnd(Value tensor) {
    auto bind = loop.getUpper().getDefiningOp<pl::BindOp>();
    if (!bind)
      return false;
    for (auto [bound, axis] : llvm::zip(bind.getTensors(), bind.getAxes()))
      if (bound == tensor && axis == 0)
        return true;
    return false;
  }

  bool isWithin(Value value) {
    return loop.getBody().isAncestor(value.getParentRegion());
  }

  /// min(upper - i, rows), and the difference in it.
  bool isExtent(Operation *op) {
    if (auto rest = dyn_cast<arith::SubIOp>(op)) {
      rests.insert(rest);
      return rest.getLhs() == loop.getUpper() &&
             rest.getRhs() == loop.getInductionVar() &&
             llvm::all_of(rest->getUsers(), [](Operation *user) {
               return isa<arith::MinSIOp>(user);
             });
    }
    auto least = dyn_cast<arith::MinSIOp>(op);
    APInt size;
    if (!least || !rests.contains(least.getLhs()) ||
        !matchPattern(least.getRhs(), m_ConstantInt(&size)) || size != rows)
      return false;
    extents.insert(least);
    sizes.push_back(&least.getRhsMutable());
    return llvm::all_of(least->getUses(), isRowCount);
  }

  /// True if a tile has so many rows as the operand says, and nothing else
  /// depends on it.
  static bool isRowCount(OpOperand &use) {
    if (auto full = dyn_cast<pl::FullOp>(use.getOwner()))
      return &use == &full.getSizesMutable()[0];
    auto broadcast = dyn_cast<pl::BroadcastOp>(use.getOwner());
    return broadcast && &use == &broadcast.getSizesMutable()[0];
  }

  bool isSizedByRows(ValueRange given) {
    return given.size() == 2 && extents.contains(given[0]);
  }

  /// True if where an iteration begins says where its windows are, how many
  /// rows are left, and nothing else.
  bool usesIndexOnly() {
    return llvm::all_of(loop.getInductionVar().getUses(), [](OpOperand &use) {
      if (auto slice = dyn_cast<pl::SliceOp>(use.getOwner()))
        return &use == &slice.getOffsetsMutable()[0];
      return isa<arith::SubIOp>(use.getOwner());
    });
  }

  bool isWindow(Value tensor) { return windows.contains(tensor); }
  static bool isMatrix(Value value) {
    return isa<pl::TileType, pl::TensorViewType>(value.getType()) &&
           pl::getDims(value.getType()).size() == 2;
  }
  bool isRowsDim(Value value) {
    return isMatrix(value) &&
           pl::getDims(value.getType())[0] == Dim::atMost(rows);
  }
  static bool isOneRow(Value value) {
    return isMatrix(value) && pl::getDims(value.getType())[0].isExactly(1);
  }
  /// Of another argument than those that are touched by rows, as usesRowsOnly
  /// finds out; views of these may have been made before the loop, or be
  /// carried around one.
  static bool isSingleRow(pl::LoadOp load) {
    auto argument = dyn_cast<BlockArgument>(load.getSource());
    return isOneRow(load.getResult()) && argument &&
           isa<func::FuncOp>(argument.getOwner()->getParentOp());
  }
  /// Rows of the iteration; a tile from before the loop may have as many, but
  /// keeps them.
  bool isRowTile(Value value) {
    return isa<pl::TileType>(value.getType()) && isRowsDim(value) &&
           isWithin(value);
  }

  bool isStoreByRow(pl::StoreOp store) {
    return isWindow(store.getTarget()) && isRowTile(store.getTile()) &&
           store->getDiscardableAttrDictionary().empty();
  }

  /// Numbers, single rows, and rows of the loop.
  bool isElementwiseByRow(Operation *op) {
    auto isKnown = [&](Value value) {
      return !isa<pl::TileType, pl::TensorViewType>(value.getType()) ||
             isRowTile(value) || isOneRow(value);
    };
    return llvm::all_of(op->getOperands(), isKnown) &&
           llvm::all_of(op->getResults(), isKnown);
  }

  /// True if what the loop touches by rows it touches in no other way: nobody
  /// reads rows that another iteration writes.
  bool usesRowsOnly() {
    return llvm::all_of(tensors, [&](Value tensor) {
      return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
        return !loop->isProperAncestor(user) ||
               llvm::any_of(user->getResults(),
                            [&](Value result) { return isWindow(result); });
      });
    });
  }

  void resizeType(Value value, int64_t most) {
    if (!isRowsDim(value))
      return;
    SmallVector<Dim> dims(pl::getDims(value.getType()));
    dims[0] = Dim::atMost(most);
    Type element = pl::getElementOrSelf(value.getType());
    MLIRContext *context = value.getContext();
    if (isa<pl::TileType>(value.getType()))
      value.setType(pl::TileType::get(context, dims, element));
    else
      value.setType(pl::TensorViewType::get(context, dims, element));
  }

  pl::ParallelOp loop;
  int64_t rows = 0;
  bool hasReduction = false;
  llvm::SetVector<Value> lengths;
  /// Operands that say how many rows there are at a time.
  SmallVector<OpOperand *> sizes;
  DenseSet<Value> windows, rests, extents;
  llvm::SetVector<Value> tensors;
};

struct ResizeRowLoopsPass
    : tegula::impl::ResizeRowLoopsBase<ResizeRowLoopsPass> {
  using Parent = tegula::impl::ResizeRowLoopsBase<ResizeRowLoopsPass>;
  using Parent::Parent;

  void runOnOperation() override {
    SmallVector<pl::ParallelOp> loops;
    getOperation().walk([&](pl::ParallelOp loop) { loops.push_back(loop); });
    for (pl::ParallelOp loop : loops) {
      RowLoop rowLoop(loop);
      if (!rowLoop.find() || rowLoop.getRows() >= rows)
        continue;
      OpBuilder builder(loop);
      Value step = chooseStep(builder, loop.getLoc(), rowLoop);
      APInt known;
      bool isKnown = matchPattern(step, m_ConstantInt(&known));
      if (isKnown && known == rowLoop.getRows())
        continue;
      rowLoop.resize(step, isKnown ? known.getSExtValue() : rows);
      if (rowLoop.isReduced())
        loop->setAttr(pl::fitsRowsAttrName, builder.getUnitAttr());
      ++numResized;
    }
  }

  /// As many rows as so many elements are. Those that are read once are no
  /// fewer than before.
  Value chooseStep(OpBuilder &builder, Location loc, RowLoop &loop) {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value length = index(1);
    for (Value other : loop.getLengths())
      length = builder.createOrFold<arith::MaxSIOp>(loc, other, length);
    Value atOnce = index(elements);
    Value least = index(loop.isReduced() ? 1 : loop.getRows());
    if (loop.isReduced() && uncachedElements) {
      Value all =
          builder.createOrFold<arith::MulIOp>(loc, loop.getEnd(), length);
      Value isOutOfCache = builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::sge, all, index(uncachedElements));
      atOnce = builder.createOrFold<arith::SelectOp>(
          loc, isOutOfCache, chooseUncachedElements(builder, loc, loop, length),
          atOnce);
    }
    Value step = builder.createOrFold<arith::DivSIOp>(loc, atOnce, length);
    step = builder.createOrFold<arith::MinSIOp>(loc, step, index(rows));
    return builder.createOrFold<arith::MaxSIOp>(loc, step, least);
  }

  /// Where something expensive is computed there is time to prefetch the rows
  /// of the next iteration, and twice as many of them gain more than they
  /// cost, unless they begin inside lines of the cache.
  Value chooseUncachedElements(OpBuilder &builder, Location loc, RowLoop &loop,
                               Value length) {
    constexpr int64_t elementsOfLine = 16;
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    if (!loop.isExpensive(readCost))
      return index(uncachedColumns);
    Value rest = builder.createOrFold<arith::AndIOp>(loc, length,
                                                     index(elementsOfLine - 1));
    Value isWhole = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, rest, index(0));
    return builder.createOrFold<arith::SelectOp>(
        loc, isWhole, index(2 * uncachedColumns), index(uncachedColumns));
  }
};

} // namespace
