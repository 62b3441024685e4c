// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over rows -> the same with another number of rows at a time.

#include "tegula/backends/cuda/fit/RowLoop.h"
#include "tegula/transforms/tile/TileEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tegula;
using pl::Dim;

static bool isTile(Value value) { return isa<pl::TileType>(value.getType()); }

static ArrayRef<Dim> dimsOf(Value shaped) {
  return pl::getDims(shaped.getType());
}

namespace {

/// Emits the body op by op; values are mapped to those with other rows.
class RowEmitter {
public:
  RowEmitter(const RowLoop &found, int64_t rows, std::optional<int64_t> width)
      : found(found), loop(found.loop), axis(found.rows.axis),
        isAdded(found.rows.isAdded), most(rows), width(width), builder(loop),
        loc(loop.getLoc()) {}

  void run() {
    step = index(most);
    zero = index(0);
    if (width)
      for (Value own : found.getWidths())
        bounded[own] = arith::MinSIOp::create(builder, loc, own, index(*width));
    auto made =
        cast<pl::ParallelOp>(builder.cloneWithoutRegions(*loop.getOperation()));
    made.getStepMutable().assign(step);
    Block *body = builder.createBlock(&made.getBody());
    values.map(loop.getInductionVar(),
               body->addArgument(builder.getIndexType(), loc));
    rows = step;
    if (most != 1) {
      Value left = arith::SubIOp::create(builder, loc, loop.getUpper(),
                                         made.getInductionVar());
      rows = arith::MinSIOp::create(builder, loc, left, step);
    }
    emitBlock(loop.getBody().front());
    loop.erase();
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value mapped(Value value) { return values.lookupOrDefault(value); }
  bool isByRow(Value value) const { return found.isByRow(value); }

  void emitBlock(Block &block) {
    for (Operation &op : block) {
      loc = op.getLoc();
      emit(&op);
    }
  }

  void emit(Operation *op) {
    if (auto inner = dyn_cast<scf::ForOp>(op))
      return emitFor(inner);
    if (op->getNumRegions() != 0)
      return emitRegion(op);
    if (auto slice = dyn_cast<pl::SliceOp>(op))
      return emitSlice(slice);
    if (auto load = dyn_cast<pl::LoadOp>(op))
      return values.map(load.getResult(), emitLoad(load));
    if (auto read = dyn_cast<pl::ReadOp>(op);
        read && found.numbers.contains(read.getResult()))
      return emitNumbers(read);
    if (auto store = dyn_cast<pl::StoreOp>(op)) {
      pl::StoreOp::create(builder, loc, getRows(store.getTile()),
                          mapped(store.getTarget()));
      return;
    }
    if (auto full = dyn_cast<pl::FullOp>(op))
      return emitFull(full);
    if (auto arange = dyn_cast<pl::ArangeOp>(op))
      return values.map(
          arange.getResult(),
          pl::ArangeOp::create(builder, loc, mapped(arange.getStart()),
                               sizesOf(arange.getResult(), arange.getSizes())));
    if (auto broadcast = dyn_cast<pl::BroadcastOp>(op))
      return values.map(broadcast.getResult(), emitBroadcast(broadcast));
    if (auto reshape = dyn_cast<pl::ReshapeOp>(op))
      return emitReshape(reshape);
    if (op->getNumResults() == 1 && found.counts.contains(op->getResult(0)))
      return values.map(op->getResult(0), rows);
    if (op->getNumResults() == 1 &&
        (isTile(op->getResult(0)) || found.numbers.contains(op->getResult(0))))
      return emitElements(op);
    builder.clone(*op, values);
  }

  void emitRegion(Operation *op) {
    Operation *made = builder.cloneWithoutRegions(*op, values);
    OpBuilder::InsertionGuard guard(builder);
    Block &from = op->getRegion(0).front();
    Block *to = builder.createBlock(&made->getRegion(0));
    for (BlockArgument argument : from.getArguments())
      values.map(argument, to->addArgument(argument.getType(), loc));
    emitBlock(from);
  }

  void emitFor(scf::ForOp op) {
    SmallVector<Value> inits;
    for (auto [init, arg] : llvm::zip(op.getInitArgs(), op.getRegionIterArgs()))
      inits.push_back(isByRow(arg) ? getRows(init) : mapped(init));
    auto made = scf::ForOp::create(builder, loc, mapped(op.getLowerBound()),
                                   mapped(op.getUpperBound()),
                                   mapped(op.getStep()), inits);
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    values.map(op.getInductionVar(), made.getInductionVar());
    values.map(op.getRegionIterArgs(), made.getRegionIterArgs());
    values.map(op.getResults(), made.getResults());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    for (Operation &inner : op.getBody()->without_terminator()) {
      loc = inner.getLoc();
      emit(&inner);
    }
    if (inits.empty())
      return;
    SmallVector<Value> yielded;
    for (auto [value, arg] :
         llvm::zip(op.getYieldedValues(), op.getRegionIterArgs()))
      yielded.push_back(isByRow(arg) ? getRows(value) : mapped(value));
    scf::YieldOp::create(builder, loc, yielded);
  }

  /// The sizes of what was `made`, with the rows and the bounds of now.
  SmallVector<Value> sizesOf(Value made, ValueRange sizes) {
    SmallVector<Value> own;
    for (auto [position, dim, size] : llvm::enumerate(dimsOf(made), sizes)) {
      bool isOfRows = isByRow(made) && !isAdded && position == axis;
      own.push_back(isOfRows ? rows : boundOf(dim, size));
    }
    if (isByRow(made) && isAdded)
      own.insert(own.begin() + axis, rows);
    return own;
  }
  Value boundOf(Dim dim, Value size) {
    Value own = dim.isAny() ? bounded.lookup(size) : Value();
    return own ? own : mapped(size);
  }

  void emitSlice(pl::SliceOp op) {
    SmallVector<Value> offsets, sizes;
    SmallVector<int64_t> drop(op.getDrop());
    bool isPart = isByRow(op.getSource());
    for (Value offset : op.getOffsets())
      offsets.push_back(mapped(offset));
    for (Value size : op.getSizes())
      sizes.push_back(mapped(size));
    for (auto [position, dim] : llvm::enumerate(dimsOf(op.getResult()))) {
      unsigned from = op.getSourceAxis(position);
      sizes[from] = boundOf(dim, op.getSizes()[from]);
    }
    if (isPart && isAdded) {
      offsets.insert(offsets.begin() + axis, zero);
      sizes.insert(sizes.begin() + axis, step);
      for (int64_t &dropped : drop)
        dropped += dropped >= int64_t(axis);
    } else if (isPart) {
      sizes[axis] = step;
    } else if (isByRow(op.getResult())) {
      unsigned own = llvm::find(op.getOffsets(), loop.getInductionVar()) -
                     op.getOffsets().begin();
      sizes[own] = step;
      llvm::erase(drop, int64_t(own));
    }
    values.map(op.getResult(),
               makeWindow(mapped(op.getSource()), offsets, sizes, drop,
                          isByRow(op.getResult())));
  }

  /// A window of rows. A single one is there.
  Value makeWindow(Value source, ArrayRef<Value> offsets, ArrayRef<Value> sizes,
                   ArrayRef<int64_t> drop, bool hasRows) {
    auto made = pl::SliceOp::create(builder, loc, source, offsets, sizes, drop);
    if (!hasRows || most != 1)
      return made;
    pl::Dims dims(dimsOf(made));
    dims[axis] = Dim::exactly(1);
    made.getResult().setType(pl::TensorViewType::get(
        source.getContext(), dims, pl::getElementOrSelf(source.getType())));
    return made;
  }

  /// What is loaded of a tensor without a window gets one, where it has bounds.
  Value emitLoad(pl::LoadOp op) {
    Value source = mapped(op.getSource());
    bool isAny =
        llvm::any_of(dimsOf(source), [](Dim dim) { return dim.isAny(); });
    if (!width || !isAny)
      return pl::LoadOp::create(builder, loc, source);
    SmallVector<Value> offsets, sizes;
    for (auto [position, dim] : llvm::enumerate(dimsOf(source))) {
      offsets.push_back(zero);
      Value size = pl::buildExtent(builder, loc, source, position);
      sizes.push_back(dim.isAny() ? bounded.lookup(findSymbol(source, position))
                                  : size);
    }
    Value window = pl::SliceOp::create(builder, loc, source, offsets, sizes);
    return pl::LoadOp::create(builder, loc, window);
  }

  void emitNumbers(pl::ReadOp op) {
    SmallVector<Value> offsets, sizes;
    SmallVector<int64_t> drop;
    for (auto [position, offset] : llvm::enumerate(op.getIndices())) {
      offsets.push_back(mapped(offset));
      bool isOwn = offset == loop.getInductionVar();
      sizes.push_back(isOwn ? step : index(1));
      if (!isOwn)
        drop.push_back(int64_t(position));
    }
    Value source = mapped(op.getSource());
    auto window =
        pl::SliceOp::create(builder, loc, source, offsets, sizes, drop);
    if (most == 1)
      window.getResult().setType(
          pl::TensorViewType::get(op.getContext(), Dim::exactly(1),
                                  pl::getElementOrSelf(source.getType())));
    values.map(op.getResult(), pl::LoadOp::create(builder, loc, window));
  }

  void emitFull(pl::FullOp op) {
    SmallVector<Value> sizes = sizesOf(op.getResult(), op.getSizes());
    Value value = mapped(op.getValue());
    if (!found.numbers.contains(op.getValue()))
      return values.map(op.getResult(),
                        pl::FullOp::create(builder, loc, value, sizes));
    // As a column, next to others.
    SmallVector<Value> column(sizes.size(), index(1));
    column[axis] = rows;
    pl::Dims dims(sizes.size(), Dim::exactly(1));
    dims[axis] = dimsOf(value).front();
    auto type = pl::TileType::get(op.getContext(), dims,
                                  pl::getElementOrSelf(value.getType()));
    Value reshaped = pl::ReshapeOp::create(builder, loc, type, value, column);
    values.map(op.getResult(), repeat(reshaped, sizes));
  }

  /// The tile with these sizes along axes where it has one element.
  Value repeat(Value tile, ArrayRef<Value> sizes) {
    pl::Dims dims;
    unsigned added = sizes.size() - dimsOf(tile).size();
    for (auto [position, size] : llvm::enumerate(sizes)) {
      Dim own =
          position < added ? Dim::exactly(1) : dimsOf(tile)[position - added];
      dims.push_back(own.isUnit() ? own.repeatedTo(pl::dimOfExtent(size))
                                  : own);
    }
    auto type = pl::TileType::get(tile.getContext(), dims,
                                  pl::getElementOrSelf(tile.getType()));
    return pl::BroadcastOp::create(builder, loc, type, tile, sizes);
  }

  Value emitBroadcast(pl::BroadcastOp op) {
    return repeat(mapped(op.getSource()),
                  sizesOf(op.getResult(), op.getSizes()));
  }

  void emitReshape(pl::ReshapeOp op) {
    if (!isByRow(op.getResult())) {
      builder.clone(*op, values);
      return;
    }
    Value source = mapped(op.getSource());
    SmallVector<Dim> longs(dimsOf(source).drop_front());
    llvm::erase_if(longs, [](Dim dim) { return dim.isExactly(1); });
    pl::Dims dims = {dimsOf(source).front()};
    size_t next = 0;
    for (Dim dim : dimsOf(op.getResult()))
      dims.push_back(dim.isExactly(1) ? dim : longs[next++]);
    auto type = pl::TileType::get(op.getContext(), dims,
                                  pl::getElementOrSelf(source.getType()));
    values.map(op.getResult(),
               pl::ReshapeOp::create(builder, loc, type, source,
                                     sizesOf(op.getResult(), op.getSizes())));
  }

  /// The same op, with rows.
  void emitElements(Operation *op) {
    bool hasRows = isByRow(op->getResult(0));
    bool isOfNumbers = found.numbers.contains(op->getResult(0));
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(hasRows && isTile(operand) ? getRows(operand)
                         : isOfNumbers              ? getNumbers(operand)
                                                    : mapped(operand));
    Operation *made = builder.clone(*op);
    made->setOperands(operands);
    if (auto reduce = dyn_cast<pl::ReduceOp>(made);
        reduce && hasRows && isAdded)
      reduce.setAxis(reduce.getAxis() + 1);
    values.map(op->getResult(0), retype(made));
  }

  Value getNumbers(Value number) {
    if (found.numbers.contains(number))
      return mapped(number);
    return pl::FullOp::create(builder, loc, mapped(number), ValueRange{rows});
  }

  /// A tile with rows: one that has none is the same for all of them.
  Value getRows(Value tile) {
    Value own = mapped(tile);
    if (isByRow(tile))
      return own;
    SmallVector<Value> sizes;
    pl::Dims dims(dimsOf(own));
    for (auto [position, dim] : llvm::enumerate(dims))
      sizes.push_back(pl::buildExtent(builder, loc, own, position));
    if (isAdded)
      sizes.insert(sizes.begin() + axis, rows);
    else
      sizes[axis] = rows;
    if (auto full = own.getDefiningOp<pl::FullOp>())
      return pl::FullOp::create(builder, loc, full.getValue(), sizes);
    if (isAdded) {
      dims.insert(dims.begin() + axis, Dim::exactly(1));
      SmallVector<Value> single(sizes);
      single[axis] = index(1);
      auto type = pl::TileType::get(own.getContext(), dims,
                                    pl::getElementOrSelf(own.getType()));
      own = pl::ReshapeOp::create(builder, loc, type, own, single);
    }
    return repeat(own, sizes);
  }

  const RowLoop &found;
  pl::ParallelOp loop;
  unsigned axis;
  bool isAdded;
  int64_t most;
  std::optional<int64_t> width;
  OpBuilder builder;
  Location loc;
  IRMapping values;
  /// Extents that nobody bounded -> those that are no larger than the width.
  DenseMap<Value, Value> bounded;
  /// How many rows a whole iteration has, and how many this one.
  Value step, rows, zero;
};

} // namespace

void tegula::emitRows(const RowLoop &loop, int64_t rows,
                      std::optional<int64_t> width) {
  RowEmitter(loop, rows, width).run();
}
