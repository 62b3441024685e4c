// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/ir/ops/semantics/ElementLoops.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_TILEROWOPS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::Coordinates;

/// The axis that rows lie along; nothing if the op looks at no rows.
static std::optional<unsigned> rowAxisOf(Operation *op) {
  if (isa<pl::SortRunsOp, pl::MergeRunsOp>(op))
    return pl::getDims(op->getOperand(0).getType()).size() - 1;
  if (!isa<pl::ArgReduceOp, pl::SortRowsOp, pl::RunningSumOp, pl::PickOp,
           pl::PutOp>(op))
    return std::nullopt;
  return op->getAttrOfType<IntegerAttr>("axis").getInt();
}

/// True if iterations need not divide the tensor along `axis`: what is there
/// once is for all of them, and an index may point anywhere.
static bool isShared(OpOperand &operand, unsigned axis, unsigned rowAxis) {
  Operation *op = operand.getOwner();
  bool isOnce = pl::getDims(operand.get().getType())[axis].isExactly(1);
  if (auto pick = dyn_cast<pl::PickOp>(op)) {
    bool isSource = &operand == &pick.getSourceMutable();
    bool isIndex = &operand == &pick.getIndexMutable();
    return (isIndex && isOnce) || (isSource && axis == rowAxis);
  }
  auto put = dyn_cast<pl::PutOp>(op);
  return put && isOnce && &operand != &put.getTargetMutable();
}

/// True for ops whose rows a machine with teams shares out itself, because it
/// knows how many there are when it runs. Sums of columns go side by side.
static bool sharesRows(Operation *op, unsigned rowAxis) {
  return isa<pl::ArgReduceOp, pl::SortRowsOp>(op) ||
         (isa<pl::RunningSumOp>(op) &&
          rowAxis + 1 == pl::getDims(op->getOperand(0).getType()).size());
}

/// True if an index is for the elements of all rows.
static bool hasOneIndexForAll(pl::PutOp put) {
  for (auto [axis, dim] : llvm::enumerate(put.getIndex().getType().getDims()))
    if (axis != put.getAxis() && !dim.isExactly(1))
      return false;
  return true;
}

namespace {

/// How an op is divided.
struct Division {
  unsigned axis;
  /// As many in an iteration, at most.
  int64_t step;
  /// Whether rows that are long are fewer.
  bool isOfRows;
};

} // namespace

/// Rows of many columns are divided; picks by one index for many elements along
/// the indices, because rows are long then. Where several threads share a row
/// iterations have fewer columns, elements that go by one index to indices of
/// all columns are shared out by these indices, and sorts and the like share
/// out rows themselves.
static std::optional<Division> divisionOf(Operation *op, unsigned rowAxis,
                                          bool haveTeams) {
  constexpr int64_t rows = 16;
  const int64_t columns = haveTeams ? 32 : 256;
  Value first = isa<pl::PickOp>(op) ? cast<pl::PickOp>(op).getTarget()
                                    : op->getOperand(0);
  ArrayRef<pl::Dim> dims = pl::getDims(first.getType());
  auto isLonger = [&](unsigned axis, int64_t step) {
    return !(dims[axis].hasBound() && dims[axis].getBound() <= step);
  };
  auto put = dyn_cast<pl::PutOp>(op);
  if (haveTeams && (sharesRows(op, rowAxis) || (put && hasOneIndexForAll(put))))
    return std::nullopt;
  if (isa<pl::PickOp>(op) && rowAxis + 1 < dims.size() &&
      isLonger(rowAxis, rows))
    return Division{rowAxis, rows, /*isOfRows=*/false};
  for (unsigned axis = 0; axis < dims.size(); ++axis) {
    if (axis == rowAxis)
      continue;
    bool isAcross = axis > rowAxis && isa<pl::RunningSumOp, pl::PutOp>(op);
    int64_t step = isAcross ? columns : rows;
    if (isLonger(axis, step))
      return Division{axis, step, /*isOfRows=*/!isAcross};
  }
  return std::nullopt;
}

/// for i: the op on `step` rows from i on
static void tileRows(Operation *op, unsigned rowAxis, const Division &division,
                     int64_t elements) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto index = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Value zero = index(0), step = index(division.step), upper;
  if (elements > 0 && division.isOfRows) {
    Value length = pl::buildExtent(builder, loc, op->getOperand(0), rowAxis);
    Value one = index(1);
    length = builder.createOrFold<arith::MaxSIOp>(loc, length, one);
    Value rows =
        builder.createOrFold<arith::DivSIOp>(loc, index(elements), length);
    rows = builder.createOrFold<arith::MaxSIOp>(loc, rows, one);
    step = builder.createOrFold<arith::MinSIOp>(loc, rows, step);
  }
  SmallVector<OpOperand *> divided;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<pl::TensorViewType>(operand.get().getType()) ||
        isShared(operand, division.axis, rowAxis))
      continue;
    divided.push_back(&operand);
    Value extent = pl::buildExtent(builder, loc, operand.get(), division.axis);
    upper = upper ? builder.createOrFold<arith::MinSIOp>(loc, upper, extent)
                  : extent;
  }
  SmallVector<Coordinates> sizes;
  for (OpOperand *operand : divided) {
    sizes.push_back(pl::buildExtents(builder, loc, operand->get()));
    sizes.back()[division.axis] = step;
  }
  auto loop = pl::ParallelOp::create(builder, loc, zero, upper, step);
  builder.setInsertionPointToStart(&loop.getBody().front());
  for (auto [operand, size] : llvm::zip_equal(divided, sizes)) {
    Coordinates offsets(size.size(), zero);
    offsets[division.axis] = loop.getInductionVar();
    operand->set(
        pl::SliceOp::create(builder, loc, operand->get(), offsets, size));
  }
  op->moveBefore(&loop.getBody().front(), builder.getInsertionPoint());
}

namespace {

struct TileRowOpsPass : tegula::impl::TileRowOpsBase<TileRowOpsPass> {
  using TileRowOpsBase::TileRowOpsBase;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (rowAxisOf(op) && !op->getParentOfType<pl::ParallelOp>())
        found.push_back(op);
    });
    for (Operation *op : found) {
      unsigned rowAxis = *rowAxisOf(op);
      if (std::optional<Division> division =
              divisionOf(op, rowAxis, elements > 0))
        tileRows(op, rowAxis, *division, elements);
    }
  }
};

} // namespace
