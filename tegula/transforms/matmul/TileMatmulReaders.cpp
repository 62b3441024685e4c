// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls whose rows one loop reads -> blocks of rows, which that loop reads.

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/PlMatmulOps.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/matmul/AccumulatorBlocks.h"
#include "tegula/transforms/matmul/AxisLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace tegula {
#define GEN_PASS_DEF_TILEMATMULREADERS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// A matmul to memory of its own that one loop reads by rows.
struct ReadMatmul {
  pl::MatmulIntoOp matmul;
  pl::CreateTensorOp made;
  SmallVector<pl::SliceOp> windows;

  /// Nothing if there is none such; `loop` is what reads it.
  static std::optional<ReadMatmul> find(pl::MatmulIntoOp matmul,
                                        AxisLoop &loop);

private:
  bool findWindows();
  AxisLoop findLoop();
  bool isUnchanged(const AxisLoop &loop);
  bool isByRow(const AxisLoop &loop);
};

} // namespace

bool ReadMatmul::findWindows() {
  unsigned numWritten = 0;
  for (OpOperand &use : made.getResult().getUses()) {
    if (use.getOwner() == matmul)
      ++numWritten;
    else if (auto window = dyn_cast<pl::SliceOp>(use.getOwner()))
      windows.push_back(window);
    else if (!isa<pl::DimOp>(use.getOwner()))
      return false;
  }
  return numWritten == 1 && !windows.empty();
}

/// The outermost loop around all windows, which runs as often as the matmul.
AxisLoop ReadMatmul::findLoop() {
  Operation *found = nullptr, *op = windows.front();
  for (; op && op->getBlock() != matmul->getBlock(); op = op->getParentOp())
    found = isa<pl::AtOp>(op) && op->getNumResults() == 0 ? found : op;
  if (!op || !matmul->isBeforeInBlock(op))
    return {};
  found = isa<pl::AtOp>(op) && op->getNumResults() == 0 ? found : op;
  AxisLoop loop = AxisLoop::of(found);
  bool isAroundAll = loop && llvm::all_of(windows, [&](pl::SliceOp window) {
                       return found->isProperAncestor(window);
                     });
  return isAroundAll && found->getNumResults() == 0 ? loop : AxisLoop();
}

/// What is multiplied is still there in each iteration, and what that makes is
/// only read.
bool ReadMatmul::isUnchanged(const AxisLoop &loop) {
  SmallVector<Value> reads(matmul.getEpilogueOperands());
  reads.append({matmul.getLhs(), matmul.getRhs()});
  return !mayWrite(loop.op, made) && llvm::all_of(reads, [&](Value read) {
    return !mayWrite(loop.op, rootOfView(read)) &&
           !mayBeWrittenBetween(matmul, loop.op, rootOfView(read));
  });
}

/// Each iteration reads no rows but those from its variable on, as many as its
/// step, and all iterations together have all rows.
bool ReadMatmul::isByRow(const AxisLoop &loop) {
  if (!isZero(loop.lower) ||
      !(RowExtent::of(loop.upper) == RowExtent::of(made.getSizes()[0])))
    return false;
  return llvm::all_of(windows, [&](pl::SliceOp window) {
    pl::ExtentProver prover(window);
    pl::ExtentTerms &terms = prover.getTerms();
    pl::Polynomial first = terms.of(loop.variable), step = terms.of(loop.step);
    pl::Polynomial offset = terms.of(window.getOffsets()[0]);
    return prover.isAtMost(pl::Polynomial::constant(1), step) &&
           prover.isAtMost(first, offset) &&
           prover.isAtMost(offset + terms.of(window.getSizes()[0]),
                           first + step);
  });
}

std::optional<ReadMatmul> ReadMatmul::find(pl::MatmulIntoOp matmul,
                                           AxisLoop &loop) {
  ReadMatmul found{
      matmul, matmul.getTarget().getDefiningOp<pl::CreateTensorOp>(), {}};
  if (!found.made || rankOf(found.made) != 2 || !found.findWindows())
    return std::nullopt;
  loop = found.findLoop();
  if (!loop || !found.isUnchanged(loop) || !found.isByRow(loop))
    return std::nullopt;
  return found;
}

namespace {

/// Emits the blocks of one loop.
class ReaderBlocks {
public:
  ReaderBlocks(const AxisLoop &loop, BlockSizes sizes)
      : loop(loop), sizes(sizes), builder(loop.op) {}

  void emit(ArrayRef<ReadMatmul> matmuls) {
    pl::MatmulIntoOp first = matmuls.front().matmul;
    pl::CreateTensorOp made = matmuls.front().made;
    Value inner = pl::buildExtent(builder, first.getLoc(), first.getLhs(),
                                  first.getLhsInner());
    auto parallel = dyn_cast<pl::ParallelOp>(loop.op);
    bool isShared = parallel && !parallel->getParentOfType<pl::ParallelOp>();
    RowBlocks blocks =
        enterRowBlocks(builder, loop, {loop.upper, made.getSizes()[1], inner},
                       sizes, isShared);
    start = blocks.start;
    count = blocks.count;
    for (const ReadMatmul &read : matmuls)
      replace(read);
  }

private:
  void replace(const ReadMatmul &read) {
    pl::MatmulIntoOp whole = read.matmul;
    pl::CreateTensorOp made = read.made;
    ArrayRef<pl::Dim> dims = pl::getDims(made.getType());
    auto type =
        pl::TensorViewType::get(builder.getContext(), {pl::Dim::any(), dims[1]},
                                made.getType().getElementType());
    Value block = pl::CreateTensorOp::create(
        builder, made.getLoc(), type, ValueRange{count, made.getSizes()[1]});
    multiply(whole, block);
    for (pl::SliceOp window : read.windows)
      readFrom(block, window);
    for (Operation *user : llvm::make_early_inc_range(made->getUsers()))
      if (auto dim = dyn_cast<pl::DimOp>(user)) {
        dim.replaceAllUsesWith(made.getSizes()[dim.getAxis()]);
        dim.erase();
      }
    whole.erase();
    made.erase();
  }

  /// The block's rows of the matmul.
  void multiply(pl::MatmulIntoOp whole, Value target) {
    Location at = whole.getLoc();
    Value lhs = buildRows(builder, at, whole.getLhs(), whole.getTransposeLhs(),
                          start, count);
    SmallVector<Value> operands;
    for (Value operand : whole.getEpilogueOperands()) {
      ArrayRef<pl::Dim> dims = pl::getDims(operand.getType());
      bool hasRows = dims.size() == 2 && !dims.front().isExactly(1);
      operands.push_back(hasRows
                             ? buildRows(builder, at, operand,
                                         /*isTransposed=*/false, start, count)
                             : operand);
    }
    auto part = cast<pl::MatmulIntoOp>(builder.clone(*whole));
    part.getLhsMutable().assign(lhs);
    part.getTargetMutable().assign(target);
    part.getEpilogueOperandsMutable().assign(operands);
  }

  /// What is known of the window's extents stays true.
  void readFrom(Value block, pl::SliceOp window) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(window);
    Value row = arith::SubIOp::create(builder, window.getLoc(),
                                      window.getOffsets()[0], start);
    window.getSourceMutable().assign(block);
    window.getOffsetsMutable()[0].assign(row);
  }

  AxisLoop loop;
  BlockSizes sizes;
  OpBuilder builder;
  /// The first row of a block, and how many it has.
  Value start, count;
};

struct TileMatmulReadersPass
    : tegula::impl::TileMatmulReadersBase<TileMatmulReadersPass> {
  using TileMatmulReadersBase::TileMatmulReadersBase;

  void runOnOperation() override {
    llvm::MapVector<Operation *, SmallVector<ReadMatmul, 1>> matmulsOf;
    getOperation().walk([&](pl::MatmulIntoOp matmul) {
      AxisLoop loop;
      if (std::optional<ReadMatmul> read = ReadMatmul::find(matmul, loop))
        matmulsOf[loop.op].push_back(*read);
    });
    for (auto &[op, matmuls] : matmulsOf)
      ReaderBlocks(AxisLoop::of(op),
                   {accumulatorElements, accumulatorRows, largeRhsElements})
          .emit(matmuls);
  }
};

} // namespace
