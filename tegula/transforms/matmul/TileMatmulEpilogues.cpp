// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls with an epilogue -> blocks of rows, and tiles of these.

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlMatmulOps.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/matmul/AccumulatorBlocks.h"
#include "tegula/transforms/matmul/EpilogueTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_TILEMATMULEPILOGUES
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The matmul that makes a tensor which nothing but the epilogue of `reader`
/// reads, if the same blocks of rows can compute it.
static pl::MatmulIntoOp findProducer(pl::MatmulIntoOp reader, Value operand) {
  auto made = operand.getDefiningOp<pl::CreateTensorOp>();
  if (!made || pl::getDims(made.getType()).size() != 2 ||
      pl::getDims(made.getType())[0].isExactly(1))
    return {};
  pl::MatmulIntoOp producer;
  for (OpOperand &use : made.getResult().getUses()) {
    constexpr unsigned firstEpilogueOperand = 3;
    if (use.getOwner() == reader &&
        use.getOperandNumber() >= firstEpilogueOperand)
      continue;
    auto matmul = dyn_cast<pl::MatmulIntoOp>(use.getOwner());
    if (!matmul || producer || matmul.getTarget() != operand)
      return {};
    producer = matmul;
  }
  if (!producer || producer.hasEpilogue() ||
      producer->getBlock() != reader->getBlock() ||
      !producer->isBeforeInBlock(reader))
    return {};
  // It is computed later, and while the reader writes.
  for (Value read : {producer.getLhs(), producer.getRhs()})
    if (mayBeWrittenBetween(producer, reader, rootOfView(read)) ||
        mayShareMemory(read, reader.getTarget()))
      return {};
  return producer;
}

/// True if an iteration of the loop has nothing but this op to do, or such ops
/// and loops that threads may share as well.
static bool isOfSharedSteps(pl::ParallelOp loop) {
  Region &body = loop.getBody();
  bool isAlone = llvm::hasSingleElement(body.getOps<pl::MatmulIntoOp>());
  return llvm::all_of(body.getOps(),
                      [](Operation &op) {
                        return op.getNumRegions() == 0 ||
                               isa<pl::MatmulIntoOp, pl::ParallelOp>(op);
                      }) &&
         (isAlone || !body.getOps<pl::ParallelOp>().empty());
}

namespace {

/// How a matmul is divided.
struct EpilogueTiling {
  BlockSizes block;
  int64_t rows, columns;
};

/// Emits the blocks of one matmul.
class EpilogueBlocks {
public:
  EpilogueBlocks(pl::MatmulIntoOp matmul, EpilogueTiling tiling)
      : matmul(matmul), tiling(tiling), builder(matmul), loc(matmul.getLoc()),
        operands(matmul.getEpilogueOperands()) {
    auto around = matmul->getParentOfType<pl::ParallelOp>();
    isShared = !around || (isOfSharedSteps(around) &&
                           !around->getParentOfType<pl::ParallelOp>());
  }

  void emit() {
    OpBuilder::InsertionGuard guard(builder);
    zero = number(0);
    Value target = matmul.getTarget();
    Value rows = pl::buildExtent(builder, loc, target, 0);
    Value columns = pl::buildExtent(builder, loc, target, 1);
    Value step = number(tiling.rows);
    Value inner =
        pl::buildExtent(builder, loc, matmul.getLhs(), matmul.getLhsInner());
    // All accumulators have memory there.
    BlockSizes sizes = tiling.block;
    if (ownsTarget())
      sizes.largeRhs = largeRhsElements;
    Value block = buildBlockRows(builder, loc, sizes, {rows, columns, inner},
                                 step, isShared);
    start = openLoop(rows, block);
    Value end = arith::AddIOp::create(builder, loc, start, block);
    end = arith::MinSIOp::create(builder, loc, end, rows);
    count = arith::SubIOp::create(builder, loc, end, start);
    Value accumulators;
    if (ownsTarget())
      multiplyInto(matmul, buildRows(builder, loc, target,
                                     /*isTransposed=*/false, start, count));
    else
      accumulators = multiply(matmul, columns, matmul.getAccumulatorType());
    computeProducers();
    row = openLoop(count, step);
    column = openLoop(columns, number(tiling.columns));
    openCore();
    emitTile(accumulators);
    matmul.erase();
    for (pl::MatmulIntoOp producer : producers) {
      Value made = producer.getTarget();
      producer.erase();
      made.getDefiningOp()->erase();
    }
  }

private:
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// From 0 on; what follows goes into it.
  Value openLoop(Value end, Value step) {
    if (!isShared) {
      auto loop = scf::ForOp::create(builder, loc, zero, end, step);
      builder.setInsertionPointToStart(loop.getBody());
      return loop.getInductionVar();
    }
    // Each iteration stores what no other one reads or stores.
    auto loop = pl::ParallelOp::create(builder, loc, zero, end, step);
    loop.setIndependent(true);
    builder.setInsertionPointToStart(&loop.getBody().front());
    return loop.getInductionVar();
  }

  void openCore() {
    if (matmul->getParentOfType<pl::AtOp>())
      return;
    auto core = pl::AtOp::create(builder, loc, TypeRange(),
                                 pl::Level::CoreGroup, nullptr);
    Block *body = builder.createBlock(&core.getBody());
    pl::YieldOp::create(builder, loc);
    builder.setInsertionPointToStart(body);
  }

  /// Whether accumulators may be where the elements will be that are computed
  /// from them.
  bool ownsTarget() {
    Value target = matmul.getTarget();
    return target.getDefiningOp<pl::CreateTensorOp>() &&
           pl::getElementOrSelf(target.getType()) ==
               matmul.getAccumulatorType() &&
           !llvm::is_contained(matmul.getEpilogueOperands(), target);
  }

  /// The block's rows of a matmul, in memory of their own.
  Value multiply(pl::MatmulIntoOp whole, Value columns, Type element) {
    auto type = pl::TensorViewType::get(
        builder.getContext(),
        {pl::Dim::any(), pl::getDims(whole.getTarget().getType())[1]}, element);
    Value made = pl::CreateTensorOp::create(builder, loc, type,
                                            ValueRange{count, columns});
    multiplyInto(whole, made);
    return made;
  }

  void multiplyInto(pl::MatmulIntoOp whole, Value target) {
    Value lhs = buildRows(builder, loc, whole.getLhs(), whole.getTransposeLhs(),
                          start, count);
    pl::MatmulIntoOp::create(builder, whole.getLoc(), lhs, whole.getRhs(),
                             target, whole.getTransposeLhs(),
                             whole.getTransposeRhs(), whole.getPrecisionAttr());
  }

  void computeProducers() {
    for (Value &operand : operands)
      if (pl::MatmulIntoOp producer = findProducer(matmul, operand)) {
        Value whole = producer.getTarget();
        auto made = whole.getDefiningOp<pl::CreateTensorOp>();
        Value rows = multiply(producer, made.getSizes()[1],
                              made.getType().getElementType());
        std::replace(operands.begin(), operands.end(), whole, rows);
        ofBlock.insert(rows);
        producers.push_back(producer);
      }
  }

  /// The tile's window of a tensor that has the rows of the block, or of all.
  Value window(Value tensor, bool isOfBlock) {
    ArrayRef<pl::Dim> dims = pl::getDims(tensor.getType());
    Value down =
        isOfBlock ? row
                  : arith::AddIOp::create(builder, loc, start, row).getResult();
    Value starts[] = {down, column};
    int64_t lengths[] = {tiling.rows, tiling.columns};
    SmallVector<Value> offsets, sizes;
    for (auto [axis, dim] : llvm::enumerate(dims)) {
      unsigned along = axis + 2 - dims.size();
      bool isRepeated = dim.isExactly(1);
      offsets.push_back(isRepeated ? zero : starts[along]);
      sizes.push_back(number(isRepeated ? 1 : lengths[along]));
    }
    return pl::SliceOp::create(builder, loc, tensor, offsets, sizes);
  }

  /// Accumulators are in the target if they have no memory of their own.
  void emitTile(Value accumulators) {
    auto load = [&](Value view) -> Value {
      return pl::LoadOp::create(builder, loc, view);
    };
    Value own = accumulators ? window(accumulators, /*isOfBlock=*/true)
                             : window(matmul.getTarget(), /*isOfBlock=*/false);
    SmallVector<Value> tiles = {load(own)};
    for (Value operand : operands)
      tiles.push_back(load(window(operand, ofBlock.contains(operand))));
    Value stored = emitEpilogueTile(builder, matmul, tiles);
    pl::StoreOp::create(
        builder, loc, stored,
        accumulators ? window(matmul.getTarget(), /*isOfBlock=*/false) : own);
  }

  pl::MatmulIntoOp matmul;
  EpilogueTiling tiling;
  OpBuilder builder;
  Location loc;
  bool isShared;
  SmallVector<Value> operands;
  SmallVector<pl::MatmulIntoOp> producers;
  llvm::SmallDenseSet<Value> ofBlock;
  Value zero;
  /// The first row of a block, and how many it has.
  Value start, count;
  /// Where a tile starts in the block.
  Value row, column;
};

struct TileMatmulEpiloguesPass
    : tegula::impl::TileMatmulEpiloguesBase<TileMatmulEpiloguesPass> {
  using TileMatmulEpiloguesBase::TileMatmulEpiloguesBase;

  void runOnOperation() override {
    SmallVector<pl::MatmulIntoOp> matmuls;
    getOperation().walk([&](pl::MatmulIntoOp matmul) {
      if (matmul.hasEpilogue())
        matmuls.push_back(matmul);
    });
    for (pl::MatmulIntoOp matmul : matmuls)
      EpilogueBlocks(
          matmul,
          {{accumulatorElements, accumulatorRows}, tileRows, tileColumns})
          .emit();
  }
};

} // namespace
