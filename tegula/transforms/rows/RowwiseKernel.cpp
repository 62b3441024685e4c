// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/RowwiseKernel.h"

#include "tegula/ir/OpCosts.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/transforms/matmul/AccumulatorLoop.h"
#include "tegula/transforms/rows/LoopReductions.h"
#include "tegula/transforms/rows/RowMatmuls.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Looks at the ops of a kernel one by one. Everything that is not known to be
/// alright ends the search.
class RowSearch : RowMatmuls {
public:
  /// The columns may be cut by the outer loop.
  RowSearch(func::FuncOp kernel, bool isTransposed, int64_t mostReductions,
            VariantRejection &rejection)
      : RowMatmuls(kernel, rejection), isTransposed(isTransposed),
        mostReductions(mostReductions) {}

  std::optional<RowwiseKernel> run() {
    for (Type type : kernel.getArgumentTypes())
      if (!isa<pl::TensorViewType>(type) && !isPassedAsItIs(type)) {
        reject("a parameter is an index, a boolean or a narrow number");
        return std::nullopt;
      }
    if (!llvm::hasSingleElement(kernel.getBody()) ||
        !visitBlock(kernel.getBody().front()) || !isComplete())
      return std::nullopt;
    return std::move(program);
  }

private:
  bool isComplete() {
    if (!hasStores)
      return reject("it stores no tile");
    if (!program.hasColumns())
      return reject("its tensors have one column");
    if (hasSharedResults())
      return reject("it reads and writes what all rows have in common");
    return isMatmulRead();
  }

  /// Numbers whose bits are those of the slot of a call.
  static bool isPassedAsItIs(Type type) {
    return (isa<FloatType>(type) && type.getIntOrFloatBitWidth() >= 16) ||
           (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() >= 8);
  }

  bool visitBlock(Block &block) {
    for (Operation &op : block.without_terminator())
      if (!visit(op)) {
        if (!rejection.op)
          rejection.op = &op;
        return reject("what is done here depends on the row, or on others");
      }
    return true;
  }

  bool visitFor(scf::ForOp loop) {
    AxisLoop cut = AxisLoop::of(loop);
    return loop.getNumResults() == 0 ? enter(cut, *loop.getBody())
           : hasMatmul(loop)         ? rejectMatmulLoop(loop)
           : isOfScalars(loop)       ? visitScalarLoop(loop)
                                     : visitSumLoop(loop, cut);
  }

  bool visit(Operation &op) {
    if (auto loop = dyn_cast<pl::ParallelOp>(op))
      return (loop.getKind() == pl::LoopKind::AnyOrder ||
              reject("it is a grid or the lanes of a core")) &&
             enter(AxisLoop::of(loop), loop.getBody().front());
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return visitFor(loop);
    // The matmul looks at it.
    if (isOnlyOperand(&op))
      return true;
    if (auto matmul = dyn_cast<pl::MatmulIntoOp>(op))
      return visitMatmul(matmul);
    if (auto matmul = dyn_cast<pl::MatmulOp>(op))
      return rejectMatmul(matmul);
    if (auto at = dyn_cast<pl::AtOp>(op))
      return at.getNumResults() == 0 && at.isCore() &&
             visitBlock(at.getBody().front());
    if (isa<pl::BindOp>(op))
      return addStep(op);
    // The call has seen to it.
    if (auto require = dyn_cast<pl::RequireOp>(op))
      return require.getAtCall();
    if (auto slice = dyn_cast<pl::SliceOp>(op))
      return visitSlice(slice);
    if (auto load = dyn_cast<pl::LoadOp>(op))
      return visitLoad(load);
    if (auto store = dyn_cast<pl::StoreOp>(op))
      return visitStore(store);
    if (auto full = dyn_cast<pl::FullOp>(op)) {
      addConstant(full);
      return addStep(op) && isUniform(full.getValue());
    }
    if (auto broadcast = dyn_cast<pl::BroadcastOp>(op))
      return visitBroadcast(broadcast);
    if (auto reduce = dyn_cast<pl::ReduceOp>(op))
      return visitReduce(reduce);
    if (auto dim = dyn_cast<pl::DimOp>(op)) {
      ofIterations.insert(dim.getResult());
      return addDim(dim);
    }
    if (isOnlySize(&op) || isa<pl::CreateTensorOp>(op))
      return true;
    return visitShapeOp(op);
  }

  /// Ops whose result has elements of an operand, which may be in other shapes.
  bool visitShapeOp(Operation &op) {
    if (auto sized = dyn_cast<pl::WithExtentsOp>(op);
        sized && !isSizedAs(sized, program.shapes.lookup(sized.getSource())))
      return reject("the extents are not those of the iteration");
    if (auto window = dyn_cast<pl::WindowOp>(op))
      return (isSizedAs(window.getSizes(), window.getSource()) &&
              isAllRows(window.getResult(), window.getSource(),
                        window.getOffsets())) ||
             reject("it takes a part of a tile");
    if (auto insert = dyn_cast<pl::InsertOp>(op))
      return (isLike(insert.getSource(), insert.getTarget()) &&
              isAllRows(insert.getResult(), insert.getSource(),
                        insert.getOffsets())) ||
             reject("it changes a part of a tile");
    if (isa<pl::RelaxOp, pl::WithExtentsOp>(op)) {
      addSame(op.getResult(0), op.getOperand(0));
      return addStep(op) && program.shapes.contains(op.getOperand(0));
    }
    if (isa<pl::ReshapeOp, pl::TransposeOp>(op))
      return (addStep(op) && addTransposed(&op)) ||
             reject("elements are moved in other ways than a column "
                    "that becomes a row");
    return visitOther(op);
  }

  /// Whether `made` has the elements that `source` has for the rows of an
  /// iteration; nobody sees what else there is in a tile of more.
  bool isAllRows(Value made, Value source, ValueRange offsets) {
    source = program.resolve(source);
    if (!program.shapes.contains(source) ||
        program.shapes.lookup(source).hasColumns ||
        !llvm::all_of(offsets, isZero))
      return false;
    addSame(made, source);
    program.carried[made] = source;
    return true;
  }

  /// Whether something is read and written that all rows have in common: then
  /// one row would see what another wrote.
  bool hasSharedResults() const {
    return rows && llvm::any_of(loads, [&](const RowAccess &load) {
             return !load.shape.hasRows && stored.contains(load.tensor);
           });
  }

  // Loops and extents.

  /// The first loop cuts rows, or the elements of vectors; those inside it, one
  /// after the other, cut columns. Or the other way round, with one inside.
  bool enter(const AxisLoop &loop, Block &body) {
    AxisLoop &cut = isTransposed ? (columnCut ? rowCut : columnCut)
                                 : (rowCut ? columnCut : rowCut);
    bool isInner = rowCut || columnCut;
    if (cut || (isInner && !isInOuter))
      return reject("there is a third loop, or one after the other");
    // Windows from outside would be others than those from inside.
    bool isPart = isInner && !isTransposed && !isVectors.value_or(false);
    if (!isPart && (hasAccesses || !windows.empty()))
      return reject("tensors are read or written before this loop");
    if (!isZero(loop.lower))
      return reject("the loop does not begin at 0");
    cut = loop;
    isInOuter |= !isInner;
    if (!visitBlock(body))
      return false;
    if (!isInner)
      isInOuter = false;
    if (isPart)
      columnCut = AxisLoop();
    return true;
  }

  /// A loop over chunks of rows that carries sums of them.
  bool visitSumLoop(scf::ForOp loop, const AxisLoop &cut) {
    std::optional<LoopReductions> found = LoopReductions::find(loop);
    if (!found || isTransposed || !rowCut || columnCut)
      return reject(
          "the loop carries more than sums, or the like, of rows that "
          "it goes through in chunks: nothing else may use what is "
          "carried");
    auto carry = [&](Value made, Value source) {
      source = program.resolve(source);
      bool isKnown = program.shapes.contains(source);
      addSame(made, source);
      program.carried[made] = source;
      return isKnown && !program.shapes.lookup(source).hasColumns;
    };
    for (auto [argument, init] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      if (!carry(argument, init))
        return false;
    sums = &*found;
    bool isAlright = enter(cut, *loop.getBody());
    sums = nullptr;
    if (!isAlright)
      return false;
    // Sums are of all columns, so these must be what the loop went through.
    if (!columns || !(RowExtent::of(cut.upper) == columns))
      return reject("the loop goes through others than the columns");
    for (auto [result, yielded] :
         llvm::zip(loop.getResults(), loop.getYieldedValues()))
      if (!carry(result, yielded))
        return false;
    return true;
  }

  /// What an iteration has along an axis: that of the loop's window.
  bool isCutBy(const AxisLoop &cut, Value offset, Value size, Value tensor,
               unsigned axis) {
    return offset == cut.variable && isOfCut(cut, size) &&
           cut.isAlong(tensor, axis);
  }

  // Memory.

  /// What an iteration sees of a tensor. Along an axis of one element that is
  /// all.
  bool visitSlice(pl::SliceOp slice) {
    if (readsAccumulators(slice.getSource()))
      return visitAccumulatorWindow(slice);
    auto tensor = dyn_cast<BlockArgument>(slice.getSource());
    if (!isParameter(tensor))
      return reject("this is a window of what is no parameter");
    if (!rowCut || !slice.getDrop().empty())
      return reject("it takes one row at a time without its axis, or a window "
                    "outside of loops: take windows such as x[i : i + B, :]");
    unsigned rank = rankOf(tensor);
    auto offsets = slice.getOffsets();
    auto sizes = slice.getSizes();
    if (rank == 0 || rank > 2)
      return reject("the tensor has more than two axes");
    bool isVector = rank == 1 && !columnCut;
    const AxisLoop &last = isVector ? rowCut : columnCut;
    unsigned axis = rank - 1;
    if (last && !isOne(tensor, axis)
            ? !isCutBy(last, offsets[axis], sizes[axis], tensor, axis)
            : !isUncut(offsets[axis], sizes[axis], tensor, axis))
      return reject("the window is not the loop's part of the columns, nor "
                    "all of them");
    if (rank == 2 &&
        (isOne(tensor, 0) ? !isUncut(offsets[0], sizes[0], tensor, 0)
                          : !isCutBy(rowCut, offsets[0], sizes[0], tensor, 0)))
      return reject("the window is not the loop's chunk of the rows");
    windows[slice.getResult()] = {tensor, columnCut.variable};
    return true;
  }

  /// The tensor of an access and how far that reaches, checked with all
  /// before.
  std::optional<RowAccess> findAccess(Value view) {
    RowAccess access;
    auto window = windows.find(view);
    bool isWindow = window != windows.end();
    access.tensor =
        isWindow ? window->second.tensor : dyn_cast<BlockArgument>(view);
    if (!isParameter(access.tensor) ||
        (isWindow && window->second.part != columnCut.variable))
      return std::nullopt;
    Value tensor = access.tensor;
    unsigned rank = rankOf(tensor);
    if (rank == 0 || rank > 2 || !hasKnownElements(tensor))
      return std::nullopt;
    // A loop over vectors has parts of what others have all of.
    bool isVector = isWindow && rank == 1 && !columnCut;
    if (rowCut && isVectors.value_or(isVector) != isVector)
      return std::nullopt;
    if (rowCut)
      isVectors = isVector;
    unsigned last = rank - 1;
    access.shape.hasColumns = !isOne(tensor, last);
    access.shape.hasRows = rank == 2 && !isOne(tensor, 0);
    // Inside a loop what is no window is the same in every iteration.
    if (!isWindow && ((rowCut && access.shape.hasRows) ||
                      (columnCut && access.shape.hasColumns)))
      return std::nullopt;
    if (access.shape.hasColumns && !agree(columns, tensor, last))
      return std::nullopt;
    if (access.shape.hasRows && !agree(rows, tensor, 0))
      return std::nullopt;
    hasAccesses = true;
    return access;
  }

  /// Elements that are in memory as they are computed with.
  static bool hasKnownElements(Value tensor) {
    Type element = pl::getElementOrSelf(tensor.getType());
    return isa<FloatType>(element)
               ? element.getIntOrFloatBitWidth() >= 16
               : element.isInteger(32) || element.isInteger(64);
  }

  bool visitLoad(pl::LoadOp load) {
    if (readsAccumulators(load.getSource()))
      return visitAccumulators(load);
    std::optional<RowAccess> access = findAccess(load.getSource());
    if (!access)
      return reject("what is read is not a row of a parameter of FP16, BF16, "
                    "FP32, INT32 or the like with the same rows and columns "
                    "as the others");
    if (stored.contains(access->tensor))
      return reject("it reads what was written before");
    // What one iteration reads of all rows no other may write.
    loads.push_back(*access);
    program.accesses[load] = *access;
    return add(load, access->shape);
  }

  bool visitStore(pl::StoreOp store) {
    std::optional<RowAccess> access = findAccess(store.getTarget());
    if (!access)
      return reject("what is written is not a row of a parameter of FP16, "
                    "BF16, FP32, INT32 or the like with the same rows and "
                    "columns as the others");
    if (isMultiplied(access->tensor) || !stored.insert(access->tensor).second ||
        !hasShape(store.getTile(), access->shape))
      return reject("it writes a tensor twice, or an operand, or another shape "
                    "than was computed");
    // Each thread reads and writes its own columns; what all columns have in
    // common one writes while others read.
    for (const RowAccess &load : loads)
      if (load.tensor == access->tensor &&
          (!(load.shape == access->shape) || !load.shape.hasColumns))
        return false;
    // All iterations write it.
    if ((rowCut && !access->shape.hasRows && !isVectors.value_or(false)) ||
        (columnCut && !access->shape.hasColumns))
      return false;
    hasStores = true;
    program.accesses[store] = *access;
    program.steps.push_back(store);
    return true;
  }

  // What is computed.

  bool visitBroadcast(pl::BroadcastOp op) {
    std::optional<RowShape> shape = findShape(op.getSizes());
    auto known = program.shapes.find(op.getSource());
    if (!shape || known == program.shapes.end() || isLying(op.getSource()) ||
        !isOfThisLoop(op.getSource()))
      return false;
    unsigned from = rankOf(op.getSource()), to = rankOf(op.getResult());
    // Rows stay rows and columns columns.
    for (unsigned axis = 0; axis < to; ++axis) {
      std::optional<unsigned> source = op.getSourceAxis(axis);
      if (op.getOptionalAxis(axis) || (source && to - axis != from - *source))
        return false;
      bool isColumn = axis + 1 == to;
      bool had = isColumn ? known->second.hasColumns : known->second.hasRows;
      bool has = isColumn ? shape->hasColumns : shape->hasRows;
      if (had != (source.has_value() && has))
        return false;
    }
    addSized(op.getResult(), *shape, op.getSizes());
    program.steps.push_back(op);
    return true;
  }

  /// Sums and the like of whole rows.
  bool visitReduce(pl::ReduceOp op) {
    auto known = program.shapes.find(op.getSource());
    Type element = op.getResult().getType().getElementType();
    if (program.matmul)
      return rejectReduction();
    if (op.getAxis() != 1 || rankOf(op.getSource()) != 2)
      return reject("a reduction goes along another axis than the columns");
    if (columnCut && (!sums || !sums->contains(op)))
      return reject("a loop cuts the columns that are summed up, and does not "
                    "carry the sum");
    if (!isOfThisLoop(op.getSource()))
      return reject(
          "each iteration of a loop sums up what was made outside of it");
    if (known != program.shapes.end() && known->second.hasColumns &&
        !hasAllColumns(op.getSource()))
      return reject("what is summed up may have more columns than are left");
    if (known == program.shapes.end() || !known->second.hasColumns ||
        isVectors.value_or(false) || ++numReductions > mostReductions ||
        (!element.isF32() && !element.isInteger(32)))
      return reject("sums of rows are FP32 or INT32, and at most " +
                    Twine(mostReductions));
    program.hasReductions = true;
    return add(op, {known->second.hasRows, false});
  }

  /// Ops on elements, and on numbers.
  bool visitOther(Operation &op) {
    if (op.getNumRegions() != 0 || !isPure(&op) || op.getNumResults() != 1)
      return false;
    bool hasTiles = llvm::any_of(op.getOperandTypes(), [](Type type) {
      return isa<pl::TileType>(type);
    });
    if (!hasTiles)
      return visitNumber(op);
    if (!isa<pl::ElementwiseOpInterface>(op))
      return false;
    for (Value operand : op.getOperands())
      if (!isa<pl::TileType>(operand.getType()) && !isUniform(operand))
        return false;
    program.steps.push_back(&op);
    return addElements(&op);
  }

  /// Numbers that depend on the iteration are extents only.
  bool visitNumber(Operation &op) {
    for (Value operand : op.getOperands())
      if (isOfIteration(operand)) {
        ofIterations.insert(op.getResult(0));
        return true;
      }
    if (!op.hasTrait<OpTrait::ConstantLike>() &&
        llvm::any_of(op.getOperands(),
                     [](Value operand) { return operand.getType().isIndex(); }))
      program.usesExtents = true;
    program.steps.push_back(&op);
    return true;
  }

  bool isOfIteration(Value number) {
    return ofIterations.contains(number) ||
           (rowCut && number == rowCut.variable) ||
           (columnCut && number == columnCut.variable);
  }

  bool isUniform(Value value) { return !isOfIteration(value); }

  bool isTransposed;
  int64_t mostReductions;
  /// Whether ops are inside the outer loop, and sums that an inner one carries.
  bool isInOuter = false;
  const LoopReductions *sums = nullptr;
  SmallVector<RowAccess> loads;
  bool hasStores = false;
  int64_t numReductions = 0;
};

} // namespace

std::optional<RowwiseKernel> RowwiseKernel::find(func::FuncOp kernel,
                                                 int64_t mostReductions,
                                                 VariantRejection &rejection) {
  std::optional<RowwiseKernel> found =
      RowSearch(kernel, false, mostReductions, rejection).run();
  // What the first search did not like is what is told.
  VariantRejection other;
  return found ? std::move(found)
               : RowSearch(kernel, true, mostReductions, other).run();
}

bool RowwiseKernel::computesFunctions() const {
  return llvm::any_of(steps, [&](Operation *op) {
    return pl::isSpecial(op) &&
           shapes.lookup(op->getResult(0)) == RowShape{true, true};
  });
}

bool RowwiseKernel::hasNarrowResults() const {
  return llvm::all_of(accesses, [](const auto &access) {
    Type element = pl::getElementOrSelf(access.second.tensor.getType());
    return !isa<pl::StoreOp>(access.first) ||
           isa<Float16Type, BFloat16Type>(element);
  });
}
