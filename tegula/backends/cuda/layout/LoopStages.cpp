// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/LoopStages.h"

#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/RegisterWords.h"
#include "tegula/transforms/CoreRegions.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula;

/// True if the tile is wanted in shared memory only.
static bool isOnlyConverted(Value tile) {
  return llvm::all_of(tile.getUsers(), [](Operation *user) {
    return isa<cuda::ConvertLayoutOp>(user) ||
           (movesElements(user) && isOnlyConverted(user->getResult(0)));
  });
}

LoopStages::LoopStages(TileDistributor &distributor, scf::ForOp loop)
    : distributor(distributor), loop(loop) {
  findLoads();
}

/// Adds what the value is computed from in the loop; false if that depends on
/// what other iterations compute.
bool LoopStages::addAddress(Value value, llvm::SetVector<Operation *> &ops) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() ||
      touchesTiles(op) || !(isPure(op) || isa<pl::SliceOp, pl::ReadOp>(op)))
    return false;
  if (ops.contains(op))
    return true;
  for (Value operand : op->getOperands())
    if (!addAddress(operand, ops))
      return false;
  ops.insert(op);
  return true;
}

void LoopStages::findLoads() {
  int64_t all = 0;
  llvm::SetVector<Operation *> ops;
  for (auto load : loop.getBody()->getOps<pl::LoadOp>()) {
    if (!load->hasAttr(layoutAttrName) || !isOnlyConverted(load))
      continue;
    llvm::SetVector<Operation *> own = ops;
    Type element = pl::getElementOrSelf(load.getType());
    SharedTile shared(boundsOf(cast<pl::TileType>(load.getResult().getType())),
                      typeInShared(element).getIntOrFloatBitWidth() / 8);
    if (!addAddress(load.getSource(), own) ||
        !distributor.hasShared(all + 2 * shared.getBytes()))
      continue;
    ops = own;
    all += 2 * shared.getBytes();
    loads.push_back(load);
    bytes.push_back(shared.getBytes());
    distributor.staged.insert(
        {load, {shared, distributor.getMap(load, load.getResult()), {}}});
  }
  addresses.assign(ops.begin(), ops.end());
}

/// Prefetches what an iteration needs into its stage of the ring: 0 or 1.
void LoopStages::copy(Value iteration, Value phase) {
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  IRMapping own = distributor.scalars;
  own.map(loop.getInductionVar(), iteration);
  for (Operation *op : addresses)
    builder.clone(*op, own);
  for (auto [load, start, size] : llvm::zip(loads, starts, bytes)) {
    Value offset =
        arith::MulIOp::create(builder, loc, phase, distributor.word(size));
    Value to =
        LLVM::GEPOp::create(builder, loc, start.getType(), builder.getI8Type(),
                            start, ValueRange{offset});
    copyToShared(distributor,
                 unpackView(distributor, load.getSource().getType(),
                            own.lookupOrDefault(load.getSource())),
                 pl::getElementOrSelf(load.getType()),
                 distributor.staged.find(load)->second, to);
  }
  emitInstruction(builder, loc, "cp.async.commit_group;", "~{memory}", {});
}

void LoopStages::enter(SmallVectorImpl<Value> &inits) {
  if (loads.empty())
    return;
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  distributor.restartShared();
  for (int64_t size : bytes)
    starts.push_back(distributor.takeShared(2 * size));
  keptBefore = distributor.keepShared();
  // Other threads may still read what was in this shared memory before.
  distributor.wait();
  Value first = distributor.scalar(loop.getLowerBound());
  Value isThere =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, first,
                            distributor.scalar(loop.getUpperBound()));
  distributor.choose(
      isThere,
      [&] {
        copy(first, distributor.word(0));
        return SmallVector<Value>();
      },
      [] { return SmallVector<Value>(); });
  inits.push_back(distributor.word(0));
}

void LoopStages::beginIteration(scf::ForOp made) {
  if (loads.empty())
    return;
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  phase = made.getRegionIterArgs().back();
  emitInstruction(builder, loc, "cp.async.wait_group 0;", "~{memory}", {});
  distributor.wait();
  for (auto [load, start, size] : llvm::zip(loads, starts, bytes)) {
    Value offset =
        arith::MulIOp::create(builder, loc, phase, distributor.word(size));
    distributor.staged.find(load)->second.start =
        LLVM::GEPOp::create(builder, loc, start.getType(), builder.getI8Type(),
                            start, ValueRange{offset});
  }
  Value next = arith::AddIOp::create(builder, loc, made.getInductionVar(),
                                     made.getStep());
  phase = arith::XOrIOp::create(builder, loc, phase, distributor.word(1));
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        next, made.getUpperBound());
  distributor.choose(
      isThere,
      [&] {
        copy(next, phase);
        return SmallVector<Value>();
      },
      [] { return SmallVector<Value>(); });
}

void LoopStages::endIteration(SmallVectorImpl<Value> &yielded) {
  if (!loads.empty())
    yielded.push_back(phase);
}

void LoopStages::leave() {
  if (loads.empty())
    return;
  distributor.giveShared(keptBefore);
  for (pl::LoadOp load : loads)
    distributor.staged.erase(load);
}
