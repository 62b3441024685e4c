// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that carry tiles: their registers are carried.

#include "tegula/backends/cuda/layout/LoopStages.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula;

ElementMap TileDistributor::getMap(scf::ForOp loop, size_t position) {
  auto layouts = loop->getAttrOfType<ArrayAttr>(layoutsAttrName);
  return makeElementMap(
      layouts[position],
      boundsOf(cast<pl::TileType>(loop.getResult(position).getType())));
}

SmallVector<Value> TileDistributor::flattenAll(scf::ForOp loop,
                                               ValueRange values) {
  SmallVector<Value> flat;
  for (auto [position, value] : llvm::enumerate(values))
    if (isa<pl::TileType>(value.getType()))
      flatten(value, loop.getResult(position), getMap(loop, position), flat);
    else
      flat.push_back(scalar(value));
  return flat;
}

void TileDistributor::unflattenAll(scf::ForOp loop, ValueRange values,
                                   ValueRange flat) {
  for (auto [position, value] : llvm::enumerate(values))
    if (isa<pl::TileType>(value.getType())) {
      unflatten(value, getMap(loop, position), flat);
    } else {
      scalars.map(value, flat.front());
      flat = flat.drop_front();
    }
}

ValueRange TileDistributor::emitLoop(scf::ForOp op, LoopStages &stages,
                                     ValueRange inits) {
  auto made = scf::ForOp::create(builder, loc, scalar(op.getLowerBound()),
                                 scalar(op.getUpperBound()),
                                 scalar(op.getStep()), inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  scalars.map(op.getInductionVar(), made.getInductionVar());
  unflattenAll(op, op.getRegionIterArgs(), made.getRegionIterArgs());
  stages.beginIteration(made);
  emitBlock(*op.getBody());
  beginPrefetch();
  SmallVector<Value> yielded = flattenAll(op, op.getYieldedValues());
  stages.endIteration(yielded);
  if (!yielded.empty())
    scf::YieldOp::create(builder, loc, yielded);
  return made.getResults();
}

void TileDistributor::emitFor(scf::ForOp op) {
  beginPrefetch();
  llvm::SaveAndRestore around(prefetch, Prefetch());
  LoopStages stages(*this, op);
  SmallVector<Value> given = flattenAll(op, op.getInitArgs()), inits = given;
  stages.enter(inits);
  if (!stages.hasAccumulators()) {
    unflattenAll(op, op.getResults(), emitLoop(op, stages, inits));
    return stages.leave();
  }
  // Registers of wgmma may be no others where it is waited for: a loop
  // without iterations gives others.
  Value runs = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     scalar(op.getLowerBound()),
                                     scalar(op.getUpperBound()));
  SmallVector<Value> results = choose(
      runs,
      [&] {
        unflattenAll(op, op.getResults(), emitLoop(op, stages, inits));
        stages.leave();
        return flattenAll(op, op.getResults());
      },
      [&] { return given; });
  unflattenAll(op, op.getResults(), results);
}
