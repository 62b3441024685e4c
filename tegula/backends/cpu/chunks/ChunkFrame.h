// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory through which the chunks of a long block share values. It belongs
/// to a function, or to the body of a parallel loop, each iteration of which
/// has its own.

#ifndef TEGULA_BACKENDS_CPU_CHUNKS_CHUNKFRAME_H
#define TEGULA_BACKENDS_CPU_CHUNKS_CHUNKFRAME_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

namespace tegula {

/// Moves ops to functions that take the frame as their argument. A value that
/// crosses from one to another has a slot: it is saved where it is made, and
/// read at the start of each chunk that needs it.
class ChunkFrame {
public:
  /// The block that holds the frame of the chunks of `block`.
  static mlir::Block *ownerOf(mlir::Block &block);

  explicit ChunkFrame(mlir::Block &owner);

  /// True if whatever crosses between the block's ops fits into slots.
  static bool canCut(mlir::Block &block);

  /// Replaces the ops, neighbours in one block, by a call.
  void outline(llvm::ArrayRef<mlir::Operation *> ops,
               mlir::SymbolTable &symbols);

  /// Gives what is left in a block whose chunks are outlined the values that
  /// were made in them.
  void reconnect(mlir::Block &block);

  /// True for the ops that make the frame and save what comes from outside.
  bool isPrologue(mlir::Operation *op) const { return prologue.contains(op); }
  /// True for an op that saves the value made just before it.
  bool isSave(mlir::Operation *op) const { return saves.contains(op); }

private:
  int64_t slotOf(mlir::Value value);
  void save(mlir::Value value, int64_t slot);
  /// The frame, as it is called in the function of the op.
  mlir::Value frameAt(mlir::Operation *op);
  bool isOurs(mlir::Region *region);
  /// The value as it is reached at the builder, from `inside` if it was before.
  mlir::Value bring(mlir::Value value, mlir::OpBuilder &builder,
                    mlir::IRMapping &inside, mlir::Value frame);
  /// Makes the op use what is visible where it is.
  void bringOperands(mlir::Operation *op, mlir::OpBuilder &builder,
                     mlir::IRMapping &inside, mlir::Region &visible,
                     mlir::Value frame);

  mlir::Block &owner;
  mlir::LLVM::AllocaOp memory;
  llvm::DenseMap<mlir::Value, int64_t> slots;
  llvm::DenseSet<mlir::Region *> chunks;
  llvm::DenseSet<mlir::Operation *> prologue, saves;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_CHUNKS_CHUNKFRAME_H
