// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/Placement.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/transforms/plan/BufferSize.h"
#include "tegula/transforms/plan/ReplaceCarried.h"
#include "tegula/transforms/plan/TileSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;

Placement::Placement(func::FuncOp function, Fusion &fusion,
                     const MachineModel &machine)
    : fusion(fusion), machine(machine), function(function) {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { assignOp(op); });
  if (machine.copies > 1)
    copyWhatIsMoved();
}

void Placement::copyWhatIsMoved() {
  auto copy = [&](std::optional<BufferId> id) {
    if (!id || buffers[*id].home->getParentOp() == function)
      return;
    auto loop = dyn_cast<scf::ForOp>(buffers[*id].home->getParentOp());
    auto stages =
        loop ? loop->getAttrOfType<IntegerAttr>(pl::stagesAttrName) : nullptr;
    buffers[*id].copies =
        stages ? std::max<int64_t>(1, stages.getInt()) : machine.copies;
  };
  function->walk([&](Operation *op) {
    if (auto load = dyn_cast<pl::LoadOp>(op))
      copy(getBuffer(load.getResult()));
    // What is handed over goes through memory.
    if (auto move = dyn_cast<pl::RelaxOp>(op);
        move && machine.hasSeparateCores && pl::getSpaceAttr(move))
      copy(getBuffer(move.getResult()));
    if (auto store = dyn_cast<pl::StoreOp>(op)) {
      std::optional<BufferId> own = getBuffer(store.getTileMutable());
      copy(own ? own : getBuffer(getOwner(store.getTile())));
    }
  });
}

void Placement::dropCopies() {
  for (TileBuffer &buffer : buffers)
    buffer.copies = 1;
}

Operation *Placement::getFrame(Block *block) const {
  Operation *op = block->getParentOp();
  while (op != function && !isFrame(op))
    op = op->getParentOp();
  return op;
}

bool Placement::hasMemory(Value tile) const {
  Operation *op = tile.getDefiningOp();
  while (op && isNameOfElements(op) && !isa<pl::WindowOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return !op || isa<pl::LoadOp, pl::WindowOp>(op) || !fusion.isVirtual(op);
}

Value Placement::getOwner(Value tile) const {
  while (Operation *op = tile.getDefiningOp()) {
    if (!isNameOfElements(op) || !hasMemory(op->getOperand(0)))
      break;
    tile = op->getOperand(0);
  }
  return tile;
}

std::optional<BufferId> Placement::getBuffer(Value tile) const {
  auto found = tiles.find(tile);
  return found == tiles.end() ? std::nullopt : std::optional(found->second);
}

std::optional<BufferId> Placement::getBuffer(OpOperand &operand) const {
  auto found = operands.find(&operand);
  return found == operands.end() ? std::nullopt : std::optional(found->second);
}

BufferId Placement::addBuffer(pl::MemorySpace space, Type element,
                              int64_t bytes, Block *home) {
  buffers.push_back({space, memoryType(element), bytes, home});
  return buffers.size() - 1;
}

/// The type a tile's elements have in a buffer of its own.
static Type elementInBuffer(Value tile) {
  Type element = cast<pl::TileType>(tile.getType()).getElementType();
  return tile.getDefiningOp<pl::ReduceOp>() ? combinedType(element)
                                            : memoryType(element);
}

BufferId Placement::addCopy(Value tile, Block *home) {
  auto type = cast<pl::TileType>(tile.getType());
  return addBuffer(machine.getMemoryFor(TileRole::Value).space,
                   type.getElementType(),
                   bufferBytes(type.getElementType(), boundsOf(type)), home);
}

BufferId Placement::addOwnBuffer(Value tile, Block *home) {
  auto type = cast<pl::TileType>(tile.getType());
  Type element = elementInBuffer(tile);
  int64_t bytes = bufferBytes(element, boundsOf(type));
  Operation *op = tile.getDefiningOp();
  // A window of what has no memory is computed whole; a tile in another shape
  // is computed in the first one.
  if (isa_and_nonnull<pl::WindowOp, pl::ReshapeOp>(op))
    bytes = bufferBytes(
        element, boundsOf(cast<pl::TileType>(op->getOperand(0).getType())));
  if (auto reshapeElements = dyn_cast_or_null<pl::ReshapeElementsOp>(op))
    bytes = std::max(
        bytes,
        bufferBytes(element, boundsOf(reshapeElements.getSource().getType())));
  return addBuffer(getSpace(tile, machine), element, bytes, home);
}

void Placement::assignOp(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { assignFor(loop); })
      .Case([&](scf::WhileOp loop) { assignWhile(loop); })
      .Case([&](scf::IfOp branch) { assignIf(branch); })
      .Case([&](pl::ParallelOp loop) {
        if (machine.runsIterationsAtOnce && loop.getIndependent() &&
            getFrame(loop->getBlock()) == function)
          frames.insert(loop);
      })
      .Case([&](pl::StoreOp store) { assignStore(store); })
      .Case([&](pl::ReadOp read) {
        if (isa<pl::TileType>(read.getSource().getType()) &&
            !hasMemory(read.getSource()))
          operands[&read.getSourceMutable()] =
              addCopy(read.getSource(), read->getBlock());
      })
      .Case([&](pl::MatmulOp matmul) {
        assignOperands(matmul);
        assignResult(matmul);
      })
      .Default([&](Operation *other) { assignResult(other); });
}

void Placement::assignResult(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<pl::TileType>(op->getResult(0).getType()))
    return;
  Value result = op->getResult(0);
  if (getOwner(result) != result || tiles.contains(result))
    return;
  auto load = dyn_cast<pl::LoadOp>(op);
  bool isInPlace =
      load && machine.computesOnTensors && fusion.canReadInPlace(load);
  if (isInPlace || !hasMemory(result))
    return;
  std::optional<BufferId> dying = findDying(op);
  tiles[result] = dying ? *dying : addOwnBuffer(result, op->getBlock());
}

bool Placement::fitsInto(Value tile, BufferId buffer) const {
  return buffers[buffer].space == getSpace(tile, machine) &&
         buffers[buffer].element == elementInBuffer(tile);
}

bool Placement::isLastRead(Value tile, Operation *op) {
  return llvm::all_of(fusion.getReaders(tile), [&](Operation *reader) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*reader);
    return reader == op || (ancestor != op && ancestor->isBeforeInBlock(op));
  });
}

bool Placement::canInsertInto(pl::InsertOp insert) {
  Value target = insert.getTarget();
  return isLastRead(target, insert) && !fusion.readsElsewhere(insert, target);
}

std::optional<BufferId> Placement::findDying(Operation *op) {
  if (auto insert = dyn_cast<pl::InsertOp>(op)) {
    std::optional<BufferId> id = getBuffer(insert.getTarget());
    bool isSame = id && buffers[*id].home == op->getBlock() &&
                  insert.getTarget().getParentBlock() == op->getBlock() &&
                  fitsInto(insert.getResult(), *id);
    return isSame && canInsertInto(insert) ? id : std::nullopt;
  }
  if (!isa<pl::ElementwiseOpInterface>(op))
    return std::nullopt;
  Value result = op->getResult(0);
  auto shape = boundsOf(cast<pl::TileType>(result.getType()));
  llvm::SmallSetVector<Value, 4> inPlace, moved;
  for (Value operand : op->getOperands())
    if (isa<pl::TileType>(operand.getType()))
      fusion.anyLeaf(operand, [&](Value leaf, bool isMoved) {
        (isMoved ? moved : inPlace).insert(leaf);
        return false;
      });
  for (Value tile : inPlace) {
    std::optional<BufferId> id = getBuffer(tile);
    if (!id || moved.contains(tile) || tile.getParentBlock() != op->getBlock())
      continue;
    if (buffers[*id].home == op->getBlock() && isLastRead(tile, op) &&
        fitsInto(result, *id) &&
        boundsOf(cast<pl::TileType>(tile.getType())) == shape)
      return id;
  }
  return std::nullopt;
}

/// True if what a loop around carries from iteration to iteration is what comes
/// out of this one, so that nothing else is computed where it is carried.
static bool isHandedOn(Value init, Value result) {
  auto argument = dyn_cast<BlockArgument>(init);
  if (!argument)
    return true;
  auto outer = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return outer && outer.getTiedLoopYieldedValue(argument)->get() == result;
}

/// A loop that is the last to read what it starts from carries it there.
std::optional<BufferId> Placement::findDying(Value init, Value result) {
  Operation *loop = result.getDefiningOp();
  std::optional<BufferId> id = getBuffer(init);
  bool isSame = id && init.getParentBlock() == loop->getBlock() &&
                init.getType() == result.getType() && fitsInto(result, *id) &&
                isLastRead(init, loop) && isHandedOn(init, result);
  // Nothing else that the loop starts from may be computed from it.
  unsigned numReads = llvm::count_if(loop->getOperands(), [&](Value operand) {
    return isa<pl::TileType>(operand.getType()) &&
           fusion.anyLeaf(operand,
                          [&](Value leaf, bool) { return leaf == init; });
  });
  return isSame && numReads == 1 ? id : std::nullopt;
}

/// What is inserted into a tile that is made for nothing else is in its place,
/// up to what the loop carries.
void Placement::assignInserted(Value argument, Value next, BufferId buffer) {
  while (auto insert = next.getDefiningOp<pl::InsertOp>()) {
    Value target = insert.getTarget();
    if (tiles.contains(target) ||
        !canReplaceCarried(fusion, argument, target) ||
        !canInsertInto(insert) || !fitsInto(target, buffer))
      return;
    tiles[target] = buffer;
    next = target;
  }
}

void Placement::assignCarried(ValueRange inits, ValueRange arguments,
                              MutableArrayRef<OpOperand> next,
                              ValueRange results, Operation *loop) {
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    if (!isa<pl::TileType>(argument.getType()))
      continue;
    std::optional<BufferId> dying;
    if (!inits.empty())
      dying = findDying(inits[position], results[position]);
    BufferId buffer = dying ? *dying : addCopy(argument, loop->getBlock());
    tiles[argument] = buffer;
    if (!results.empty())
      tiles[results[position]] = buffer;
    Value value = next[position].get();
    if (tiles.contains(value) ||
        elementInBuffer(value) != buffers[buffer].element ||
        !canReplaceCarried(fusion, argument, value))
      continue;
    // Where it started from, tiles lie in that memory already.
    if (dying && getSpace(value, machine) != buffers[buffer].space)
      continue;
    tiles[value] = buffer;
    buffers[buffer].space = getSpace(value, machine);
    assignInserted(argument, value, buffer);
  }
  // Where another carried tile is read, it must still have its old elements
  // when all next ones are computed.
  for (auto [argument, operand] : llvm::zip(arguments, next))
    if (isa<pl::TileType>(argument.getType()) &&
        getBuffer(operand.get()) != getBuffer(argument) &&
        readsCarried(fusion, operand.get(), arguments, argument))
      operands[&operand] =
          addCopy(operand.get(), operand.getOwner()->getBlock());
}

void Placement::assignFor(scf::ForOp loop) {
  assignCarried(loop.getInitArgs(), loop.getRegionIterArgs(),
                *loop.getYieldedValuesMutable(), loop.getResults(), loop);
}

/// Nothing passed to one region can be read in the other, so the two sets of
/// buffers never overlap in time.
void Placement::assignWhile(scf::WhileOp loop) {
  assignCarried({}, loop.getBeforeArguments(),
                loop.getYieldOp().getResultsMutable(), {}, loop);
  assignCarried({}, loop.getAfterArguments(),
                loop.getConditionOp().getArgsMutable(), loop.getResults(),
                loop);
}

/// What a branch hands out is computed where the result will be.
void Placement::assignIf(scf::IfOp branch) {
  for (OpResult result : branch.getResults()) {
    if (!isa<pl::TileType>(result.getType()))
      continue;
    BufferId buffer = tiles.contains(result)
                          ? tiles[result]
                          : addCopy(result, branch->getBlock());
    tiles[result] = buffer;
    for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
      Value value =
          block->getTerminator()->getOperand(result.getResultNumber());
      Operation *op = value.getDefiningOp();
      if (op && op->getBlock() == block && !fusion.isVirtual(op) &&
          isa<pl::MatmulOp, pl::ReduceOp, pl::ElementwiseOpInterface,
              scf::IfOp>(op) &&
          elementInBuffer(value) == buffers[buffer].element &&
          getSpace(value, machine) == buffers[buffer].space)
        tiles.try_emplace(value, buffer);
    }
  }
}

/// True if computing `tile` straight into `target` could overwrite what a
/// later element still has to read.
bool Placement::readsWhatIsWritten(Value tile, Value target) {
  return fusion.anyLeaf(tile, [&](Value leaf, bool isMoved) {
    auto load = leaf.getDefiningOp<pl::LoadOp>();
    if (!load || tiles.contains(leaf) ||
        !mayShareMemory(load.getSource(), target))
      return false;
    return isMoved || load.getSource() != target;
  });
}

void Placement::assignStore(pl::StoreOp store) {
  bool isHalves =
      isHalfByteInTensors(store.getTarget().getType().getElementType());
  bool isInReach =
      (machine.computesOnTensors && !isHalves) || hasMemory(store.getTile());
  if (!isInReach || readsWhatIsWritten(store.getTile(), store.getTarget()))
    operands[&store.getTileMutable()] =
        addCopy(store.getTile(), store->getBlock());
}

void Placement::assignOperands(pl::MatmulOp matmul) {
  Type sum = memoryType(matmul.getResult().getType().getElementType());
  for (OpOperand *operand :
       {&matmul.getLhsMutable(), &matmul.getRhsMutable()}) {
    Value tile = operand->get();
    auto type = cast<pl::TileType>(tile.getType());
    Type own = memoryType(type.getElementType());
    Type wanted = machine.widensOperands ? sum : own;
    bool isRight = operand == &matmul.getRhsMutable();
    TileRole role = isRight ? TileRole::Rhs : TileRole::Lhs;
    pl::MemorySpace space = machine.getMemoryFor(role).space;
    std::optional<BufferId> buffer = getBuffer(getOwner(tile));
    // Where operands have no memory of their own they are read in any.
    bool isThere = space == machine.getMemoryFor(TileRole::Value).space ||
                   (buffer && buffers[*buffer].space == space);
    bool isAsWanted =
        own == wanted && (!buffer || buffers[*buffer].element == wanted);
    if (isThere && isAsWanted && hasMemory(tile))
      continue;
    operands[operand] = addBuffer(
        space, wanted, bufferBytes(wanted, boundsOf(type)), matmul->getBlock());
  }
}
