// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/AccumulatorBlocks.h"

#include "tegula/ir/ops/PlMatmulOps.h"
#include "tegula/transforms/matmul/AccumulatorLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

/// Emits the matmul of a tensor with the rhs that was found.
static void emitMatmulInto(OpBuilder &builder, const MatmulLoops &found,
                           Value lhs, Value target) {
  pl::MatmulOp matmul = found.matmul;
  pl::MatmulIntoOp::create(builder, matmul.getLoc(), lhs, found.rhs, target,
                           matmul.getTransposeLhs(), matmul.getTransposeRhs(),
                           matmul.getPrecisionAttr());
}

Value tegula::buildBlockRows(OpBuilder &builder, Location loc, BlockSizes sizes,
                             const BlockedExtents &extents, Value step,
                             bool isShared) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value columns =
      arith::MaxSIOp::create(builder, loc, extents.columns, number(1));
  Value wanted =
      arith::DivUIOp::create(builder, loc, number(sizes.elements), columns);
  if (isShared) {
    // A quarter of the rows, so that threads have something to share; all if
    // they are few.
    Value quarter =
        builder.createOrFold<arith::CeilDivUIOp>(loc, extents.rows, number(4));
    quarter =
        builder.createOrFold<arith::MaxSIOp>(loc, quarter, number(sizes.rows));
    wanted = builder.createOrFold<arith::MinSIOp>(loc, wanted, quarter);
  }
  Value tiles = arith::DivUIOp::create(builder, loc, wanted, step);
  if (sizes.largeRhs != std::numeric_limits<int64_t>::max()) {
    Value rhs =
        builder.createOrFold<arith::MulIOp>(loc, extents.inner, columns);
    Value isLarge = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::sge, rhs, number(sizes.largeRhs));
    Value all =
        builder.createOrFold<arith::CeilDivUIOp>(loc, extents.rows, step);
    tiles = builder.createOrFold<arith::SelectOp>(loc, isLarge, all, tiles);
  }
  tiles = arith::MaxSIOp::create(builder, loc, tiles, number(1));
  return arith::MulIOp::create(builder, loc, tiles, step);
}

RowBlocks tegula::enterRowBlocks(OpBuilder &builder, const AxisLoop &rows,
                                 const BlockedExtents &extents,
                                 BlockSizes sizes, bool isShared) {
  Location loc = rows.op->getLoc();
  builder.setInsertionPoint(rows.op);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value all = extents.rows;
  Value step =
      buildBlockRows(builder, loc, sizes, extents, rows.step, isShared);
  RowBlocks made;
  if (auto parallel = dyn_cast<pl::ParallelOp>(rows.op)) {
    auto blocks = pl::ParallelOp::create(builder, loc, zero, all, step);
    blocks.setIndependent(parallel.getIndependent());
    builder.setInsertionPointToStart(&blocks.getBody().front());
    made = {blocks, blocks.getInductionVar(), {}};
  } else {
    auto blocks = scf::ForOp::create(builder, loc, zero, all, step);
    builder.setInsertionPointToStart(blocks.getBody());
    made = {blocks, blocks.getInductionVar(), {}};
  }
  Value end = arith::AddIOp::create(builder, loc, made.start, step);
  end = builder.createOrFold<arith::MinSIOp>(loc, end, all);
  made.count = arith::SubIOp::create(builder, loc, end, made.start);
  rows.op->moveBefore(builder.getBlock(), builder.getInsertionPoint());
  builder.setInsertionPoint(rows.op);
  rows.op->setOperand(0, made.start);
  rows.op->setOperand(1, end);
  return made;
}

Value tegula::buildRows(OpBuilder &builder, Location loc, Value lhs,
                        bool isTransposed, Value start, Value count) {
  Value inner = pl::buildExtent(builder, loc, lhs, isTransposed ? 0 : 1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> offsets = {start, zero}, sizes = {count, inner};
  if (isTransposed) {
    std::swap(offsets[0], offsets[1]);
    std::swap(sizes[0], sizes[1]);
  }
  return pl::SliceOp::create(builder, loc, lhs, offsets, sizes);
}

namespace {

/// Emits the blocks of one outermost loop.
class AccumulatorBlocks {
public:
  AccumulatorBlocks(ArrayRef<MatmulLoops> matmuls,
                    std::optional<BlockSizes> blockSizes)
      : matmuls(matmuls), blockSizes(blockSizes), root(matmuls.front().root),
        builder(root), loc(root->getLoc()), outermost(root) {}

  void emit() {
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    for (const MatmulLoops &found : matmuls)
      extents.push_back(extentsOf(found));
    if (blockSizes && matmuls.front().rowLoop == root)
      enterBlocks();
    for (auto [found, sides] : llvm::zip_equal(matmuls, extents))
      replace(found, sides);
  }

private:
  /// As values that are there before the loops.
  BlockedExtents extentsOf(const MatmulLoops &found) {
    auto valueOf = [&](RowExtent extent, Value tensor, bool isTransposed,
                       unsigned axis) -> Value {
      if (extent.bound)
        return extent.bound;
      return extent.number
                 ? arith::ConstantIndexOp::create(builder, loc, *extent.number)
                       .getResult()
                 : pl::buildExtent(builder, loc, tensor,
                                   isTransposed ? 1 - axis : axis);
    };
    pl::MatmulOp matmul = found.matmul;
    bool isLhsTransposed = matmul.getTransposeLhs();
    return {valueOf(found.rows, found.lhs, isLhsTransposed, 0),
            valueOf(found.columns, found.rhs, matmul.getTransposeRhs(), 1),
            valueOf(found.inner, found.lhs, isLhsTransposed, 1)};
  }

  static Value stepOf(Operation *loop) {
    if (auto inOrder = dyn_cast<scf::ForOp>(loop))
      return inOrder.getStep();
    return cast<pl::ParallelOp>(loop).getStep();
  }

  /// The step of the loop along an axis if accumulators may start from a tile
  /// that is longer than the matmul; null if not.
  static Value stepOfStart(const MatmulLoops &found, unsigned axis) {
    return found.isStartLonger[axis]
               ? stepOf(axis == 0 ? found.rowLoop : found.columnLoop)
               : Value();
  }

  /// A matmul that is computed, and where.
  struct Accumulators {
    Value lhs, rhs;
    bool transposeLhs, transposeRhs;
    std::optional<pl::Precision> precision;
    bool isOfBlock;
    /// For rows and columns: whole steps of this length if the inner axis is
    /// empty; null if there are no more than the matmul has.
    Value steps[2];
    Value tensor;

    bool isOf(const MatmulLoops &found) const {
      pl::MatmulOp matmul = found.matmul;
      return lhs == found.lhs && rhs == found.rhs &&
             transposeLhs == matmul.getTransposeLhs() &&
             transposeRhs == matmul.getTransposeRhs() &&
             precision == matmul.getPrecision() &&
             isOfBlock == (found.rowLoop != nullptr) &&
             steps[0] == stepOfStart(found, 0) &&
             steps[1] == stepOfStart(found, 1);
    }
  };

  Value least(Value lhs, Value rhs) {
    return builder.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
  }

  void enterBlocks() {
    RowBlocks blocks =
        enterRowBlocks(builder, AxisLoop::of(root), extents.front(),
                       *blockSizes, /*isShared=*/isa<pl::ParallelOp>(root));
    outermost = blocks.loop;
    start = blocks.start;
    count = blocks.count;
  }

  void replace(const MatmulLoops &found, const BlockedExtents &sides) {
    auto tile = cast<pl::TileType>(found.last->getResult(0).getType());
    // All blocks share what has the same rows for all of them.
    builder.setInsertionPoint(found.rowLoop ? root : outermost);
    Value accumulators = multiply(found, sides, tile);
    builder.setInsertionPoint(found.last);
    useInstead(found, accumulators, tile);
  }

  /// Those of all tiles, which matmuls of the same matrices share.
  Value multiply(const MatmulLoops &found, const BlockedExtents &sides,
                 pl::TileType tile) {
    auto dimOf = [&](Operation *loop, unsigned axis) {
      return loop ? pl::Dim::any() : tile.getDims()[axis];
    };
    auto type = pl::TensorViewType::get(
        builder.getContext(),
        {dimOf(found.rowLoop, 0), dimOf(found.columnLoop, 1)},
        tile.getElementType());
    for (const Accumulators &known : made)
      if (known.isOf(found) && known.tensor.getType() == type)
        return known.tensor;
    bool isOfBlock = found.rowLoop && start;
    Value rows =
        lengthOf(found, 0, isOfBlock ? count : sides.rows, sides.inner);
    Value columns = lengthOf(found, 1, sides.columns, sides.inner);
    Value tensor = pl::CreateTensorOp::create(builder, loc, type,
                                              ValueRange{rows, columns});
    emitMatmulInto(builder, found, isOfBlock ? rowsOfBlock(found) : found.lhs,
                   tensor);
    pl::MatmulOp matmul = found.matmul;
    made.push_back({found.lhs,
                    found.rhs,
                    matmul.getTransposeLhs(),
                    matmul.getTransposeRhs(),
                    matmul.getPrecision(),
                    found.rowLoop != nullptr,
                    {stepOfStart(found, 0), stepOfStart(found, 1)},
                    tensor});
    return tensor;
  }

  /// Whole tiles, if the inner axis is empty and accumulators start from such.
  Value lengthOf(const MatmulLoops &found, unsigned axis, Value length,
                 Value inner) {
    Value step = stepOfStart(found, axis);
    if (!step)
      return length;
    Value tiles = arith::CeilDivUIOp::create(builder, loc, length, step);
    Value whole = arith::MulIOp::create(builder, loc, tiles, step);
    Value isEmpty = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, inner, zero);
    return arith::SelectOp::create(builder, loc, isEmpty, whole, length);
  }

  Value rowsOfBlock(const MatmulLoops &found) {
    return buildRows(builder, loc, found.lhs,
                     pl::MatmulOp(found.matmul).getTransposeLhs(), start,
                     count);
  }

  void useInstead(const MatmulLoops &found, Value accumulators,
                  pl::TileType tile) {
    auto indexOf = [&](Operation *loop, unsigned axis, Value &size) -> Value {
      auto made = accumulators.getDefiningOp<pl::CreateTensorOp>();
      size = made.getSizes()[axis];
      if (!loop)
        return zero;
      auto inOrder = dyn_cast<scf::ForOp>(loop);
      auto parallel = dyn_cast<pl::ParallelOp>(loop);
      size = stepOf(loop);
      // A tile that has fewer says so, and its window does then.
      if (pl::Dim known = tile.getDims()[axis]; known.hasBound())
        size = least(size, arith::ConstantIndexOp::create(builder, loc,
                                                          known.getBound()));
      Value index =
          inOrder ? inOrder.getInductionVar() : parallel.getInductionVar();
      if (axis == 0 && start)
        return arith::SubIOp::create(builder, loc, index, start);
      return index;
    };
    Value window = accumulators;
    if (found.rowLoop || found.columnLoop) {
      Value height, width;
      Value row = indexOf(found.rowLoop, 0, height);
      Value column = indexOf(found.columnLoop, 1, width);
      auto slice = pl::SliceOp::create(builder, loc, accumulators,
                                       ValueRange{row, column},
                                       ValueRange{height, width});
      // What is known of the tile is true of its window as well.
      pl::Dims dims(slice.getResult().getType().getDims());
      for (auto [dim, known] : llvm::zip(dims, tile.getDims()))
        if (known.isExact())
          dim = known;
      slice.getResult().setType(pl::TensorViewType::get(
          builder.getContext(), dims, tile.getElementType()));
      window = slice;
    }
    Value value = pl::LoadOp::create(builder, loc, window);
    if (value.getType() != tile)
      value = pl::RelaxOp::create(builder, loc, tile, value);
    if (Value start = startOf(found))
      value = pl::AddOp::create(builder, loc, value, start);
    eraseMatmul(found, value);
  }

  /// The tile that is added, as it is now: it may be what a matmul gave that
  /// was replaced before.
  static Value startOf(const MatmulLoops &found) {
    if (!found.start)
      return {};
    if (auto loop = dyn_cast<scf::ForOp>(found.last))
      return loop.getInitArgs().front();
    return pl::MatmulOp(found.matmul).getAcc();
  }

  /// `value` is what it makes.
  static void eraseMatmul(const MatmulLoops &found, Value value) {
    found.last->getResult(0).replaceAllUsesWith(value);
    pl::MatmulOp matmul = found.matmul;
    bool hasLoop = found.last != matmul;
    SmallVector<Value> operands = {matmul.getLhs(), matmul.getRhs()};
    if (hasLoop)
      keepScalars(cast<scf::ForOp>(found.last));
    found.last->erase();
    // Loads of operands go with the loop over the inner axis, if there is one.
    if (!hasLoop)
      for (Value operand : operands)
        eraseUnused(operand);
  }

  static void eraseUnused(Value operand) {
    while (operand.use_empty() &&
           isa_and_present<pl::LoadOp, pl::CastOp, pl::SliceOp>(
               operand.getDefiningOp())) {
      Operation *maker = operand.getDefiningOp();
      operand = maker->getOperand(0);
      maker->erase();
    }
  }

  ArrayRef<MatmulLoops> matmuls;
  std::optional<BlockSizes> blockSizes;
  Operation *root;
  OpBuilder builder;
  Location loc;
  /// The loop over blocks, if there is one, else the root.
  Operation *outermost;
  Value zero;
  SmallVector<BlockedExtents> extents;
  SmallVector<Accumulators> made;
  /// The first row of a block, and how many it has; null without blocks.
  Value start, count;
};

} // namespace

void tegula::emitAccumulatorBlocks(ArrayRef<MatmulLoops> matmuls,
                                   std::optional<BlockSizes> sizes) {
  AccumulatorBlocks(matmuls, sizes).emit();
}
