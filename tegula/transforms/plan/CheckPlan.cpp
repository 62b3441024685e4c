// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/CheckPlan.h"

#include "tegula/transforms/plan/BufferSize.h"
#include "tegula/transforms/plan/MemoryContents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Runs the program on names instead of elements.
class PlanChecker {
public:
  explicit PlanChecker(TilePlan &plan) : plan(plan), placement(plan.placement) {
    for (auto [id, buffer] : llvm::enumerate(placement.getBuffers()))
      for (Operation *op = buffer.home->getParentOp(); op;
           op = op->getParentOp())
        if (isa<LoopLikeOpInterface>(op))
          madeIn[op].push_back(id);
  }

  LogicalResult checkBlock(Block &block) {
    for (Operation &op : block.without_terminator())
      if (failed(checkOp(op)))
        return failure();
    return success();
  }

private:
  using Name = MemoryContents::Name;
  /// A tile in a buffer that is read; `isMoved` if at other indices than those
  /// it is read for.
  using Leaf = std::pair<Value, bool>;
  struct Leaves {
    SmallVector<Leaf> found;
    DenseSet<std::pair<Value, unsigned>> visited;
  };

  static Name nameOf(Value tile) { return tile.getAsOpaquePointer(); }

  ByteRange rangeOf(BufferId id) const {
    const TileBuffer &buffer = placement.getBuffers()[id];
    return {placement.getFrame(buffer.home),
            static_cast<unsigned>(buffer.space), plan.memory.offsets[id],
            buffer.bytes};
  }

  /// What is read when the tile is computed.
  void addLeaves(Value tile, bool isMoved, Leaves &leaves) const {
    if (!leaves.visited.insert({tile, isMoved ? 1u : 0u}).second)
      return;
    if (!placement.hasMemory(tile)) {
      Operation *op = tile.getDefiningOp();
      bool keepsIndices = isa<pl::ElementwiseOpInterface, pl::RelaxOp>(op);
      for (Value operand : op->getOperands())
        if (isa<pl::TileType>(operand.getType()))
          addLeaves(operand, isMoved || !keepsIndices, leaves);
      return;
    }
    for (Value owner = placement.getOwner(tile); tile != owner;) {
      isMoved |= !tile.getDefiningOp<pl::RelaxOp>();
      tile = tile.getDefiningOp()->getOperand(0);
    }
    if (placement.getBuffer(tile))
      leaves.found.push_back({tile, isMoved});
  }

  LogicalResult expect(Operation *reader, Name name, BufferId buffer) const {
    if (contents.holds(name, rangeOf(buffer)))
      return success();
    return reader->emitError("the memory plan is wrong: what this op reads "
                             "from buffer ")
           << buffer << " was overwritten";
  }

  LogicalResult expect(Operation *reader, ArrayRef<Leaf> leaves) const {
    for (auto [tile, isMoved] : leaves)
      if (failed(expect(reader, nameOf(tile), *placement.getBuffer(tile))))
        return failure();
    return success();
  }

  static SmallVector<int64_t, 4> shapeOf(Value tile) {
    return boundsOf(cast<pl::TileType>(tile.getType()));
  }

  /// Computes a tile in a buffer while `leaves` are read: those it takes the
  /// place of must be read element by element and lie there in the same shape.
  LogicalResult compute(Operation *op, Value tile, Name name, BufferId buffer,
                        ArrayRef<Leaf> leaves) {
    SmallVector<Name, 2> lost = contents.put(name, rangeOf(buffer));
    for (auto [leaf, isMoved] : leaves)
      if (llvm::is_contained(lost, nameOf(leaf)) &&
          (isMoved || placement.getBuffer(leaf) != buffer ||
           shapeOf(leaf) != shapeOf(tile)))
        return op->emitError("the memory plan is wrong: this op writes buffer ")
               << buffer << " while it still reads it";
    return success();
  }

  LogicalResult copyInto(Operation *op, Value tile, Name name,
                         BufferId buffer) {
    Leaves leaves;
    addLeaves(tile, /*isMoved=*/false, leaves);
    if (failed(expect(op, leaves.found)))
      return failure();
    return compute(op, tile, name, buffer, leaves.found);
  }

  LogicalResult checkOp(Operation &op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](scf::ForOp loop) { return checkFor(loop); })
        .Case([&](scf::WhileOp loop) { return checkWhile(loop); })
        .Case([&](scf::IfOp branch) { return checkIf(branch); })
        .Case([&](pl::ParallelOp loop) {
          return repeat(loop,
                        [&] { return checkBlock(loop.getBody().front()); });
        })
        .Case([&](pl::DimOp) { return success(); })
        .Default([&](Operation *other) { return checkPlainOp(other); });
  }

  static bool isTarget(OpOperand &operand) {
    auto insert = dyn_cast<pl::InsertOp>(operand.getOwner());
    return insert && operand == insert.getTargetMutable();
  }

  /// What is inserted into a tile in its own place may be computed from the
  /// very elements it replaces.
  void forgetReplaced(pl::InsertOp insert, Leaves &leaves) {
    Value target = insert.getTarget();
    if (placement.getBuffer(target) ==
            placement.getBuffer(insert.getResult()) &&
        !plan.fusion.readsElsewhere(insert, target))
      llvm::erase(leaves.found, Leaf(target, true));
  }

  /// An op reads its operands where it stands, unless it is computed by those
  /// who read it.
  LogicalResult checkPlainOp(Operation *op) {
    Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
    bool isTile = result && isa<pl::TileType>(result.getType());
    std::optional<BufferId> buffer =
        isTile ? placement.getBuffer(result) : std::nullopt;
    if (isTile && !buffer)
      return success();
    for (OpOperand &operand : op->getOpOperands())
      if (std::optional<BufferId> copy = placement.getBuffer(operand))
        if (failed(copyInto(op, operand.get(), &operand, *copy)))
          return failure();
    Leaves leaves;
    auto matmul = dyn_cast<pl::MatmulOp>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (isa<pl::TileType>(operand.get().getType()) &&
          !placement.getBuffer(operand)) {
        bool isAcc = matmul && operand.get() == matmul.getAcc() &&
                     operand.getOperandNumber() == 2;
        bool keepsIndices =
            isAcc || isTarget(operand) || isa<pl::ElementwiseOpInterface>(op);
        addLeaves(operand.get(), !keepsIndices, leaves);
      }
    if (auto insert = dyn_cast<pl::InsertOp>(op))
      forgetReplaced(insert, leaves);
    if (failed(expect(op, leaves.found)))
      return failure();
    if (buffer &&
        failed(compute(op, result, nameOf(result), *buffer, leaves.found)))
      return failure();
    for (OpOperand &operand : op->getOpOperands())
      if (std::optional<BufferId> copy = placement.getBuffer(operand))
        if (failed(expect(op, &operand, *copy)))
          return failure();
    return success();
  }

  /// The first tiles of a loop are put where it carries them.
  LogicalResult enter(Operation *loop, ValueRange inits, ValueRange arguments) {
    for (auto [init, argument] : llvm::zip(inits, arguments))
      if (std::optional<BufferId> buffer = placement.getBuffer(argument))
        if (failed(copyInto(loop, init, nameOf(argument), *buffer)))
          return failure();
    return success();
  }

  /// The next tiles: first those that need copies, then the others, then the
  /// copies; what was computed there is known by another name from now on.
  LogicalResult handOn(MutableArrayRef<OpOperand> next, ValueRange arguments) {
    for (OpOperand &operand : next)
      if (std::optional<BufferId> copy = placement.getBuffer(operand))
        if (failed(
                copyInto(operand.getOwner(), operand.get(), &operand, *copy)))
          return failure();
    for (auto [operand, argument] : llvm::zip(next, arguments)) {
      std::optional<BufferId> buffer = placement.getBuffer(argument);
      if (!buffer || placement.getBuffer(operand) ||
          placement.getBuffer(operand.get()) == buffer)
        continue;
      if (failed(copyInto(operand.getOwner(), operand.get(), nameOf(argument),
                          *buffer)))
        return failure();
    }
    for (auto [operand, argument] : llvm::zip(next, arguments)) {
      std::optional<BufferId> buffer = placement.getBuffer(argument);
      if (!buffer)
        continue;
      std::optional<BufferId> copy = placement.getBuffer(operand);
      bool isThere = placement.getBuffer(operand.get()) == buffer;
      if (copy && failed(expect(operand.getOwner(), &operand, *copy)))
        return failure();
      if (isThere &&
          failed(expect(operand.getOwner(), nameOf(operand.get()), *buffer)))
        return failure();
      if (copy || isThere)
        contents.put(nameOf(argument), rangeOf(*buffer));
    }
    return success();
  }

  /// What is in the buffers of some tiles is now called by the others.
  LogicalResult rename(Operation *op, ValueRange from, ValueRange to) {
    for (auto [old, now] : llvm::zip(from, to))
      if (std::optional<BufferId> buffer = placement.getBuffer(now)) {
        if (failed(expect(op, nameOf(old), *buffer)))
          return failure();
        contents.put(nameOf(now), rangeOf(*buffer));
      }
    return success();
  }

  /// Follows a loop until what is there when an iteration begins stays the
  /// same. A iteration may come after another, so what iterations write counts
  /// as lost at once: mostly that is all there is to find, and loops in loops
  /// are followed once.
  LogicalResult repeat(Operation *loop,
                       llvm::function_ref<LogicalResult()> iteration) {
    for (BufferId buffer : madeIn.lookup(loop))
      contents.clear(rangeOf(buffer));
    MemoryContents atStart = contents;
    do {
      contents = atStart;
      if (failed(iteration()))
        return failure();
    } while (atStart.meet(contents));
    contents = std::move(atStart);
    return success();
  }

  LogicalResult checkFor(scf::ForOp loop) {
    if (failed(enter(loop, loop.getInitArgs(), loop.getRegionIterArgs())))
      return failure();
    LogicalResult result = repeat(loop, [&] {
      if (failed(checkBlock(*loop.getBody())))
        return failure();
      if (loop.getNumResults() == 0)
        return success();
      return handOn(*loop.getYieldedValuesMutable(), loop.getRegionIterArgs());
    });
    if (failed(result))
      return failure();
    return rename(loop, loop.getRegionIterArgs(), loop.getResults());
  }

  LogicalResult checkWhile(scf::WhileOp loop) {
    if (failed(enter(loop, loop.getInits(), loop.getBeforeArguments())))
      return failure();
    MemoryContents atEnd;
    LogicalResult result = repeat(loop, [&] {
      if (failed(checkBlock(*loop.getBeforeBody())) ||
          failed(handOn(loop.getConditionOp().getArgsMutable(),
                        loop.getAfterArguments())))
        return failure();
      atEnd = contents;
      if (failed(checkBlock(*loop.getAfterBody())))
        return failure();
      return handOn(loop.getYieldOp().getResultsMutable(),
                    loop.getBeforeArguments());
    });
    if (failed(result))
      return failure();
    contents = std::move(atEnd);
    return rename(loop, loop.getAfterArguments(), loop.getResults());
  }

  LogicalResult checkIf(scf::IfOp branch) {
    MemoryContents before = contents;
    if (failed(checkBranch(branch, branch.thenBlock())))
      return failure();
    MemoryContents afterThen = std::move(contents);
    contents = std::move(before);
    if (failed(checkBranch(branch, branch.elseBlock())))
      return failure();
    (void)contents.meet(afterThen);
    return success();
  }

  LogicalResult checkBranch(scf::IfOp branch, Block *block) {
    if (!block)
      return success();
    if (failed(checkBlock(*block)))
      return failure();
    Operation *yield = block->getTerminator();
    for (auto [value, result] :
         llvm::zip(yield->getOperands(), branch.getResults()))
      if (std::optional<BufferId> buffer = placement.getBuffer(result))
        if (placement.getBuffer(value) != buffer &&
            failed(copyInto(yield, value, nameOf(result), *buffer)))
          return failure();
    for (auto [value, result] :
         llvm::zip(yield->getOperands(), branch.getResults())) {
      std::optional<BufferId> buffer = placement.getBuffer(result);
      if (!buffer || placement.getBuffer(value) != buffer)
        continue;
      if (failed(expect(yield, nameOf(value), *buffer)))
        return failure();
      contents.put(nameOf(result), rangeOf(*buffer));
    }
    return success();
  }

  TilePlan &plan;
  const Placement &placement;
  MemoryContents contents;
  /// The buffers that are made anew in each iteration of a loop.
  DenseMap<Operation *, SmallVector<BufferId>> madeIn;
};

} // namespace

LogicalResult tegula::checkPlan(func::FuncOp function, TilePlan &plan) {
  // A frame that no machine has is refused, so what lies in it does not matter.
  for (auto [frame, bytes] : plan.memory.frameBytes)
    if (bytes >= mostBufferBytes)
      return success();
  return PlanChecker(plan).checkBlock(function.getBody().front());
}
