// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/LoopStages.h"

#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/RegisterWords.h"
#include "tegula/transforms/parallel/CoreRegions.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace tegula;

/// True if the tile is wanted in shared memory only.
static bool isOnlyConverted(Value tile) {
  return llvm::all_of(tile.getUsers(), [](Operation *user) {
    return isa<cuda::ConvertLayoutOp>(user) ||
           (movesElements(user) && isOnlyConverted(user->getResult(0)));
  });
}

/// True if all that the loop does with an accumulator is to add to it.
static bool isAccumulator(pl::MatmulOp matmul, scf::ForOp loop) {
  auto carried = dyn_cast_if_present<BlockArgument>(matmul.getAcc());
  if (!carried || !matmul.getResult().hasOneUse())
    return false;
  OpOperand &use = *matmul.getResult().use_begin();
  return use.getOwner() == loop.getBody()->getTerminator() &&
         loop.getRegionIterArg(use.getOperandNumber()) == carried &&
         llvm::all_of(carried.getUsers(), [&](Operation *user) {
           return user == matmul || isa<pl::DimOp>(user);
         });
}

/// True if wgmma reads an operand in the ring, where the loop copies it.
bool LoopStages::isReadInRing(Value operand) const {
  auto convert = operand.getDefiningOp<cuda::ConvertLayoutOp>();
  if (!convert || !isa<cuda::SharedOperandLayoutAttr>(convert.getLayout()))
    return false;
  Value source = convert.getSource();
  if (auto transpose = source.getDefiningOp<pl::TransposeOp>())
    source = transpose.getSource();
  auto load = source.getDefiningOp<pl::LoadOp>();
  return load && distributor.staged.contains(load);
}

/// Finds out whether wgmma may go on while the next iteration begins: all that
/// the loop does with tiles is to add to accumulators.
void LoopStages::findAccumulators() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto matmul = dyn_cast<pl::MatmulOp>(op);
    bool isOperand = isa<cuda::ConvertLayoutOp, pl::TransposeOp>(op) ||
                     distributor.staged.contains(&op) || isa<pl::DimOp>(op);
    bool isAdded = matmul && isReadInRing(matmul.getLhs()) &&
                   isReadInRing(matmul.getRhs()) &&
                   distributor.areInnerEqual(matmul) &&
                   isAccumulator(matmul, loop);
    if (isAdded)
      accumulators.push_back(matmul.getResult());
    else if (!isOperand && (op.getNumRegions() || touchesTiles(&op)))
      return accumulators.clear();
  }
}

LoopStages::LoopStages(TileDistributor &distributor, scf::ForOp loop)
    : distributor(distributor), loop(loop) {
  findLoads();
  findAccumulators();
  chooseCount();
}

/// Adds what the value is computed from in the loop; false if that depends on
/// what other iterations compute.
bool LoopStages::addAddress(Value value, llvm::SetVector<Operation *> &ops) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() ||
      op->hasAttr(orderedAttrName) || touchesTiles(op) ||
      !(isPure(op) || isa<pl::SliceOp, pl::ReadOp>(op)))
    return false;
  if (ops.contains(op))
    return true;
  for (Value operand : op->getOperands())
    if (!addAddress(operand, ops))
      return false;
  ops.insert(op);
  return true;
}

/// True if wgmma reads it where it is.
static bool isReadByWarpgroups(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    auto convert = dyn_cast<cuda::ConvertLayoutOp>(user);
    return convert
               ? isa<cuda::SharedOperandLayoutAttr>(convert.getLayout())
               : movesElements(user) && isReadByWarpgroups(user->getResult(0));
  });
}

void LoopStages::findLoads() {
  int64_t all = 0;
  llvm::SetVector<Operation *> ops;
  for (auto load : loop.getBody()->getOps<pl::LoadOp>()) {
    if (!load->hasAttr(layoutAttrName) || load->hasAttr(orderedAttrName) ||
        !isOnlyConverted(load))
      continue;
    llvm::SetVector<Operation *> own = ops;
    Type element = pl::getElementOrSelf(load.getType());
    SharedTile shared(boundsOf(cast<pl::TileType>(load.getResult().getType())),
                      typeInShared(element).getIntOrFloatBitWidth() / 8,
                      isReadByWarpgroups(load) ? SharedTile::Kind::Boxes
                                               : SharedTile::Kind::Rows);
    int64_t size = llvm::alignTo(shared.getBytes(), shared.getAlignment());
    if (!addAddress(load.getSource(), own) ||
        !distributor.hasShared(count * (all + size)))
      continue;
    ops = own;
    all += size;
    loads.push_back(load);
    bytes.push_back(size);
    distributor.staged.insert(
        {load, {shared, distributor.getMap(load, load.getResult()), {}}});
  }
  addresses.assign(ops.begin(), ops.end());
}

/// More stages hide the latency of memory, as long as enough shared memory is
/// left for other blocks of a multiprocessor. Small tiles, as those of few
/// rows, need more of them to keep memory busy.
void LoopStages::chooseCount() {
  constexpr int64_t smallStage = 8 << 10;
  int64_t all = std::accumulate(bytes.begin(), bytes.end(), int64_t(0));
  int64_t most = all <= smallStage ? 8 : 4;
  while (all && count < most && distributor.isShareOfBlock((count + 1) * all))
    ++count;
  // The wgmma of this iteration and of the one before have a stage each. Other
  // blocks hide the wait between them as well, and leave more stages.
  if (count < 3 || distributor.hasOtherBlocks())
    accumulators.clear();
  distance = accumulators.empty() ? count - 1 : count - 2;
  for (Value accumulator : accumulators)
    distributor.inFlight.insert(accumulator);
}

Value LoopStages::getStart(size_t load, Value stage) {
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  Value offset =
      arith::MulIOp::create(builder, loc, stage, distributor.word(bytes[load]));
  return LLVM::GEPOp::create(builder, loc, starts[load].getType(),
                             builder.getI8Type(), starts[load],
                             ValueRange{offset});
}

Value LoopStages::getNextStage(Value stage) {
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  Value next = arith::AddIOp::create(builder, loc, stage, distributor.word(1));
  Value isOver = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       next, distributor.word(count));
  return arith::SelectOp::create(builder, loc, isOver, distributor.word(0),
                                 next);
}

void LoopStages::copyAll(Value iteration, Value stage) {
  OpBuilder &builder = distributor.builder;
  IRMapping own = distributor.scalars;
  own.map(loop.getInductionVar(), iteration);
  for (Operation *op : addresses)
    builder.clone(*op, own);
  for (auto [number, load] : llvm::enumerate(loads))
    copyToShared(distributor,
                 unpackView(distributor, load.getSource().getType(),
                            own.lookupOrDefault(load.getSource())),
                 pl::getElementOrSelf(load.getType()),
                 distributor.staged.find(load)->second,
                 getStart(number, stage));
}

void LoopStages::copy(Value iteration, Value last, Value stage) {
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        iteration, last);
  distributor.choose(
      isThere,
      [&] {
        copyAll(iteration, stage);
        return SmallVector<Value>();
      },
      [] { return SmallVector<Value>(); });
  // Groups are counted, so that one without copies is one as well.
  emitInstruction(builder, loc, "cp.async.commit_group;", "~{memory}", {});
}

void LoopStages::enter(SmallVectorImpl<Value> &inits) {
  if (loads.empty())
    return;
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  distributor.restartShared();
  for (auto [load, size] : llvm::zip(loads, bytes))
    starts.push_back(distributor.takeShared(
        count * size,
        distributor.staged.find(load)->second.shared.getAlignment()));
  keptBefore = distributor.keepShared();
  // Other threads may still read what was in this shared memory before.
  distributor.wait();
  Value iteration = distributor.scalar(loop.getLowerBound());
  for (int64_t i = 0; i < distance; ++i) {
    copy(iteration, distributor.scalar(loop.getUpperBound()),
         distributor.word(i));
    iteration = arith::AddIOp::create(builder, loc, iteration,
                                      distributor.scalar(loop.getStep()));
  }
  inits.push_back(distributor.word(0));
  inits.push_back(distributor.word(distance));
}

void LoopStages::beginIteration(scf::ForOp made) {
  if (loads.empty())
    return;
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  current = made.getRegionIterArgs().drop_back().back();
  filled = made.getRegionIterArgs().back();
  emitInstruction(builder, loc,
                  "cp.async.wait_group " + std::to_string(distance - 1) + ";",
                  "~{memory}", {});
  bool areOfWarpgroups = llvm::any_of(loads, [](pl::LoadOp load) {
    return isReadByWarpgroups(load.getResult());
  });
  if (areOfWarpgroups)
    distributor.showToWarpgroups();
  distributor.wait();
  for (auto [number, load] : llvm::enumerate(loads))
    distributor.staged.find(load)->second.start = getStart(number, current);
  // wgmma begins first, and needs no thread meanwhile.
  distributor.prefetch = {[this, made]() mutable { prefetch(made); },
                          made.getBody()};
  if (!areOfWarpgroups)
    distributor.beginPrefetch();
}

void LoopStages::prefetch(scf::ForOp made) {
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  Value prefetched = arith::MulIOp::create(builder, loc, made.getStep(),
                                           distributor.number(distance));
  Value iteration =
      arith::AddIOp::create(builder, loc, made.getInductionVar(), prefetched);
  copy(iteration, made.getUpperBound(), filled);
}

void LoopStages::endIteration(SmallVectorImpl<Value> &yielded) {
  if (loads.empty())
    return;
  // Matmuls of the iteration before have ended then.
  if (!accumulators.empty())
    emitInstruction(distributor.builder, distributor.loc,
                    "wgmma.wait_group.sync.aligned " +
                        std::to_string(accumulators.size()) + ";",
                    "~{memory}", {});
  yielded.push_back(getNextStage(current));
  yielded.push_back(getNextStage(filled));
}

void LoopStages::leave() {
  if (loads.empty())
    return;
  for (Value accumulator : accumulators) {
    unsigned number = accumulator.use_begin()->getOperandNumber();
    distributor.awaitTile(loop.getResult(number));
    distributor.inFlight.erase(accumulator);
  }
  distributor.giveShared(keptBefore);
  for (pl::LoadOp load : loads)
    distributor.staged.erase(load);
}
