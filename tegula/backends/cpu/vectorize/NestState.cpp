// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/NestState.h"

#include "tegula/backends/cpu/vectorize/LoopRanges.h"

using namespace mlir;
using namespace tegula;

NestState::NestState(linalg::GenericOp op, unsigned vectorBits)
    : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
      numLoops(op.getNumLoops()), kinds(op.getIteratorTypesArray()),
      width(VectorWidth::of(op, vectorBits)), body(builder, op, width.lanes),
      combiner(Combiner::of(op)), indices(numLoops) {
  for (unsigned loop = 0; loop < numLoops; ++loop)
    extents.push_back(findExtent(builder, op, loop));
}

void NestState::takeAll() {
  ranges.clear();
  for (OpFoldResult extent : extents)
    ranges.push_back({math.constant(0), extent});
}

SmallVector<Value> NestState::indicesOf(OpOperand &operand) {
  return llvm::map_to_vector(
      op.getMatchingIndexingMap(&operand).getResults(), [&](AffineExpr expr) {
        return indices[cast<AffineDimExpr>(expr).getPosition()];
      });
}

scf::ForOp NestState::loop(OpFoldResult from, OpFoldResult to,
                           OpFoldResult step, unsigned position,
                           ValueRange carried, LoopBody emit) {
  auto nest = scf::ForOp::create(builder, loc, math.value(from), math.value(to),
                                 math.value(step), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(nest.getBody());
  indices[position] = nest.getInductionVar();
  SmallVector<Value> next = emit(nest.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, next);
  return nest;
}

void NestState::loop(OpFoldResult from, OpFoldResult to, int64_t step,
                     unsigned position, function_ref<void()> emit) {
  loop(from, to, step, position, {}, [&](ValueRange) {
    emit();
    return SmallVector<Value>();
  });
}

void NestState::inHalves(function_ref<void()> emit) {
  width.lanes /= 2;
  body.setLanes(width.lanes);
  emit();
  width.lanes *= 2;
  body.setLanes(width.lanes);
}
