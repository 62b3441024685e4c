// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that the threads of a block run together on tiles in memory, and when
// threads wait for what others have read or written.

#include "tegula/backends/cuda/layout/TileDistributor.h"
#include "tegula/ir/MemoryAccess.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

void TileDistributor::waitForMemory() {
  Block::iterator at = builder.getInsertionPoint();
  Block *block = builder.getInsertionBlock();
  while (at != block->begin() && isPure(&*std::prev(at)))
    --at;
  if (at == block->begin() || !isa<cuda::BarrierOp>(*std::prev(at)))
    wait();
}

/// What is between the marks is distributed with the tiles of other loops.
void TileDistributor::emitRegion(cuda::BlockRegionOp op) {
  waitForMemory();
  cuda::BeginBlockRegionOp::create(builder, loc);
  Block &body = op.getBody().front();
  for (Operation &inner : body.without_terminator())
    builder.clone(inner, scalars);
  cuda::EndBlockRegionOp::create(builder, loc);
  for (auto [result, value] :
       llvm::zip(op.getResults(), body.getTerminator()->getOperands()))
    scalars.map(result, scalar(value));
}

/// The first op of an iteration waits for nobody: all have ended the last one.
bool TileDistributor::isWrittenBefore(Operation *read) {
  Value root = rootOfView(read->getOperand(0));
  Operation *first = &loop.getBody().front().front();
  return first != read &&
         (mayWrite(first, root) || mayBeWrittenBetween(first, read, root));
}

/// True if each element has one thread that holds it.
bool TileDistributor::isInOneThread(const ElementMap &map) const {
  auto steps = [](const Coordinate &step) {
    return llvm::any_of(step, [](int64_t part) { return part != 0; });
  };
  int64_t threads = int64_t(1) << (map.lanes.size() + map.warps.size());
  return threads == getNumThreads() && llvm::all_of(map.lanes, steps) &&
         llvm::all_of(map.warps, steps);
}

/// True if each thread has loaded the elements that it now stores.
bool TileDistributor::hasLoadedOwn(Operation *read, pl::StoreOp store) {
  auto load = dyn_cast<pl::LoadOp>(read);
  if (!load || load.getSource() != store.getTarget())
    return false;
  ElementMap own = getMap(load, load.getResult());
  return own == getMap(store, store.getTile()) && isInOneThread(own);
}

/// True if another thread may have read or written there in this iteration.
bool TileDistributor::isTouchedBefore(pl::StoreOp store) {
  Operation *around = store->getParentOp();
  while (around != loop && (isa<scf::IfOp>(around) ||
                            (isa<pl::ParallelOp>(around) &&
                             cast<pl::ParallelOp>(around).getIndependent())))
    around = around->getParentOp();
  bool isRepeated = around != loop;
  loop->walk([&](Operation *other) {
    Value touched;
    if (auto write = dyn_cast<pl::StoreOp>(other))
      touched = write.getTarget();
    else if (other->hasAttr(orderedAttrName) && !hasLoadedOwn(other, store))
      touched = other->getOperand(0);
    isRepeated |=
        touched && other != store && mayShareMemory(touched, store.getTarget());
  });
  return isRepeated;
}
