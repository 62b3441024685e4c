// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows whose elements may lie apart, for loops that read and write vectors.
/// What lies side by side, as a call's strides tell, is used where it is, all
/// of the row at once; else a piece of the row at a time is gathered to a small
/// buffer, or scattered from one.

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
  /// An i1: all memory that was asked for is there. Null if none was. Nothing
  /// must be read or written where it does not hold; the call has failed.
  mlir::Value areThere() const { return there; }
  /// An i1: no row has gaps. Null if none may have some.
  mlir::Value areDense() const { return dense; }

  /// How many elements of a row with gaps are taken at once, at most.
  int64_t getPiece() const;

  /// Begins with the elements from `from` to `to` of the rows that `findPlace`
  /// says the place of.
  void
  begin(llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpOperand &)>
            findPlace,
        mlir::Value from, mlir::Value to);
  /// The memory of the operand: a row, from `from` to `to`, if it may have
  /// gaps. Null for one that was not added.
  mlir::Value findMemory(const mlir::OpOperand &operand) const;
  /// True if that memory is one row.
  bool isRow(const mlir::OpOperand &operand) const;
  /// The address of an element of an operand, as an index.
  mlir::Value addressOf(const mlir::OpOperand &operand, mlir::ValueRange place);
  /// What was written gets to where it belongs.
  void end();

private:
  struct Row {
    bool isRead, isWritten;
    MemoryPlace place;
    /// Null if it has no gaps in memory that is there.
    mlir::Value isUnit;
    mlir::Value stage;
    /// The row with its gaps, and with none, in the current piece.
    mlir::Value spread, near;
  };

  const Row *find(const mlir::OpOperand &operand) const;
  bool isUnitIfThere(const Row &row);
  void assumeDense(const mlir::OpOperand &operand, Row &row);
  mlir::Value stageOf(unsigned position);
  void copyPieces(bool isGathered);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath math;
  llvm::SmallVector<mlir::OpOperand *> operands;
  llvm::SmallVector<Row> rows;
  mlir::Value there, dense, from, to;
};

/// The buffers that the rows of all nests in a function, or in the turns of a
/// parallel loop, are staged in; they stand at its beginning.
inline constexpr llvm::StringLiteral stageAttrName = "tegula.stage";

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_STAGEDROWS_H
