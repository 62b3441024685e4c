// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Decides which memory each tile is in: a buffer of its own, one it shares
/// with what a loop carries or a branch hands out, the memory of another tile
/// or of a tensor, or none. Where in a frame a buffer lies is MemoryPlan's.

#ifndef TEGULA_TRANSFORMS_PLAN_PLACEMENT_H
#define TEGULA_TRANSFORMS_PLAN_PLACEMENT_H

#include "tegula/transforms/MachineModel.h"
#include "tegula/transforms/plan/Fusion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Memory for tiles that are in it one after the other.
struct TileBuffer {
  pl::MemorySpace space;
  /// The type of the elements, as stored in memory.
  mlir::Type element;
  int64_t bytes;
  /// The block that makes it: in every run of the block it starts empty.
  mlir::Block *home;
  /// How many there are, that runs of the block use round-robin.
  int64_t copies = 1;
};

/// A position in a list of buffers.
using BufferId = unsigned;

/// The buffers of one function and the tiles in them.
///
/// Example: `for ... iter_args(%s = %a) { %t = add %s, %x; yield %t }` has one
/// buffer that %s, %t and the loop's result are in: nothing reads %s after %t
/// is there, and each element of %t replaces the one it was computed from.
class Placement {
public:
  /// Every tile of the function is bounded, and there are no regions but those
  /// of loops and branches.
  Placement(mlir::func::FuncOp function, Fusion &fusion,
            const MachineModel &machine);

  /// True if the elements of the tile lie in memory, be it that of a tensor.
  bool hasMemory(mlir::Value tile) const;
  /// The tile whose memory `tile` is seen in: itself, unless it only names
  /// elements of another tile that has memory.
  mlir::Value getOwner(mlir::Value tile) const;
  /// The buffer the tile was computed in; none if it has no memory, or that of
  /// another tile or of a tensor.
  std::optional<BufferId> getBuffer(mlir::Value tile) const;
  /// The buffer an operand is computed in for the op that reads it.
  std::optional<BufferId> getBuffer(mlir::OpOperand &operand) const;

  llvm::ArrayRef<TileBuffer> getBuffers() const { return buffers; }
  const llvm::DenseMap<mlir::Value, BufferId> &getTiles() const {
    return tiles;
  }
  const llvm::DenseMap<mlir::OpOperand *, BufferId> &getOperands() const {
    return operands;
  }

  /// Uses one buffer only.
  void dropCopies();

  /// True if the loop's iterations have frames of their own.
  bool isFrame(mlir::Operation *op) const { return frames.contains(op); }
  /// The function or loop whose frame the ops of a block have their buffers in.
  mlir::Operation *getFrame(mlir::Block *block) const;

private:
  void assignOp(mlir::Operation *op);
  void copyWhatIsMoved();
  void assignResult(mlir::Operation *op);
  void assignFor(mlir::scf::ForOp loop);
  void assignWhile(mlir::scf::WhileOp loop);
  void assignIf(mlir::scf::IfOp branch);
  void assignStore(pl::StoreOp store);
  void assignOperands(pl::MatmulOp matmul);
  BufferId addBuffer(pl::MemorySpace space, mlir::Type element, int64_t bytes,
                     mlir::Block *home);
  /// A buffer for what an op computes, and one for a copy of a tile.
  BufferId addOwnBuffer(mlir::Value tile, mlir::Block *home);
  BufferId addCopy(mlir::Value tile, mlir::Block *home);
  /// The buffers of what an iteration sees, and where what it hands on is
  /// computed.
  void assignCarried(mlir::ValueRange inits, mlir::ValueRange arguments,
                     mlir::MutableArrayRef<mlir::OpOperand> next,
                     mlir::ValueRange results, mlir::Operation *loop);
  /// The buffer of a tile that the op reads element by element, and nobody
  /// after it: its own tile takes the place of that one.
  std::optional<BufferId> findDying(mlir::Operation *op);
  std::optional<BufferId> findDying(mlir::Value init, mlir::Value result);
  void assignInserted(mlir::Value argument, mlir::Value next, BufferId buffer);
  bool isLastRead(mlir::Value tile, mlir::Operation *op);
  /// True if nobody misses what a tile was before something was inserted.
  bool canInsertInto(pl::InsertOp insert);
  /// True if the buffer is of the memory and the elements the tile asks for.
  bool fitsInto(mlir::Value tile, BufferId buffer) const;
  bool readsWhatIsWritten(mlir::Value tile, mlir::Value target);

  Fusion &fusion;
  const MachineModel &machine;
  llvm::SmallVector<TileBuffer> buffers;
  llvm::DenseMap<mlir::Value, BufferId> tiles;
  llvm::DenseMap<mlir::OpOperand *, BufferId> operands;
  llvm::DenseSet<mlir::Operation *> frames;
  mlir::Operation *function;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_PLACEMENT_H
