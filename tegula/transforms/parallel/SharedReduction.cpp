// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/parallel/SharedReduction.h"

#include "tegula/ir/ops/attributes/LoopAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;
using pl::Dim;

bool tegula::isSharedReduction(pl::ReduceOp reduce, const CutTiles &cut,
                               const ReductionBlocks &blocks) {
  Value source = reduce.getSource();
  ArrayRef<Dim> dims = pl::getDims(source.getType());
  Type element = pl::getElementOrSelf(source.getType());
  // Narrow floats are rounded once, at the end of all rows.
  bool isExact =
      !pl::isNarrowFloat(element) && element.getIntOrFloatBitWidth() >= 8;
  if (dims.size() != 2 || reduce.getAxis() != 0 || !isExact ||
      !isa<func::FuncOp>(reduce->getParentOp()) || !cut.contains(source))
    return false;
  bool mayBeMany =
      llvm::any_of(dims, [](Dim dim) { return !dim.hasBound(); }) ||
      pl::countElements(dims) > blocks.most;
  return mayBeMany && cut.isLonger(source, 0, 1);
}

namespace {

/// Emits one of them.
class SharedReduction {
public:
  SharedReduction(OpBuilder &builder, pl::ReduceOp reduce, Value zero,
                  TileEmitter &emitter, const ReductionBlocks &blocks)
      : builder(builder), loc(reduce.getLoc()), reduce(reduce), zero(zero),
        emitter(emitter), blocks(blocks),
        rows(pl::buildExtent(builder, loc, reduce.getSource(), 0)),
        columns(pl::buildExtent(builder, loc, reduce.getSource(), 1)) {}

  Value emit(const CutTiles &cut);

private:
  /// More threads than these are not worth their results.
  static constexpr int64_t mostBlocks = 64;

  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  Value divideUp(Value number, Value by) {
    return builder.createOrFold<arith::CeilDivSIOp>(loc, number, by);
  }
  /// How many rows a block has: whole steps.
  Value rowsOfBlock(int64_t step);
  LogicalResult emitBlock(Value block, Value length, Value parts,
                          Window window);

  OpBuilder &builder;
  Location loc;
  pl::ReduceOp reduce;
  Value zero;
  TileEmitter &emitter;
  const ReductionBlocks &blocks;
  Value rows, columns;
};

} // namespace

Value SharedReduction::rowsOfBlock(int64_t step) {
  Value all = builder.createOrFold<arith::MulIOp>(loc, rows, columns);
  Value count = divideUp(all, index(blocks.most));
  count = builder.createOrFold<arith::MaxSIOp>(loc, count, index(1));
  count = builder.createOrFold<arith::MinSIOp>(loc, count, index(mostBlocks));
  Value steps = divideUp(divideUp(rows, count), index(step));
  steps = builder.createOrFold<arith::MaxSIOp>(loc, steps, index(1));
  return builder.createOrFold<arith::MulIOp>(loc, steps, index(step));
}

LogicalResult SharedReduction::emitBlock(Value block, Value length, Value parts,
                                         Window window) {
  Value from = builder.createOrFold<arith::MulIOp>(loc, block, length);
  Value end = builder.createOrFold<arith::AddIOp>(loc, from, length);
  Value to = builder.createOrFold<arith::MinSIOp>(loc, end, rows);
  AxisWindow &across = window.back();
  Value size = columns;
  if (across.isPending) {
    size = index(across.bound);
    auto loop = scf::ForOp::create(builder, loc, zero, columns, size);
    builder.setInsertionPointToStart(loop.getBody());
    emitter.enterLoop();
    across = {loop.getInductionVar(), across.bound};
  }
  Value part = emitter.emitReduce(reduce, window, {from, to});
  if (!part)
    return failure();
  Value view =
      pl::SliceOp::create(builder, loc, parts, ValueRange{block, across.offset},
                          ValueRange{index(1), size});
  pl::StoreOp::create(builder, loc, part, view);
  return success();
}

Value SharedReduction::emit(const CutTiles &cut) {
  Value result = reduce.getResult();
  Dim dim = pl::getDims(result.getType()).back();
  bool isLong = cut.isLonger(result, 1, blocks.columns);
  Window window = {{zero, 1},
                   {zero, isLong ? blocks.columns : dim.getBound(), isLong}};
  if (failed(emitter.prepareSteps(reduce, window)))
    return {};
  Value length = rowsOfBlock(emitter.stepOf(reduce, window));
  Value count = builder.createOrFold<arith::MinSIOp>(
      loc, divideUp(rows, length), index(mostBlocks));
  auto type = pl::TensorViewType::get(builder.getContext(),
                                      {pl::dimOfExtent(count), dim},
                                      pl::getElementOrSelf(result.getType()));
  Value parts = pl::CreateTensorOp::create(builder, loc, type,
                                           ValueRange{count, columns});
  auto loop = pl::ParallelOp::create(builder, loc, zero, count, index(1));
  loop->setAttr(pl::madeAttrName, builder.getUnitAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&loop.getBody().front());
    emitter.enterLoop();
    if (failed(emitBlock(loop.getInductionVar(), length, parts, window)))
      return {};
  }
  Value all = pl::LoadOp::create(builder, loc, parts);
  Value made =
      pl::ReduceOp::create(builder, loc, reduce.getReduction(), all, 0);
  return made.getType() == result.getType()
             ? made
             : pl::RelaxOp::create(builder, loc, result.getType(), made);
}

Value tegula::emitSharedReduction(OpBuilder &builder, pl::ReduceOp reduce,
                                  Value zero, TileEmitter &emitter,
                                  const CutTiles &cut,
                                  const ReductionBlocks &blocks) {
  return SharedReduction(builder, reduce, zero, emitter, blocks).emit(cut);
}
