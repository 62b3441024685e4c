// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/TileSpace.h"

#include "tegula/ir/ops/attributes/SpaceAttribute.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

bool tegula::isNameOfElements(Operation *op) {
  return isa<pl::RelaxOp, pl::TransposeOp, pl::WindowOp>(op) &&
         !pl::getSpaceAttr(op);
}

/// What a loop hands on at the end of an iteration, as what it was at its begin
/// or will be after the loop; null for anything else.
static Value getNext(Value tile) {
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop ? loop.getTiedLoopYieldedValue(argument)->get() : Value();
  }
  auto loop = tile.getDefiningOp<scf::ForOp>();
  return loop ? loop.getYieldedValues()[cast<OpResult>(tile).getResultNumber()]
              : Value();
}

/// The op that computes the elements of the tile; null if it is not known.
static Operation *getMaker(Value tile) {
  llvm::SmallPtrSet<void *, 4> seen;
  while (tile && seen.insert(tile.getAsOpaquePointer()).second) {
    Value next = getNext(tile);
    Operation *op = tile.getDefiningOp();
    if (!next && op && isNameOfElements(op))
      next = op->getOperand(0);
    if (!next)
      return op;
    tile = next;
  }
  return nullptr;
}

/// What a loaded tile is for, if only matmuls read it, and always on one side.
static TileRole getRoleOfLoad(pl::LoadOp load) {
  std::optional<TileRole> role;
  for (OpOperand &use : load->getUses()) {
    auto matmul = dyn_cast<pl::MatmulOp>(use.getOwner());
    if (!matmul || use.get() == matmul.getAcc())
      return TileRole::Value;
    TileRole own =
        &use == &matmul.getLhsMutable() ? TileRole::Lhs : TileRole::Rhs;
    if (role && role != own)
      return TileRole::Value;
    role = own;
  }
  return role.value_or(TileRole::Value);
}

pl::MemorySpace tegula::getSpace(Value tile, const MachineModel &machine) {
  Operation *op = getMaker(tile);
  if (pl::MemorySpaceAttr asked = op ? pl::getSpaceAttr(op) : nullptr)
    return asked.getValue();
  TileRole role = isa_and_nonnull<pl::MatmulOp>(op) ? TileRole::Accumulator
                                                    : TileRole::Value;
  // What is only moved can be moved where it is needed.
  if (auto load = dyn_cast_or_null<pl::LoadOp>(op);
      load && !machine.computesOnTensors)
    role = getRoleOfLoad(load);
  return machine.getMemoryFor(role).space;
}

/// %w = pl.window %t {space}  ->  %v = pl.window %t; %w = pl.relax %v {space}
static void moveNamed(Operation *op, pl::MemorySpaceAttr space) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value named = op->getResult(0);
  auto move =
      pl::RelaxOp::create(builder, op->getLoc(), named.getType(), named);
  pl::setSpaceAttr(move, space);
  named.replaceAllUsesExcept(move, move);
}

static void settle(Operation *op, const MachineModel &machine) {
  pl::MemorySpaceAttr asked = pl::getSpaceAttr(op);
  if (!asked || !isa<pl::TileType>(op->getResult(0).getType()))
    return;
  pl::setSpaceAttr(op, nullptr);
  // A tile of one number is known where it is read and needs none.
  bool isElsewhere = !isa<pl::FullOp>(op) &&
                     machine.findMemory(asked.getValue()) &&
                     getSpace(op->getResult(0), machine) != asked.getValue();
  auto move = dyn_cast<pl::RelaxOp>(op);
  if (isElsewhere && isNameOfElements(op) && !move)
    return moveNamed(op, asked);
  if (isElsewhere)
    return pl::setSpaceAttr(op, asked);
  if (!move || move.getType() != move.getSource().getType())
    return;
  move.getResult().replaceAllUsesWith(move.getSource());
  move.erase();
}

void tegula::settleSpaces(func::FuncOp function, const MachineModel &machine) {
  SmallVector<Operation *> ops;
  // What a tile is taken from comes before it.
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (pl::getSpaceAttr(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    settle(op, machine);
}
