// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/tile/TileTensorOps.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/OpCosts.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/ir/ops/attributes/LoopAttributes.h"
#include "tegula/transforms/matmul/WholeMatmuls.h"
#include "tegula/transforms/memory/ConcatInMemory.h"
#include "tegula/transforms/parallel/SharedReduction.h"
#include "tegula/transforms/tile/CutExpression.h"
#include "tegula/transforms/tile/StoreLoops.h"
#include "tegula/transforms/tile/TileEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_TILETENSOROPS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::Dim;

/// True for an op that ends a tensor-level expression: it takes an unbounded
/// tile and makes none.
static bool isSink(Operation *op, const CutTiles &cut) {
  auto isCut = [&](Value value) { return cut.contains(value); };
  if (!llvm::any_of(op->getOperands(), isCut) ||
      llvm::any_of(op->getResults(), isCut) ||
      op->hasTrait<OpTrait::IsTerminator>() || isa<pl::DimOp>(op))
    return false;
  // What has bounds can be computed whole where nothing else will do.
  return isa<pl::StoreOp, pl::ReduceOp>(op) ||
         llvm::any_of(op->getOperands(), pl::isUnboundedTile);
}

namespace {

struct TileTensorOpsPass : tegula::impl::TileTensorOpsBase<TileTensorOpsPass> {
  using TileTensorOpsBase::TileTensorOpsBase;
  TileTensorOpsPass(const TileTensorOpsOptions &options, bool takesRows)
      : TileTensorOpsBase(options), takesRows(takesRows) {}
  void runOnOperation() override;

private:
  void keepMatmulsInMemory();
  void keepLongExpressionsInMemory();
  void keepExpensiveRowsInMemory();
  void keepOperandsInMemory();
  void keepOverwrittenLoadsInMemory();
  void splitInPlaceStore(pl::StoreOp store);
  LogicalResult tile(Operation *sink);
  LogicalResult share(pl::ReduceOp reduce, TileEmitter &emitter,
                      OpBuilder &builder);
  LogicalResult tileStore(pl::StoreOp store);
  Value rowsAtOnce(OpBuilder &builder, pl::StoreOp store, bool elementwise,
                   int64_t most);
  bool isMadeOf(pl::StoreOp store,
                llvm::function_ref<bool(Operation *)> isFitting);
  bool isElementwise(pl::StoreOp store);
  bool isTransposedCopy(pl::StoreOp store);
  /// What kinds of ops compute a tile.
  struct Kinds {
    bool hasMatmul = false, isTransposed = false, isReduced = false;
    /// Along another axis than the last one.
    bool isReducedAcross = false;
  };
  Kinds findKinds(Value tile);
  int64_t iterationExtent(pl::StoreOp store, unsigned axis, bool elementwise,
                          const Kinds &kinds);
  StoreWindow chooseWindow(OpBuilder &builder, pl::StoreOp store,
                           const Kinds &kinds);
  void findCuts() {
    cut.emplace(getOperation(), largest, takesRows, cutsAllAxes);
  }
  LogicalResult tileRead(pl::ReadOp read);
  int64_t windowExtent(Value tile, unsigned axis, const Kinds &kinds);
  int64_t columnExtent(ArrayRef<Dim> dims, const Kinds &kinds);
  SmallVector<Operation *> sinks();
  ReductionBlocks blocksOfRows() const {
    return {32 * leastIteration, columns};
  }
  bool isShared(Operation *op) const {
    auto reduce = dyn_cast<pl::ReduceOp>(op);
    return takesRows && leastIteration && reduce &&
           isSharedReduction(reduce, *cut, blocksOfRows());
  }

  bool takesRows = false;
  Value zero;
  std::optional<CutTiles> cut;
};

} // namespace

/// A matmul, or what cannot be computed by windows, goes to memory unless it
/// is used once, by an elementwise op or a store: recomputing it costs too
/// much.
void TileTensorOpsPass::keepMatmulsInMemory() {
  SmallVector<Value> values;
  getOperation().walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !cut->contains(op->getResult(0)))
      return;
    if (auto matmul = dyn_cast<pl::MatmulOp>(op)) {
      bool isFused = matmul->hasOneUse() &&
                     isa<pl::ElementwiseOpInterface, pl::StoreOp, pl::MatmulOp>(
                         *matmul->user_begin());
      // As the accumulator of a matmul it is part of the same window.
      if (auto next = isFused ? dyn_cast<pl::MatmulOp>(*matmul->user_begin())
                              : pl::MatmulOp())
        isFused = next.getAcc() == matmul.getResult();
      if (!isFused)
        values.push_back(matmul.getResult());
    }
  });
  for (Value value : values)
    toMemory(value);
}

/// What a window of a value takes is computed anew for each reduction of it and
/// each sink. A value that takes many ops goes to memory, and sooner if it is
/// used more than once: else the program would grow with the square of its
/// length.
void TileTensorOpsPass::keepLongExpressionsInMemory() {
  constexpr unsigned mostOps = 200, mostSharedOps = 32;
  auto isShared = [](Operation *op) {
    auto isRead = [](Operation *user) { return !isa<pl::DimOp>(user); };
    return llvm::count_if(op->getUsers(), isRead) > 1;
  };
  DenseMap<Value, unsigned> ops;
  SmallVector<Value> values;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() != 1 || !cut->contains(op->getResult(0)))
      return;
    unsigned count = 1;
    for (Value operand : op->getOperands())
      count += ops.lookup(operand);
    bool isLong = isa<pl::ElementwiseOpInterface>(op) &&
                  (count > mostOps || (count > mostSharedOps && isShared(op)));
    if (isLong)
      values.push_back(op->getResult(0));
    ops[op->getResult(0)] = isLong ? 1 : count;
  });
  for (Value value : values)
    toMemory(value);
}

/// What is reduced along bounded rows and used again, and takes long to
/// compute, goes to memory.
void TileTensorOpsPass::keepExpensiveRowsInMemory() {
  SmallVector<Value> values;
  llvm::DenseSet<Value> expensive;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<pl::ElementwiseOpInterface>(op) || op->getNumResults() != 1 ||
        !cut->contains(op->getResult(0)))
      return;
    Value value = op->getResult(0);
    ArrayRef<Dim> dims = pl::getDims(value.getType());
    if (pl::getTileCost(op) > readCost ||
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return expensive.contains(operand);
        }))
      expensive.insert(value);
    bool isReduced = false;
    unsigned numReads = 0;
    for (Operation *user : value.getUsers()) {
      auto reduce = dyn_cast<pl::ReduceOp>(user);
      isReduced |= reduce && reduce.getAxis() + 1 == dims.size();
      numReads += !isa<pl::DimOp>(user);
    }
    if (dims.size() != 2 || !dims.front().hasBound() ||
        !expensive.contains(value) || !isReduced || numReads < 2)
      return;
    values.push_back(value);
    expensive.erase(value);
  });
  for (Value value : values)
    toMemory(value);
}

TileTensorOpsPass::Kinds TileTensorOpsPass::findKinds(Value tile) {
  Kinds kinds;
  llvm::SmallPtrSet<void *, 16> seen;
  visitExpression(
      tile, *cut,
      [&](Value value) {
        kinds.hasMatmul |= value.getDefiningOp<pl::MatmulOp>() != nullptr;
        kinds.isTransposed |= value.getDefiningOp<pl::TransposeOp>() != nullptr;
        if (auto reduce = value.getDefiningOp<pl::ReduceOp>()) {
          kinds.isReduced = true;
          kinds.isReducedAcross |=
              reduce.getAxis() + 1 < reduce.getType().getRank();
        }
      },
      seen);
  return kinds;
}

/// An operand that is made of matmuls is computed for each part of the result
/// that it goes into. Where those are many it goes to memory.
void TileTensorOpsPass::keepOperandsInMemory() {
  llvm::SetVector<Value> values;
  getOperation().walk([&](pl::MatmulOp matmul) {
    Value result = matmul.getResult();
    if (!cut->contains(result))
      return;
    auto keep = [&](Value operand, unsigned across, int64_t size) {
      if (cut->contains(operand) && cut->isLonger(result, across, size) &&
          findKinds(operand).hasMatmul)
        values.insert(operand);
    };
    keep(matmul.getLhs(), 1, matmulColumns);
    keep(matmul.getRhs(), 0, matmulRows);
  });
  for (Value value : values)
    toMemory(value);
}

SmallVector<Operation *> TileTensorOpsPass::sinks() {
  SmallVector<Operation *> found;
  getOperation().walk([&](Operation *op) {
    if (isSink(op, *cut) || isShared(op))
      found.push_back(op);
  });
  return found;
}

/// A load whose memory is written before the end of its expression is computed
/// happens where it stands.
void TileTensorOpsPass::keepOverwrittenLoadsInMemory() {
  llvm::SetVector<Value> loads;
  for (Operation *sink : sinks())
    for (Value value : expressionOf(sink, *cut))
      if (auto load = value.getDefiningOp<pl::LoadOp>())
        if (mayBeWrittenBetween(load, sink, rootOfView(load.getSource())))
          loads.insert(value);
  for (Value load : loads)
    toMemory(load);
}

/// A store whose value reads the memory it writes goes through memory of its
/// own.
void TileTensorOpsPass::splitInPlaceStore(pl::StoreOp store) {
  llvm::SmallPtrSet<void *, 16> seen;
  if (cut->contains(store.getTile()) &&
      !readsOnlySameWindow(store.getTile(), store.getTarget(), *cut, seen))
    store.getTileMutable().assign(toMemory(store.getTile()));
}

int64_t TileTensorOpsPass::windowExtent(Value tile, unsigned axis,
                                        const Kinds &kinds) {
  ArrayRef<Dim> dims = pl::getDims(tile.getType());
  if (kinds.hasMatmul)
    return axis + 1 == dims.size() ? matmulColumns : matmulRows;
  // Rows and columns alike, as many as cached memory has room for.
  if (takesRows && kinds.isTransposed && dims.size() == 2)
    return llvm::bit_floor<uint64_t>(std::sqrt(rows * columns));
  bool isColumn = takesRows && dims.size() == 2 && dims.back().isExactly(1);
  if (dims.size() == 1 || (isColumn && !kinds.isReduced && axis == 0))
    return elements;
  return axis + 1 == dims.size() ? columnExtent(dims, kinds) : rows;
}

/// As many columns as windows may have elements. What is reduced along rows has
/// few: other windows are reduced meanwhile.
int64_t TileTensorOpsPass::columnExtent(ArrayRef<Dim> dims,
                                        const Kinds &kinds) {
  constexpr int64_t fewColumns = 32;
  if (!windowElements)
    return columns;
  int64_t most = windowElements;
  for (Dim dim : dims.drop_back())
    most /= std::max<int64_t>(dim.hasBound() ? dim.getBound() : rows, 1);
  if (kinds.isReducedAcross)
    most = std::min(most, fewColumns);
  return std::clamp<int64_t>(most, 1, columns);
}

/// The offset of the loop's iterations. Loops of a store that is in no other
/// one may run on several threads. True if a matrix is stored that such ops
/// alone make, of elements that are not in the memory that is written: then no
/// tile needs memory, however large.
bool TileTensorOpsPass::isMadeOf(
    pl::StoreOp store, llvm::function_ref<bool(Operation *)> isFitting) {
  if (!takesRows || pl::getDims(store.getTile().getType()).size() != 2 ||
      readsMemoryOf(store.getTile(), store.getTarget(), *cut))
    return false;
  auto isHalf = [](Value value) {
    return pl::getElementOrSelf(value.getType()).getIntOrFloatBitWidth() < 8;
  };
  return !isHalf(store.getTarget()) &&
         llvm::all_of(expressionOf(store, *cut), [&](Value value) {
           Operation *op = value.getDefiningOp();
           return op && !isHalf(value) && isFitting(op);
         });
}

/// True if each element is computed from those at its indices alone.
bool TileTensorOpsPass::isElementwise(pl::StoreOp store) {
  return isMadeOf(store, [](Operation *op) {
    return isa<pl::LoadOp, pl::FullOp, pl::BroadcastOp, pl::RelaxOp,
               pl::WithExtentsOp, pl::ElementwiseOpInterface>(op);
  });
}

/// True if what is stored are columns of a tensor as rows, and nothing else.
bool TileTensorOpsPass::isTransposedCopy(pl::StoreOp store) {
  bool isTransposed = false;
  return transposedRows &&
         isMadeOf(store,
                  [&](Operation *op) {
                    isTransposed |= isa<pl::TransposeOp>(op);
                    return isa<pl::LoadOp, pl::RelaxOp, pl::TransposeOp>(op);
                  }) &&
         isTransposed;
}

/// How far one iteration goes along an axis of what is stored.
int64_t TileTensorOpsPass::iterationExtent(pl::StoreOp store, unsigned axis,
                                           bool elementwise,
                                           const Kinds &kinds) {
  if (isTransposedCopy(store))
    return axis == 0 ? transposedRows : largest;
  return elementwise ? largest : windowExtent(store.getTile(), axis, kinds);
}

/// As many rows as so many elements are, but one at least.
Value TileTensorOpsPass::rowsAtOnce(OpBuilder &builder, pl::StoreOp store,
                                    bool elementwise, int64_t most) {
  Location loc = store.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value length = pl::buildExtent(builder, loc, store.getTile(), 1);
  Value elements = index(elementwise ? largest : columns), all;
  if (elementwise ? leastIteration : uncachedElements) {
    Value count = pl::buildExtent(builder, loc, store.getTile(), 0);
    all = builder.createOrFold<arith::MulIOp>(loc, count, length);
  }
  if (elementwise && all) {
    Value quarter = builder.createOrFold<arith::DivSIOp>(loc, all, index(4));
    quarter = builder.createOrFold<arith::MaxSIOp>(loc, quarter,
                                                   index(leastIteration));
    elements = builder.createOrFold<arith::MinSIOp>(loc, quarter, elements);
  } else if (all) {
    Value isOutOfCache = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::sge, all, index(uncachedElements));
    elements = builder.createOrFold<arith::SelectOp>(
        loc, isOutOfCache, index(uncachedColumns), elements);
  }
  length = builder.createOrFold<arith::MaxSIOp>(loc, length, index(1));
  Value rows = builder.createOrFold<arith::DivSIOp>(loc, elements, length);
  rows = builder.createOrFold<arith::MaxSIOp>(loc, rows, index(1));
  return builder.createOrFold<arith::MinSIOp>(loc, rows, index(most));
}

/// True if all that each iteration of a loop in any order does is to store.
static bool isAloneInLoop(pl::StoreOp store) {
  auto loop = dyn_cast<pl::ParallelOp>(store->getParentOp());
  return loop && loop.getKind() == pl::LoopKind::AnyOrder &&
         !loop->getParentOfType<pl::ParallelOp>() &&
         llvm::hasSingleElement(loop.getBody().front().getOps<pl::StoreOp>()) &&
         llvm::all_of(loop.getBody().getOps(),
                      [](Operation &op) { return op.getNumRegions() == 0; });
}

StoreWindow TileTensorOpsPass::chooseWindow(OpBuilder &builder,
                                            pl::StoreOp store,
                                            const Kinds &kinds) {
  Value tile = store.getTile();
  bool elementwise = isElementwise(store);
  StoreWindow chosen;
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(tile.getType()))) {
    int64_t size = iterationExtent(store, axis, elementwise, kinds);
    bool isByRow = axis == 0 && cut->isByRow(store) && !dim.isExactly(1);
    if (isByRow && takesFittingRows(store, dim, shortRows)) {
      size = dim.getBound();
      isByRow = false;
    }
    bool isLong = cut->isLonger(tile, axis, size);
    chosen.isLooped.push_back(isLong || isByRow);
    // Of short rows there are more at once.
    int64_t most = isByRow ? std::max<int64_t>(size, shortRows) : size;
    bool isBounded = dim.hasBound() && (!isLong || dim.getBound() < most);
    int64_t bound = isBounded ? dim.getBound() : most;
    AxisWindow &window = chosen.window.emplace_back(
        AxisWindow{zero, bound, /*isPending=*/chosen.isLooped.back()});
    if (isByRow || (elementwise && axis == 0 && isLong))
      window.length = rowsAtOnce(builder, store, elementwise, bound);
    // Blocks of rows for the threads, and fewer rows at once in each.
    Value block;
    if (isByRow && isLong)
      block = builder.createOrFold<arith::MaxSIOp>(
          store.getLoc(), window.length,
          arith::ConstantIndexOp::create(builder, store.getLoc(), size));
    chosen.blocks.push_back(block);
  }
  return chosen;
}

LogicalResult TileTensorOpsPass::tileStore(pl::StoreOp store) {
  OpBuilder builder(store);
  Location loc = store.getLoc();
  Value tile = store.getTile();
  TileEmitter emitter(builder, zero, {columns, depth, windowElements}, *cut);
  Kinds kinds = findKinds(tile);
  StoreWindow chosen = chooseWindow(builder, store, kinds);
  bool isShared = !store->getParentOfType<pl::ParallelOp>();
  // A matmul may have rows for one iteration only, and columns for many.
  bool areAllShared = takesRows && leastIteration && kinds.hasMatmul &&
                      (isShared || isAloneInLoop(store));
  if (areAllShared)
    emitter.leaveQuickColumns(readCost);
  StoreLoops loops(builder, store, zero, chosen, emitter,
                   {isShared || areAllShared, areAllShared,
                    readsMemoryOf(tile, store.getTarget(), *cut)});
  if (failed(loops.open()))
    return failure();
  Value part = emitter.emit(tile, chosen.window);
  if (!part)
    return failure();
  SmallVector<Value> offsets, sizes;
  for (auto [axis, window] : llvm::enumerate(chosen.window)) {
    Value start = loops.getStart(axis);
    offsets.push_back(start == zero ? window.offset
                                    : arith::SubIOp::create(
                                          builder, loc, window.offset, start)
                                          .getResult());
    if (window.length)
      sizes.push_back(window.length);
    else if (chosen.isLooped[axis])
      sizes.push_back(
          arith::ConstantIndexOp::create(builder, loc, window.bound));
    else
      sizes.push_back(pl::buildExtent(builder, loc, store.getTarget(), axis));
  }
  Value view =
      pl::SliceOp::create(builder, loc, loops.getTarget(), offsets, sizes);
  auto stored = pl::StoreOp::create(builder, loc, part, view);
  if (Attribute sum = store->getAttr(pl::atomicAttrName))
    stored->setAttr(pl::atomicAttrName, sum);
  store.erase();
  return success();
}

/// One element is a window of extent 1. An index that is out of range is said
/// to be so before it is one into the window.
LogicalResult TileTensorOpsPass::tileRead(pl::ReadOp read) {
  OpBuilder builder(read);
  TileEmitter emitter(builder, zero, {columns, depth, windowElements}, *cut);
  Window window;
  SmallVector<Value> indices;
  for (auto [axis, index] : llvm::enumerate(read.getIndices())) {
    pl::Dim dim = pl::getDims(read.getSource().getType())[axis];
    if (dim.hasBound()) {
      window.push_back({zero, dim.getBound()});
      indices.push_back(index);
      continue;
    }
    Value extent =
        pl::buildExtent(builder, read.getLoc(), read.getSource(), axis);
    Value inside =
        pl::CheckIndexOp::create(builder, read.getLoc(), index, extent, axis);
    window.push_back({inside, 1});
    indices.push_back(zero);
  }
  Value part = emitter.emit(read.getSource(), window);
  if (!part)
    return failure();
  Value element = pl::ReadOp::create(builder, read.getLoc(), part, indices);
  read.replaceAllUsesWith(element);
  read.erase();
  return success();
}

/// What blocks of rows come to is combined once, and not in each window of
/// what it is used in.
LogicalResult TileTensorOpsPass::share(pl::ReduceOp reduce,
                                       TileEmitter &emitter,
                                       OpBuilder &builder) {
  Value made =
      emitSharedReduction(builder, reduce, zero, emitter, *cut, blocksOfRows());
  if (!made)
    return failure();
  reduce.replaceAllUsesWith(made);
  reduce.erase();
  if (made.hasOneUse() && isa<pl::StoreOp>(*made.user_begin()))
    return success();
  Value kept = toMemory(made);
  Value memory = kept.getDefiningOp<pl::LoadOp>().getSource();
  for (Operation *user : memory.getUsers())
    if (auto store = dyn_cast<pl::StoreOp>(user))
      return isSink(store, *cut) ? tileStore(store) : success();
  return success();
}

LogicalResult TileTensorOpsPass::tile(Operation *sink) {
  if (auto store = dyn_cast<pl::StoreOp>(sink))
    return tileStore(store);
  if (auto read = dyn_cast<pl::ReadOp>(sink))
    return tileRead(read);
  OpBuilder builder(sink);
  TileEmitter emitter(builder, zero, {columns, depth, windowElements}, *cut);
  if (isShared(sink))
    return share(cast<pl::ReduceOp>(sink), emitter, builder);
  Value result = sink->getResult(0);
  Value part = emitter.emitOp(sink, emitter.whole(result));
  if (!part)
    return failure();
  if (part.getType() != result.getType())
    part = pl::RelaxOp::create(builder, sink->getLoc(), result.getType(), part);
  result.replaceAllUsesWith(part);
  sink->erase();
  return success();
}

void TileTensorOpsPass::runOnOperation() {
  func::FuncOp function = getOperation();
  if (function.isExternal())
    return;
  if (std::min<int64_t>({rows, columns, elements, matmulRows, matmulColumns,
                         depth, largest}) < 1) {
    function.emitError("the sizes of the machine's tiles are not given");
    return signalPassFailure();
  }
  SmallVector<Operation *> concats;
  function.walk([&](Operation *op) {
    if (isa<pl::ConcatOp, pl::InsertOp>(op) &&
        pl::isUnboundedTile(op->getResult(0)))
      concats.push_back(op);
  });
  for (Operation *op : concats)
    concatInMemory(op);
  findCuts();
  keepMatmulsInMemory();
  keepLongExpressionsInMemory();
  if (takesRows)
    keepExpensiveRowsInMemory();
  findCuts();
  keepOperandsInMemory();
  findCuts();
  keepOverwrittenLoadsInMemory();
  findCuts();
  SmallVector<pl::StoreOp> stores;
  function.walk([&](pl::StoreOp store) { stores.push_back(store); });
  for (pl::StoreOp store : stores)
    splitInPlaceStore(store);
  findCuts();
  if (wholeMatmuls && keepMatmulsWhole(function, *cut))
    findCuts();

  OpBuilder builder(&getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  zero = arith::ConstantIndexOp::create(builder, function.getLoc(), 0);
  for (Operation *sink : sinks())
    // What is stored may have become one of few results by now.
    if ((isSink(sink, *cut) || isShared(sink)) && failed(tile(sink)))
      return signalPassFailure();
  function.walk(
      [](pl::ParallelOp loop) { loop->removeAttr(pl::fitsRowsAttrName); });
}

std::unique_ptr<Pass>
tegula::createTileTensorOpsByRow(const TileTensorOpsOptions &options) {
  return std::make_unique<TileTensorOpsPass>(options, /*takesRows=*/true);
}
