// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/Fusion.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

bool tegula::isUnitReshape(pl::ReshapeOp reshape) {
  auto withoutUnits = [](pl::TileType type) {
    pl::Dims kept;
    llvm::copy_if(type.getDims(), std::back_inserter(kept),
                  [](pl::Dim dim) { return !dim.isExactly(1); });
    return kept;
  };
  return withoutUnits(reshape.getSource().getType()) ==
         withoutUnits(reshape.getResult().getType());
}

/// True for ops that only say where an element comes from.
static bool isIndexing(Operation *op) {
  if (auto reshape = dyn_cast<pl::ReshapeOp>(op))
    return isUnitReshape(reshape);
  return isa<pl::LoadOp, pl::FullOp, pl::ArangeOp, pl::BroadcastOp, pl::RelaxOp,
             pl::TransposeOp, pl::WindowOp>(op);
}

/// Casts that cost about as much as the load before them.
static bool isCheapCast(Operation *op) {
  auto cast = dyn_cast<pl::CastOp>(op);
  if (!cast)
    return false;
  Type from = pl::getElementOrSelf(cast.getOperand().getType());
  Type to = pl::getElementOrSelf(cast.getResult().getType());
  return pl::isFloat(from) == pl::isFloat(to) && !pl::isBool(to) &&
         (cast.getRounding() == pl::Rounding::None ||
          cast.getRounding() == pl::Rounding::Rint);
}

bool Fusion::isVirtual(Operation *op) {
  auto known = isVirtualMemo.find(op);
  if (known != isVirtualMemo.end())
    return known->second;
  // What is asked for in a memory is computed there.
  bool result = op->getNumResults() == 1 && !pl::getSpaceAttr(op) &&
                isa<pl::TileType>(op->getResult(0).getType()) &&
                (isIndexing(op) || isCheapCast(op) || isVirtualCompute(op));
  isVirtualMemo[op] = result;
  return result;
}

/// True if the value reaches a reader through a broadcast, that is, would be
/// computed once for every repetition.
static bool isRepeated(Value tile) {
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    if (isa<pl::BroadcastOp>(user))
      return true;
    return isIndexing(user) && isRepeated(user->getResult(0));
  });
}

static bool isInLoopBelow(Operation *reader, Block *block) {
  for (Operation *parent = reader; parent && parent->getBlock() != block;) {
    parent = parent->getParentOp();
    if (isa_and_nonnull<scf::ForOp, scf::WhileOp, pl::ParallelOp>(parent))
      return true;
  }
  return false;
}

unsigned Fusion::depthOf(Operation *op) {
  if (!op || isa<pl::LoadOp>(op) ||
      !(isIndexing(op) || isa<pl::ElementwiseOpInterface>(op)))
    return 0;
  auto known = depthMemo.find(op);
  if (known != depthMemo.end())
    return known->second;
  unsigned depth = 0;
  for (Value operand : op->getOperands())
    depth = std::max(depth, depthOf(operand.getDefiningOp()));
  return depthMemo[op] = depth + 1;
}

bool Fusion::isVirtualCompute(Operation *op) {
  if (!isa<pl::ElementwiseOpInterface>(op) || depthOf(op) % longestChain == 0)
    return false;
  const Readers readers = getReaders(op->getResult(0));
  if (readers.size() > 1 || isRepeated(op->getResult(0)))
    return false;
  return readers.empty() || !isInLoopBelow(readers.front(), op->getBlock());
}

const Fusion::Readers &Fusion::getReaders(Value tile) {
  auto known = readersMemo.find(tile);
  if (known != readersMemo.end())
    return known->second;
  Readers readers;
  for (Operation *user : tile.getUsers()) {
    if (isa<pl::DimOp>(user))
      continue;
    bool passesOn = isVirtual(user);
    // A window of something that has no address reads it on the spot.
    if (!passesOn || isa<pl::WindowOp>(user))
      readers.insert(user);
    if (passesOn) {
      const Readers further = getReaders(user->getResult(0));
      readers.insert(further.begin(), further.end());
    }
  }
  return readersMemo[tile] = readers;
}

bool Fusion::anyLeaf(Value tile, llvm::function_ref<bool(Value, bool)> visit,
                     bool isMoved) {
  Visited visited;
  return anyLeaf(tile, visit, isMoved, visited);
}

bool Fusion::anyLeaf(Value tile, llvm::function_ref<bool(Value, bool)> visit,
                     bool isMoved, Visited &visited) {
  if (!visited.insert({tile, isMoved ? 1u : 0u}).second)
    return false;
  Operation *op = tile.getDefiningOp();
  if (!op || isa<pl::LoadOp>(op) || !isVirtual(op))
    return visit(tile, isMoved);
  bool keepsIndices = isa<pl::ElementwiseOpInterface, pl::RelaxOp>(op);
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<pl::TileType>(operand.getType()) &&
           anyLeaf(operand, visit, isMoved || !keepsIndices, visited);
  });
}

/// True if both take the same window, for each axis the same value or number.
static bool haveSameOffsets(pl::WindowOp window, pl::InsertOp insert) {
  return llvm::all_of(
      llvm::zip_equal(window.getOffsets(), insert.getOffsets()), [](auto pair) {
        auto [lhs, rhs] = pair;
        std::optional<int64_t> number = getConstantIntValue(lhs);
        return lhs == rhs || (number && number == getConstantIntValue(rhs));
      });
}

bool Fusion::readsElsewhere(pl::InsertOp insert, Value tile) {
  llvm::SmallDenseSet<Value, 16> seen;
  SmallVector<Value> open{insert.getSource()};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (value == tile)
      return true;
    Operation *op = value.getDefiningOp();
    if (!seen.insert(value).second || !op || isa<pl::LoadOp>(op) ||
        !isVirtual(op))
      continue;
    auto window = dyn_cast<pl::WindowOp>(op);
    if (window && window.getSource() == tile && haveSameOffsets(window, insert))
      continue;
    // What moves elements moves those of a window as well.
    if (!isa<pl::ElementwiseOpInterface, pl::RelaxOp>(op)) {
      if (anyLeaf(
              value, [&](Value leaf, bool) { return leaf == tile; },
              /*isMoved=*/true))
        return true;
      continue;
    }
    for (Value operand : op->getOperands())
      if (isa<pl::TileType>(operand.getType()))
        open.push_back(operand);
  }
  return false;
}

bool Fusion::canReadInPlace(pl::LoadOp load) {
  if (pl::getSpaceAttr(load) ||
      isHalfByteInTensors(load.getSource().getType().getElementType()))
    return false;
  Value root = rootOfView(load.getSource());
  // What is written before the last reader covers all readers before it.
  Operation *last = nullptr;
  llvm::SmallPtrSet<Operation *, 4> seen;
  for (Operation *reader : getReaders(load.getResult())) {
    Operation *ancestor = load->getBlock()->findAncestorOpInBlock(*reader);
    if (ancestor != reader && seen.insert(ancestor).second &&
        mayWrite(ancestor, root))
      return false;
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  return !last || !mayBeWrittenBetween(load, last, root);
}
