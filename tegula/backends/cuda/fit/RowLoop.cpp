// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/fit/RowLoop.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;
using pl::Dim;

static bool isTile(Value value) { return isa<pl::TileType>(value.getType()); }

static ArrayRef<Dim> dimsOf(Value shaped) {
  return pl::getDims(shaped.getType());
}

static bool isConstant(Value value, int64_t number) {
  APInt known;
  return matchPattern(value, m_ConstantInt(&known)) && known == number;
}

Value tegula::findSymbol(Value tensor, unsigned axis) {
  for (Operation *user : tensor.getUsers())
    if (auto bind = dyn_cast<pl::BindOp>(user))
      for (auto [bound, its] : llvm::zip(bind.getTensors(), bind.getAxes()))
        if (bound == tensor && its == axis)
          return bind.getExtent();
  return {};
}

/// True if the tensor's axis is just as long as the number says.
static bool isAsLong(Value extent, Value tensor, unsigned axis) {
  auto roots = pl::rootsOfExtent(tensor, axis);
  return roots.size() == 1 && roots.front().value &&
         isEqualConstantIntOrValue(roots.front().value,
                                   getAsOpFoldResult(extent));
}

namespace {

/// Looks at all ops of a loop.
class RowSearch {
public:
  RowSearch(RowLoop &found, pl::ParallelOp outermost)
      : found(found), loop(found.loop), outermost(outermost) {}

  bool run() {
    APInt step;
    APInt lower;
    if (loop.getKind() != pl::LoopKind::AnyOrder || loop.getTask() ||
        !matchPattern(loop.getLower(), m_ConstantInt(&lower)) ||
        lower.isNegative() ||
        !matchPattern(loop.getStep(), m_ConstantInt(&step)) || step.slt(1))
      return false;
    found.step = step.getSExtValue();
    return visitBlock(loop.getBody().front()) && rows && areRowsApart();
  }

private:
  bool dependsOnRows(Value value) const { return found.dependsOnRows(value); }
  bool isByRow(Value value) const { return found.isByRow(value); }
  bool isInside(Value value) {
    return loop.getBody().isAncestor(value.getParentRegion());
  }
  bool isRowCount(Value size) {
    return isConstant(size, found.step) || found.counts.contains(size);
  }

  bool visitBlock(Block &block) {
    return llvm::all_of(block, [&](Operation &op) { return visit(&op); });
  }

  bool visit(Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>())
      return isa<scf::YieldOp>(op) || op->getNumOperands() == 0;
    if (auto at = dyn_cast<pl::AtOp>(op))
      return at->getNumResults() == 0 && visitBlock(at->getRegion(0).front());
    if (auto inner = dyn_cast<pl::ParallelOp>(op))
      return inner.getKind() == pl::LoopKind::AnyOrder &&
             llvm::none_of(op->getOperands(),
                           [&](Value of) { return dependsOnRows(of); }) &&
             visitBlock(inner.getBody().front());
    if (auto inner = dyn_cast<scf::ForOp>(op))
      return visitFor(inner);
    if (auto slice = dyn_cast<pl::SliceOp>(op))
      return visitSlice(slice);
    if (auto load = dyn_cast<pl::LoadOp>(op))
      return visitLoad(load);
    if (auto read = dyn_cast<pl::ReadOp>(op))
      return visitRead(read);
    if (auto store = dyn_cast<pl::StoreOp>(op))
      return visitStore(store);
    if (op->getNumRegions() != 0 || !isPure(op) || op->getNumResults() != 1 ||
        op->hasAttr(pl::spaceAttrName))
      return false;
    Value result = op->getResult(0);
    if (isTile(result))
      return visitTile(op);
    bool isOfTile = llvm::any_of(op->getOperands(), isTile);
    if (llvm::none_of(op->getOperands(),
                      [&](Value of) { return dependsOnRows(of); }))
      return true;
    return !isOfTile && (visitCount(op) || visitNumber(op));
  }

  /// min(upper - i, step), the difference in it, and the same once more.
  bool visitCount(Operation *op) {
    if (auto rest = dyn_cast<arith::SubIOp>(op)) {
      found.rests.insert(rest);
      return rest.getLhs() == loop.getUpper() &&
             rest.getRhs() == loop.getInductionVar() &&
             llvm::all_of(rest->getUsers(), [](Operation *user) {
               return isa<arith::MinSIOp>(user);
             });
    }
    auto isKnown = [&](Value value) {
      return found.rests.contains(value) || isRowCount(value);
    };
    if (!isa<arith::MinSIOp>(op) || !llvm::all_of(op->getOperands(), isKnown) ||
        llvm::none_of(op->getOperands(),
                      [&](Value of) { return isRowCount(of); }))
      return false;
    found.counts.insert(op->getResult(0));
    return true;
  }

  /// One number for each row.
  bool visitNumber(Operation *op) {
    if (!isa<pl::ElementwiseOpInterface>(op) ||
        !llvm::all_of(op->getOperands(), [&](Value of) {
          return !dependsOnRows(of) || found.numbers.contains(of);
        }))
      return false;
    found.numbers.insert(op->getResult(0));
    return true;
  }

  bool setRows(unsigned axis, bool isAdded) {
    RowAxis own = {axis, isAdded};
    if (isAdded && axis != 0)
      return false;
    if (!rows)
      rows = own;
    found.rows = *rows;
    return *rows == own;
  }

  /// An extent that nobody bounds is known before all loops.
  bool addWidth(Value size) {
    if (!size || outermost.getBody().isAncestor(size.getParentRegion()) ||
        dependsOnRows(size))
      return false;
    found.widths.insert(size);
    return true;
  }
  bool addWidths(Value made, ValueRange sizes,
                 llvm::function_ref<bool(unsigned)> isSized) {
    for (auto [axis, dim] : llvm::enumerate(dimsOf(made)))
      if (dim.isAny() && isSized(axis) && !addWidth(sizes[axis]))
        return false;
    return true;
  }

  bool visitSlice(pl::SliceOp slice) {
    ValueRange offsets = slice.getOffsets(), sizes = slice.getSizes();
    std::optional<unsigned> rowAxis;
    for (auto [axis, offset] : llvm::enumerate(offsets)) {
      bool isOwn = offset == loop.getInductionVar();
      if ((isOwn && rowAxis) || (!isOwn && dependsOnRows(offset)))
        return false;
      if (isOwn)
        rowAxis = axis;
    }
    for (auto [axis, dim] : llvm::enumerate(dimsOf(slice.getResult())))
      if (dim.isAny() && !addWidth(sizes[slice.getSourceAxis(axis)]))
        return false;
    if (isByRow(slice.getSource()))
      return !rowAxis && visitPart(slice);
    if (!rowAxis)
      return llvm::none_of(sizes, [&](Value of) { return dependsOnRows(of); });
    for (auto [axis, size] : llvm::enumerate(sizes))
      if (axis == *rowAxis ? !isRowCount(size) : dependsOnRows(size))
        return false;
    Value source = slice.getSource();
    if (!isAsLong(loop.getUpper(), source, *rowAxis))
      return false;
    bool isAdded = llvm::is_contained(slice.getDrop(), int64_t(*rowAxis));
    unsigned dropped = llvm::count_if(
        slice.getDrop(), [&](int64_t axis) { return axis < *rowAxis; });
    accesses.push_back({source, *rowAxis});
    found.byRow.insert(slice.getResult());
    return setRows(*rowAxis - dropped, isAdded);
  }

  /// A window of rows has all of them.
  bool visitPart(pl::SliceOp slice) {
    found.byRow.insert(slice.getResult());
    RowAxis own = *rows;
    for (auto [axis, offset, size] :
         llvm::enumerate(slice.getOffsets(), slice.getSizes()))
      if (!own.isAdded && axis == own.axis
              ? !isConstant(offset, 0) || !isRowCount(size)
              : dependsOnRows(size))
        return false;
    return own.isAdded || llvm::none_of(slice.getDrop(), [&](int64_t axis) {
             return axis <= own.axis;
           });
  }

  bool visitLoad(pl::LoadOp load) {
    if (!load->getDiscardableAttrDictionary().empty())
      return false;
    Value source = load.getSource();
    if (isByRow(source)) {
      found.byRow.insert(load.getResult());
      return true;
    }
    noteAccess(source);
    if (source.getDefiningOp<pl::SliceOp>() && isInside(source))
      return true;
    for (auto [axis, dim] : llvm::enumerate(dimsOf(load.getResult())))
      if (dim.isAny() && !addWidth(findSymbol(source, axis)))
        return false;
    return true;
  }

  /// The numbers of all rows are a vector.
  bool visitRead(pl::ReadOp read) {
    Value source = read.getSource();
    if (isTile(source) || isByRow(source))
      return false;
    std::optional<unsigned> rowAxis;
    for (auto [axis, index] : llvm::enumerate(read.getIndices())) {
      bool isOwn = index == loop.getInductionVar();
      if ((isOwn && rowAxis) || (!isOwn && dependsOnRows(index)))
        return false;
      if (isOwn)
        rowAxis = axis;
    }
    if (!rowAxis) {
      noteAccess(source);
      return true;
    }
    accesses.push_back({source, *rowAxis});
    found.numbers.insert(read.getResult());
    return found.step == 1 && !isHalfByteInTensors(read.getType()) &&
           isAsLong(loop.getUpper(), source, *rowAxis);
  }

  bool visitStore(pl::StoreOp store) {
    if (!store->getDiscardableAttrDictionary().empty() ||
        store->getNumRegions() != 0 || !isByRow(store.getTarget()))
      return false;
    stored.insert(rootOfView(store.getTarget()));
    return isByRow(store.getTile()) || canRepeat(store.getTile());
  }

  /// True if rows can be made of a tile that is the same for all.
  bool canRepeat(Value tile) {
    if (!rows)
      return false;
    if (rows->isAdded)
      return true;
    if (rows->axis >= dimsOf(tile).size())
      return false;
    Dim dim = dimsOf(tile)[rows->axis];
    return dim.isExactly(1) ||
           (tile.getDefiningOp<pl::FullOp>() && dim.isExactly(found.step));
  }

  bool visitTile(Operation *op) {
    if (auto full = dyn_cast<pl::FullOp>(op))
      return visitFull(full);
    if (auto broadcast = dyn_cast<pl::BroadcastOp>(op))
      return visitBroadcast(broadcast);
    Value result = op->getResult(0);
    bool isAnyByRow = llvm::any_of(op->getOperands(),
                                   [&](Value of) { return dependsOnRows(of); });
    if (auto arange = dyn_cast<pl::ArangeOp>(op))
      return !isAnyByRow && addWidths(result, arange.getSizes(),
                                      [](unsigned) { return true; });
    if (isAnyByRow)
      found.byRow.insert(result);
    if (auto reshape = dyn_cast<pl::ReshapeOp>(op))
      return visitReshape(reshape, isAnyByRow);
    if (auto reduce = dyn_cast<pl::ReduceOp>(op))
      return !isAnyByRow || rows->isAdded || reduce.getAxis() != rows->axis;
    if (!isa<pl::ElementwiseOpInterface>(op))
      return false;
    return !isAnyByRow || llvm::all_of(op->getOperands(), [&](Value of) {
      return isTile(of) ? isByRow(of) || canRepeat(of) : !dependsOnRows(of);
    });
  }

  bool visitFull(pl::FullOp full) {
    Value value = full.getValue(), result = full.getResult();
    ValueRange sizes = full.getSizes();
    if (dependsOnRows(value) && !found.numbers.contains(value))
      return false;
    // Numbers are all there is of a row before any window of it.
    if (dependsOnRows(value) && !rows && !setRows(0, /*isAdded=*/true))
      return false;
    return visitSizes(result, sizes, dependsOnRows(value)) &&
           addWidths(result, sizes, [](unsigned) { return true; });
  }

  /// Sizes of a tile that has rows if one of them says how many there are.
  bool visitSizes(Value result, ValueRange sizes, bool isAnyByRow) {
    bool hasCount = false;
    for (auto [axis, size] : llvm::enumerate(sizes)) {
      if (!dependsOnRows(size))
        continue;
      hasCount = true;
      if (!found.counts.contains(size) || !rows || rows->isAdded ||
          rows->axis != axis)
        return false;
    }
    if (isAnyByRow && !rows->isAdded &&
        (rows->axis >= sizes.size() || !isRowCount(sizes[rows->axis])))
      return false;
    if (isAnyByRow || hasCount)
      found.byRow.insert(result);
    return true;
  }

  bool visitBroadcast(pl::BroadcastOp op) {
    Value source = op.getSource();
    bool isSameRank = dimsOf(source).size() == dimsOf(op.getResult()).size();
    if (isByRow(source) && !isSameRank)
      return false;
    return visitSizes(op.getResult(), op.getSizes(), isByRow(source)) &&
           addWidths(op.getResult(), op.getSizes(),
                     [&](unsigned axis) { return !op.getSourceAxis(axis); });
  }

  /// Axes of one element may come and go.
  bool visitReshape(pl::ReshapeOp op, bool isAnyByRow) {
    auto longAxes = [](Value tile) {
      SmallVector<Dim> dims(dimsOf(tile));
      llvm::erase_if(dims, [](Dim dim) { return dim.isExactly(1); });
      return dims;
    };
    if (!isAnyByRow)
      return llvm::none_of(dimsOf(op.getResult()),
                           [](Dim dim) { return dim.isAny(); });
    return rows->isAdded &&
           longAxes(op.getSource()) == longAxes(op.getResult());
  }

  /// What a loop inside carries has rows if it gets some.
  bool visitFor(scf::ForOp inner) {
    auto isShared = [&](Value value) { return !dependsOnRows(value); };
    if (!isShared(inner.getLowerBound()) || !isShared(inner.getUpperBound()) ||
        !isShared(inner.getStep()))
      return false;
    auto carried = [&] {
      return llvm::zip(inner.getInitArgs(), inner.getRegionIterArgs(),
                       inner.getYieldedValues(), inner.getResults());
    };
    size_t before;
    do {
      before = found.byRow.size();
      if (!visitBlock(*inner.getBody()))
        return false;
      for (auto [init, arg, yielded, result] : carried())
        if (isByRow(init) || isByRow(arg) || isByRow(yielded)) {
          found.byRow.insert(arg);
          found.byRow.insert(result);
        }
    } while (before != found.byRow.size());
    return llvm::all_of(carried(), [&](auto values) {
      auto [init, arg, yielded, result] = values;
      if (!isTile(init))
        return isShared(init) && isShared(yielded);
      return !isByRow(arg) || ((isByRow(init) || canRepeat(init)) &&
                               (isByRow(yielded) || canRepeat(yielded)));
    });
  }

  void noteAccess(Value source) { shared.insert(rootOfView(source)); }

  /// True if no iteration touches what another one writes: what is written is
  /// touched by rows of one view alone.
  bool areRowsApart() {
    if (stored.contains(Value()) || shared.contains(Value()))
      return false;
    for (Value root : stored) {
      if (shared.contains(root))
        return false;
      std::optional<std::pair<Value, unsigned>> own;
      for (auto access : accesses) {
        if (rootOfView(access.first) != root)
          continue;
        if (own && *own != access)
          return false;
        own = access;
      }
    }
    return true;
  }

  RowLoop &found;
  pl::ParallelOp loop, outermost;
  std::optional<RowAxis> rows;
  SmallVector<std::pair<Value, unsigned>> accesses;
  llvm::DenseSet<Value> stored, shared;
};

} // namespace

std::optional<RowLoop> RowLoop::find(pl::ParallelOp loop,
                                     pl::ParallelOp outermost) {
  RowLoop found(loop);
  if (!RowSearch(found, outermost).run())
    return std::nullopt;
  return found;
}
