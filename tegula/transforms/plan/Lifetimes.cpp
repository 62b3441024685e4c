// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/Lifetimes.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Widens lifetimes by every position that touches a buffer.
class Touches {
public:
  Touches(func::FuncOp function, Fusion &fusion, const Placement &placement)
      : fusion(fusion), placement(placement),
        lifetimes(placement.getBuffers().size(), {~0u, 0}) {
    number(function);
  }

  SmallVector<Lifetime> collect() {
    for (auto [tile, buffer] : placement.getTiles()) {
      touchDefinition(buffer, tile);
      for (Operation *reader : fusion.getReaders(tile))
        touch(buffer, reader);
    }
    for (auto [operand, buffer] : placement.getOperands())
      touch(buffer, operand->getOwner());
    return std::move(lifetimes);
  }

private:
  void number(Operation *op) {
    unsigned first = next++;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        number(&inner);
    positions[op] = {first, op->getNumRegions() ? next++ : first};
  }

  void widen(BufferId buffer, unsigned position) {
    Lifetime &lifetime = lifetimes[buffer];
    lifetime.first = std::min(lifetime.first, position);
    lifetime.last = std::max(lifetime.last, position);
  }

  /// Where an op starts; a loop between it and the buffer's home counts whole,
  /// since what is there in one iteration must be there in the next.
  void touch(BufferId buffer, Operation *op) {
    widen(buffer, positions[op].first);
    Block *home = placement.getBuffers()[buffer].home;
    while (op->getBlock() != home) {
      op = op->getParentOp();
      if (isa<scf::ForOp, scf::WhileOp, pl::ParallelOp>(op))
        touchWhole(buffer, op);
    }
  }

  void touchWhole(BufferId buffer, Operation *op) {
    widen(buffer, positions[op].first);
    widen(buffer, positions[op].last);
  }

  /// Where the tile is put into the buffer.
  void touchDefinition(BufferId buffer, Value tile) {
    auto argument = dyn_cast<BlockArgument>(tile);
    Operation *op =
        argument ? argument.getOwner()->getParentOp() : tile.getDefiningOp();
    auto loop = dyn_cast<scf::WhileOp>(op);
    if (loop && !(argument && argument.getOwner() == loop.getBeforeBody())) {
      widen(buffer, positions[loop.getConditionOp()].first);
      widen(buffer, positions[loop].last);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Block *block : {branch.thenBlock(), branch.elseBlock()})
        touch(buffer, block->getTerminator());
      widen(buffer, positions[branch].last);
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      touchWhole(buffer, op);
    } else {
      touch(buffer, op);
    }
  }

  Fusion &fusion;
  const Placement &placement;
  SmallVector<Lifetime> lifetimes;
  DenseMap<Operation *, Lifetime> positions;
  unsigned next = 0;
};

} // namespace

SmallVector<Lifetime> tegula::computeLifetimes(func::FuncOp function,
                                               Fusion &fusion,
                                               const Placement &placement) {
  return Touches(function, fusion, placement).collect();
}
