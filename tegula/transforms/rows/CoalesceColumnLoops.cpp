// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/rows/RowExtents.h"
#include "tegula/transforms/rows/RowwiseKernel.h"

#include "tegula/ir/ops/PlRequireOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_COALESCECOLUMNLOOPS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::Dim;

/// True if a loop inside another one cuts the columns.
static bool hasParts(func::FuncOp function) {
  auto isLoop = [](Operation *op) {
    return isa<pl::ParallelOp, scf::ForOp>(op);
  };
  return function
      .walk([&](Operation *op) {
        for (Operation *outer = op->getParentOp(); isLoop(op) && outer;
             outer = outer->getParentOp())
          if (isLoop(outer))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// The steps of a kernel once more, with whole rows. Tiles have rows along the
/// first of two axes; those of one number are made where they are used.
class WholeRows {
public:
  WholeRows(func::FuncOp function, const RowwiseKernel &kernel)
      : function(function), kernel(kernel), numbers(function.getContext()),
        builder(function.getContext()) {}

  /// Looks at what tiles and sums are of. Changes nothing.
  bool find() {
    unsigned numStores = 0;
    for (const auto &[op, access] : kernel.accesses) {
      numStores += isa<pl::StoreOp>(op);
      if (!op->getDiscardableAttrDictionary().empty())
        return false;
      if (access.shape.hasRows && access.shape.hasColumns)
        matrix = access.tensor;
    }
    bool isRequired = function
                          .walk([&](pl::RequireOp require) {
                            return require->getParentOp() == function
                                       ? WalkResult::advance()
                                       : WalkResult::interrupt();
                          })
                          .wasInterrupted();
    // Without sums each store is a loop of its own, which reads all again.
    return matrix && !isRequired && (kernel.hasReductions || numStores == 1) &&
           llvm::all_of(kernel.steps, [&](Operation *op) {
             return !isa<pl::ReshapeOp, pl::TransposeOp>(op) ||
                    shapeOf(op->getResult(0)).hasRows;
           });
  }

  /// Takes the place of all loops: `rows` of them at a time where rows are
  /// summed up, else all.
  void emit(int64_t rows) {
    Block &entry = function.getBody().front();
    SmallVector<Operation *> loops;
    for (Operation &op : entry)
      if (op.getNumRegions() != 0)
        loops.push_back(&op);
    numbers.setInsertionPoint(entry.getTerminator());
    dims = {pl::getDims(matrix.getType())[0], pl::getDims(matrix.getType())[1]};
    extents = {extentOf(0), extentOf(1)};
    builder = numbers;
    if (kernel.hasReductions)
      openLoop(rows);
    for (Operation *step : kernel.steps)
      emitStep(step);
    for (Operation *loop : loops)
      loop->erase();
  }

private:
  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(numbers, function.getLoc(), number);
  }

  Value extentOf(unsigned axis) {
    RowExtent extent = RowExtent::of(matrix, axis);
    return extent.bound ? extent.bound : index(*extent.number);
  }

  void openLoop(int64_t rows) {
    Location loc = function.getLoc();
    // Windows of fewer rows are of a type that says so.
    if (std::optional<int64_t> all = RowExtent::of(matrix, 0).number)
      rows = std::min(rows, std::max<int64_t>(*all, 1));
    step = index(rows);
    zero = index(0);
    auto loop = pl::ParallelOp::create(numbers, loc, zero, extents[0], step);
    numbers.setInsertionPoint(loop);
    builder.setInsertionPointToStart(&loop.getBody().front());
    induction = loop.getInductionVar();
    Value rest = arith::SubIOp::create(builder, loc, extents[0], induction);
    extents[0] = arith::MinSIOp::create(builder, loc, rest, step);
    dims[0] = Dim::atMost(rows);
  }

  RowShape shapeOf(Value tile) const { return kernel.shapes.lookup(tile); }

  /// Vectors of columns stay vectors.
  static unsigned rankOfWhole(RowShape shape, Value like) {
    return shape.hasRows ? 2 : rankOf(like);
  }

  SmallVector<Value> sizesOf(RowShape shape, unsigned rank) {
    SmallVector<Value> sizes;
    if (rank == 2)
      sizes.push_back(shape.hasRows ? extents[0] : index(1));
    sizes.push_back(shape.hasColumns ? extents[1] : index(1));
    return sizes;
  }

  Type typeOf(Value tile, RowShape shape, unsigned rank) {
    SmallVector<Dim> own;
    if (rank == 2)
      own.push_back(shape.hasRows ? dims[0] : Dim::exactly(1));
    own.push_back(shape.hasColumns ? dims[1] : Dim::exactly(1));
    return pl::TileType::get(function.getContext(), own,
                             pl::getElementOrSelf(tile.getType()));
  }

  /// What the tensor of an access has in an iteration.
  Value viewOf(const RowAccess &access, Location loc) {
    if (!access.shape.hasRows || !induction)
      return access.tensor;
    Value columns = access.shape.hasColumns ? extents[1] : index(1);
    return pl::SliceOp::create(builder, loc, access.tensor,
                               ValueRange{induction, zero},
                               ValueRange{step, columns});
  }

  /// The number itself where it is none of this loop.
  Value numberOf(Value number) { return made.lookup_or(number, number); }

  /// A tile of one number has the shape that is asked for.
  Value tileOf(Value tile, RowShape shape, unsigned rank, Location loc) {
    tile = kernel.resolve(tile);
    if (Value number = constants.lookup(tile))
      return pl::FullOp::create(builder, loc, typeOf(tile, shape, rank), number,
                                sizesOf(shape, rank));
    return made.lookup(tile);
  }

  void setSame(Value tile, Value source) {
    source = kernel.resolve(source);
    if (Value number = constants.lookup(source))
      constants[tile] = number;
    else
      made[tile] = Value(made.lookup(source));
  }

  void emitStep(Operation *op) {
    Location loc = op->getLoc();
    if (auto load = dyn_cast<pl::LoadOp>(op)) {
      made[load.getResult()] = pl::LoadOp::create(
          builder, loc, viewOf(kernel.accesses.lookup(op), loc));
    } else if (auto store = dyn_cast<pl::StoreOp>(op)) {
      RowAccess access = kernel.accesses.lookup(op);
      Value tile = tileOf(store.getTile(), access.shape,
                          rankOfWhole(access.shape, store.getTile()), loc);
      pl::StoreOp::create(builder, loc, tile, viewOf(access, loc));
    } else if (auto full = dyn_cast<pl::FullOp>(op)) {
      constants[full.getResult()] = numberOf(full.getValue());
    } else if (isa<pl::RelaxOp, pl::WithExtentsOp, pl::ReshapeOp,
                   pl::TransposeOp>(op)) {
      setSame(op->getResult(0), op->getOperand(0));
    } else if (auto broadcast = dyn_cast<pl::BroadcastOp>(op)) {
      emitBroadcast(broadcast);
    } else if (auto reduce = dyn_cast<pl::ReduceOp>(op)) {
      Value source = kernel.resolve(reduce.getSource());
      made[reduce.getResult()] = pl::ReduceOp::create(
          builder, loc, reduce.getReduction(),
          tileOf(source, shapeOf(source), 2, loc), reduce.getAxis());
    } else if (op->getNumResults() == 1 &&
               isa<pl::TileType>(op->getResult(0).getType())) {
      emitElements(op);
    } else if (op->getParentOp() != function) {
      emitNumber(op);
    }
  }

  void emitBroadcast(pl::BroadcastOp op) {
    Value source = kernel.resolve(op.getSource());
    RowShape shape = shapeOf(op.getResult());
    unsigned rank = rankOfWhole(shape, op.getResult());
    Value whole = constants.lookup(source) ? Value() : made.lookup(source);
    if (!whole || (shape == shapeOf(source) && rankOf(whole) == rank))
      return setSame(op.getResult(), source);
    made[op.getResult()] = pl::BroadcastOp::create(
        builder, op.getLoc(), typeOf(op.getResult(), shape, rank), whole,
        sizesOf(shape, rank));
  }

  void emitElements(Operation *op) {
    Value result = op->getResult(0);
    RowShape shape = shapeOf(result);
    unsigned rank = rankOfWhole(shape, result);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<pl::TileType>(operand.getType())
                             ? tileOf(operand, shape, rank, op->getLoc())
                             : numberOf(operand));
    Operation *whole = builder.clone(*op);
    whole->setOperands(operands);
    whole->getResult(0).setType(typeOf(result, shape, rank));
    made[result] = whole->getResult(0);
  }

  /// Numbers are the same for all rows.
  void emitNumber(Operation *op) {
    Operation *same = numbers.clone(*op);
    for (OpOperand &operand : same->getOpOperands())
      operand.set(numberOf(operand.get()));
    for (auto [before, after] : llvm::zip(op->getResults(), same->getResults()))
      made[before] = after;
  }

  func::FuncOp function;
  const RowwiseKernel &kernel;
  /// A tensor that has rows and columns.
  BlockArgument matrix;
  /// Before the loop, and in it.
  OpBuilder numbers, builder;
  Value zero, step, induction;
  /// Of rows and columns.
  std::array<Dim, 2> dims = {Dim::any(), Dim::any()};
  std::array<Value, 2> extents;
  DenseMap<Value, Value> made, constants;
};

struct CoalesceColumnLoopsPass
    : tegula::impl::CoalesceColumnLoopsBase<CoalesceColumnLoopsPass> {
  using Parent = tegula::impl::CoalesceColumnLoopsBase<CoalesceColumnLoopsPass>;
  using Parent::Parent;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !hasParts(function))
      return;
    VariantRejection unasked;
    std::optional<RowwiseKernel> kernel =
        RowwiseKernel::find(function, reductions, unasked);
    if (!kernel || kernel->matmul)
      return;
    WholeRows whole(function, *kernel);
    if (!whole.find())
      return;
    whole.emit(rows);
    ++numTaken;
  }
};

} // namespace
