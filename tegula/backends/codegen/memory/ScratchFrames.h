// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Scratch memory of a function that is being lowered: the planned buffers of
/// its tiles, and what generated code needs besides.

#ifndef TEGULA_BACKENDS_CODEGEN_MEMORY_SCRATCHFRAMES_H
#define TEGULA_BACKENDS_CODEGEN_MEMORY_SCRATCHFRAMES_H

#include "tegula/backends/codegen/RuntimeCalls.h"
#include "tegula/backends/codegen/memory/View.h"
#include "tegula/transforms/plan/TilePlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

class LoweringHooks;

/// The frames of the function and of the parallel loop inside it that is being
/// lowered. In a frame planned memory is first; behind it is what generated
/// code needs, whose size is known when all is lowered.
class ScratchFrames {
public:
  ScratchFrames(mlir::OpBuilder &builder, RuntimeCalls &calls,
                const TilePlan &plan)
      : builder(builder), calls(calls), plan(plan) {}

  /// Opens the frame of the function or loop; what follows is emitted into it
  /// until it is closed.
  void open(mlir::Operation *owner, mlir::Location loc);
  void close(mlir::Location loc);
  /// True inside a parallel loop.
  bool isInLoop() const { return frames.size() > 1; }
  /// What the function begins with, behind its arguments.
  mlir::Operation *getStart() { return frames.front()->push; }

  /// Memory that only generated code knows of, until the scope ends.
  View allocate(mlir::Location loc, mlir::Type element,
                llvm::ArrayRef<int64_t> shape);
  /// An element that is there to be read and written where nothing else is.
  View harmlessElement(mlir::Type element, mlir::Location loc);
  /// The memory of a planned buffer.
  View bufferView(BufferId buffer, llvm::ArrayRef<int64_t> shape,
                  mlir::Location loc);
  /// The planned memory of a tile, the whole of its bounds.
  View destinationOf(mlir::Value tile, mlir::Location loc);
  /// Lets each run of the block use another copy of its buffers, if there are
  /// several.
  void chooseCopies(mlir::Block &block, LoweringHooks *recorder);

  /// Scratch memory for so many numbers, and their way there.
  mlir::Value allocateNumbers(size_t count, mlir::Location loc);
  void storeNumbers(const Indices &numbers, mlir::Value memory,
                    mlir::Location loc);
  /// The address of scratch memory that holds the numbers.
  mlir::Value storeNumbers(const Indices &numbers, mlir::Location loc);

  /// How much of the frame is in use.
  int64_t getUsed() const { return frames.back()->bytes; }
  /// Frees what was allocated since that much was in use.
  void freeTo(int64_t bytes) { frames.back()->bytes = bytes; }

private:
  struct Frame {
    mlir::LLVM::CallOp push;
    mlir::scf::IfOp guard;
    /// What is in use here, and the most that was in use anywhere.
    int64_t bytes = 0;
    int64_t mostBytes = 0;
    /// Where an element lies that anything may read and write.
    std::optional<int64_t> harmless;
  };

  /// The memories that are planned for lie in a frame one after the other:
  /// where this one begins, or where all end if it is null.
  int64_t startOf(mlir::Operation *frame, const MachineMemory *memory) const;
  void removeFrame(Frame &frame);
  mlir::Value addressOf(mlir::OpFoldResult offset, mlir::Location loc);

  mlir::OpBuilder &builder;
  RuntimeCalls &calls;
  const TilePlan &plan;
  llvm::SmallVector<std::unique_ptr<Frame>> frames;
  /// Which copy of its buffers a run of the block uses.
  llvm::DenseMap<mlir::Block *, mlir::Value> copies;
};

/// What is allocated while this exists is free for others afterwards.
class ScratchScope {
public:
  explicit ScratchScope(ScratchFrames &scratch)
      : scratch(scratch), before(scratch.getUsed()) {}
  ~ScratchScope() { scratch.freeTo(before); }
  ScratchScope(const ScratchScope &) = delete;
  ScratchScope &operator=(const ScratchScope &) = delete;

private:
  ScratchFrames &scratch;
  int64_t before;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_MEMORY_SCRATCHFRAMES_H
