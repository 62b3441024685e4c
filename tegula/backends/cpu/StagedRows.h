// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows whose elements may lie apart, for loops that read and write vectors.
/// What lies side by side, as a call's strides tell, is used where it is; else
/// a piece of the row at a time is gathered to a small buffer, or scattered
/// from one.

#ifndef TEGULA_BACKENDS_CPU_STAGEDROWS_H
#define TEGULA_BACKENDS_CPU_STAGEDROWS_H

#include "tegula/backends/cpu/IndexMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

/// The base, the offset and the strides of a memref.
struct MemoryPlace {
  /// An LLVM pointer.
  mlir::Value base;
  mlir::OpFoldResult offset;
  Indices strides;

  static MemoryPlace of(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value memory);
};

/// Operands of one nest whose last axis the innermost loop walks.
class StagedRows {
public:
  StagedRows(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc), math(builder, loc) {}

  /// A row of the operand may have gaps. It is gathered if it `isRead` and
  /// scattered if it `isWritten`.
  void add(mlir::OpOperand &operand, bool isRead, bool isWritten);
  bool isEmpty() const { return rows.empty(); }

  /// Asks the strides, before all loops.
  void askStrides();
  /// An i1: no row has gaps.
  mlir::Value areDense() const { return dense; }

  /// From here on the operands are memory without gaps.
  void assumeDense();

  /// How many elements of a row are taken at once, at most.
  int64_t getPiece() const;

  /// Begins with the elements from `from` to `to` of the rows that lie at
  /// `places`, without the last axis, in the order in which they were added.
  void begin(llvm::ArrayRef<llvm::SmallVector<mlir::Value>> places,
             mlir::Value from, mlir::Value to);
  /// The memory of the operand: all of it while it is assumed to be dense, else
  /// the row, from `from` to `to`. Null for one that was not added.
  mlir::Value findMemory(const mlir::OpOperand &operand) const;
  /// The address of an element of an operand, as an index.
  mlir::Value addressOf(const mlir::OpOperand &operand, mlir::ValueRange place);
  /// What was written gets to where it belongs.
  void end();

  llvm::ArrayRef<mlir::OpOperand *> getOperands() const { return operands; }

private:
  struct Row {
    bool isRead, isWritten;
    MemoryPlace place;
    mlir::Value isUnit;
    mlir::Value stage;
    /// The row with its gaps, and with none, in the current piece.
    mlir::Value spread, near;
  };

  mlir::Value stageOf(unsigned position);
  void copyPieces(bool isGathered);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath math;
  llvm::SmallVector<mlir::OpOperand *> operands;
  llvm::SmallVector<Row> rows;
  mlir::Value dense, from, to;
};

/// The buffers that the rows of all nests in a function, or in the turns of a
/// parallel loop, are staged in; they stand at its beginning.
inline constexpr llvm::StringLiteral stageAttrName = "tegula.stage";

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_STAGEDROWS_H
