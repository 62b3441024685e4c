// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/CoreTransfers.h"

#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/transforms/plan/TileSpace.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

static bool isMatmulOperand(OpOperand &use) {
  auto matmul = dyn_cast<pl::MatmulOp>(use.getOwner());
  return matmul && use.get() != matmul.getAcc();
}

/// True if all that reads the tile, by whatever name, reads it as an operand.
static bool isMatmulOperandOnly(Value tile) {
  return llvm::all_of(tile.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    return isMatmulOperand(use) || isa<pl::DimOp>(user) ||
           (isNameOfElements(user) && isMatmulOperandOnly(user->getResult(0)));
  });
}

/// True for a tile of one number, by whatever name: it is made where it is
/// read.
static bool isSplat(Value tile) {
  Operation *op = tile.getDefiningOp();
  while (op && isNameOfElements(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<pl::FullOp>(op);
}

namespace {

/// Changes one function.
class CoreTransfers {
public:
  CoreTransfers(func::FuncOp function, const MachineModel &machine)
      : function(function), machine(machine), builder(function.getContext()),
        values(machine.getMemoryFor(TileRole::Value).space),
        operands(machine.getMemoryFor(TileRole::Lhs).space),
        accumulators(machine.getMemoryFor(TileRole::Accumulator).space) {}

  void run() {
    for (Operation *op : listOps())
      keepOwnSide(op);
    addApart();
    for (Operation *op : listOps())
      if (auto load = dyn_cast<pl::LoadOp>(op))
        loadWhereRead(load);
    for (Operation *op : listOps())
      convertApart(op);
    for (Operation *op : listOps())
      moveOperands(op);
  }

private:
  SmallVector<Operation *> listOps() {
    SmallVector<Operation *> ops;
    function.walk<WalkOrder::PreOrder>(
        [&](Operation *op) { ops.push_back(op); });
    return ops;
  }

  bool isInMatmulMemory(Value tile) const {
    return getSpace(tile, machine) != values;
  }

  void ask(Operation *op, pl::MemorySpace space) {
    pl::setSpaceAttr(op, pl::MemorySpaceAttr::get(op->getContext(), space));
  }

  Value move(Value tile, pl::MemorySpace space) {
    Value &moved = moves[{tile, unsigned(space)}];
    if (moved)
      return moved;
    builder.setInsertionPointAfterValue(tile);
    auto op = pl::RelaxOp::create(builder, tile.getLoc(), tile.getType(), tile);
    ask(op, space);
    return moved = op;
  }

  /// Sees to it that the tile is in memory when it is moved.
  void compute(Value tile) {
    Operation *op = tile.getDefiningOp();
    while (op && isNameOfElements(op))
      op = op->getOperand(0).getDefiningOp();
    bool hasMemory = !op || op->getNumRegions() != 0 ||
                     isa<pl::LoadOp, pl::MatmulOp>(op) || pl::getSpaceAttr(op);
    if (!hasMemory)
      ask(op, values);
  }

  /// An op whose author asks for a memory of the other side computes on its
  /// own, and is moved.
  void keepOwnSide(Operation *op) {
    pl::MemorySpaceAttr asked = pl::getSpaceAttr(op);
    if (!asked || isa<pl::LoadOp>(op))
      return;
    if (isa<pl::RelaxOp>(op))
      return compute(op->getOperand(0));
    bool isMatmul = isa<pl::MatmulOp>(op);
    if (isMatmul == (asked.getValue() != values))
      return;
    Value tile = op->getResult(0);
    pl::setSpaceAttr(op, nullptr);
    Value moved = move(tile, asked.getValue());
    tile.replaceAllUsesExcept(moved, moved.getDefiningOp());
    compute(tile);
  }

  /// What one accumulator is taken apart for can make the next one an
  /// accumulator of the other side, in a loop.
  void addApart() {
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      function.walk([&](pl::MatmulOp matmul) {
        Value acc = matmul.getAcc();
        if (acc && !isInMatmulMemory(acc) && !isSplat(acc) &&
            !acc.getDefiningOp<pl::LoadOp>())
          hasChanged |= addApart(matmul);
      });
    }
  }

  /// matmul(a, b, acc) -> acc + matmul(a, b)
  bool addApart(pl::MatmulOp matmul) {
    builder.setInsertionPoint(matmul);
    auto alone = pl::MatmulOp::create(
        builder, matmul.getLoc(), matmul.getLhs(), matmul.getRhs(), Value(),
        matmul.getTransposeLhsAttr(), matmul.getTransposeRhsAttr(),
        matmul.getPrecisionAttr());
    Type type = matmul.getAcc().getType();
    if (alone.getType() != type || matmul.getType() != type) {
      alone.erase();
      Value acc = matmul.getAcc();
      compute(acc);
      matmul.getAccMutable().assign(move(acc, accumulators));
      return false;
    }
    auto sum = pl::AddOp::create(builder, matmul.getLoc(), type,
                                 matmul.getAcc(), alone);
    matmul.getResult().replaceAllUsesWith(sum);
    matmul.erase();
    return true;
  }

  void loadWhereRead(pl::LoadOp load) {
    Value tile = load.getResult();
    if (tile.use_empty() || pl::getSpaceAttr(load))
      return;
    if (isMatmulOperandOnly(tile))
      return isInMatmulMemory(tile) ? void() : ask(load, operands);
    if (tile.hasOneUse() && isAccumulator(*tile.use_begin()))
      return ask(load, accumulators);
    if (llvm::none_of(tile.getUses(), isMatmulOperand))
      return;
    builder.setInsertionPointAfter(load);
    auto again = cast<pl::LoadOp>(builder.clone(*load));
    ask(again, operands);
    tile.replaceUsesWithIf(again.getResult(), isMatmulOperand);
  }

  /// True if the use is the initial value of an accumulator.
  bool isAccumulator(OpOperand &use) {
    if (auto matmul = dyn_cast<pl::MatmulOp>(use.getOwner()))
      return use.get() == matmul.getAcc();
    auto loop = dyn_cast<scf::ForOp>(use.getOwner());
    return loop && isInMatmulMemory(loop.getTiedLoopResult(&use));
  }

  void convertApart(Operation *op) {
    if (!isa<pl::CastOp>(op) || pl::getSpaceAttr(op) ||
        !isa<pl::TileType>(op->getResult(0).getType()) ||
        !isInMatmulMemory(op->getOperand(0)))
      return;
    bool staysInPlace =
        llvm::all_of(op->getResult(0).getUses(), [](OpOperand &use) {
          return isMatmulOperand(use) ||
                 isa<pl::StoreOp, pl::DimOp>(use.getOwner());
        });
    if (staysInPlace)
      ask(op, operands);
  }

  void moveOperand(OpOperand &operand, TileRole role) {
    if (isInMatmulMemory(operand.get()))
      return;
    compute(operand.get());
    operand.set(move(operand.get(), machine.getMemoryFor(role).space));
  }

  void moveOperands(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // Copying is all that is left to do where a loop begins.
      for (OpOperand &init : loop.getInitArgsMutable())
        if (isa<pl::TileType>(init.get().getType()) && isAccumulator(init) &&
            !isInMatmulMemory(init.get()) && !isSplat(init.get()))
          compute(init.get());
      return;
    }
    if (auto matmul = dyn_cast<pl::MatmulOp>(op)) {
      moveOperand(matmul.getLhsMutable(), TileRole::Lhs);
      moveOperand(matmul.getRhsMutable(), TileRole::Rhs);
      return;
    }
    pl::MemorySpaceAttr asked = pl::getSpaceAttr(op);
    if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() ||
        op->getNumResults() == 0 || isNameOfElements(op) ||
        isa<pl::LoadOp, pl::DimOp, pl::ReadOp, pl::RelaxOp>(op) ||
        (asked && asked.getValue() != values))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<pl::TileType>(operand.get().getType()) &&
          isInMatmulMemory(operand.get()))
        operand.set(move(operand.get(), values));
  }

  func::FuncOp function;
  const MachineModel &machine;
  OpBuilder builder;
  pl::MemorySpace values, operands, accumulators;
  llvm::DenseMap<std::pair<Value, unsigned>, Value> moves;
};

} // namespace

void tegula::insertCoreTransfers(func::FuncOp function,
                                 const MachineModel &machine) {
  CoreTransfers(function, machine).run();
}
