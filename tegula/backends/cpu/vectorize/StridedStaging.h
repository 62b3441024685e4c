// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows whose elements may lie apart, for loops that read and write vectors.
/// What is contiguous, as a call's strides tell, is used where it is; else
/// a chunk of one row at a time is gathered to a small buffer, or scattered
/// from one. The loops are the same: only where they read and write differs.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_STRIDEDSTAGING_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_STRIDEDSTAGING_H

#include "tegula/backends/codegen/IndexMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

/// The base, the offset and the strides of a memref.
struct MemoryLayout {
  /// An LLVM pointer.
  mlir::Value base;
  mlir::OpFoldResult offset;
  Indices strides;

  static MemoryLayout of(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value memory);
};

/// Operands of one nest whose last axis the innermost loop iterates over.
class StridedStaging {
public:
  StridedStaging(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc), math(builder, loc) {}

  /// A row of the operand may have gaps. It is gathered if it `isRead` and
  /// scattered if it `isWritten`.
  void add(mlir::OpOperand &operand, bool isRead, bool isWritten);

  /// Asks the strides, before all loops.
  void askStrides();
  /// An i1: all memory that was asked for is there. Null if none was. Nothing
  /// must be read or written where it does not hold; the call has failed.
  mlir::Value areThere() const { return there; }
  /// An i1: all rows are read and written where they are. Null if that is so at
  /// every call.
  mlir::Value areDirect() const { return dense; }
  /// From here on they are, and the operands are memory without gaps.
  void assumeDense();

  /// How many elements of a row are taken at once if some are not direct.
  int64_t getChunk() const;

  /// Begins with the elements from `from` to `to`: of all rows where they are
  /// direct, else of the one that `findPosition` gives the indices of.
  void
  begin(llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpOperand &)>
            findPosition,
        mlir::Value from, mlir::Value to);
  /// Memory without gaps, in which elements of the operand have the indices
  /// that they have in it. Null for one that was not added.
  mlir::Value findMemory(const mlir::OpOperand &operand) const;
  /// True if rows of the operand may have gaps.
  bool isRow(const mlir::OpOperand &operand) const;
  /// How many elements of an operand from the one at `position` lie before one
  /// where an aligned vector of so many lanes begins.
  mlir::OpFoldResult elementsToAlignment(const mlir::OpOperand &operand,
                                         mlir::ValueRange position,
                                         int64_t lanes);
  /// An i1: every row of the operand begins where an aligned vector of so many
  /// lanes does, and has so many columns that it ends there as well.
  mlir::Value areRowsAligned(const mlir::OpOperand &operand,
                             mlir::OpFoldResult columns, int64_t lanes);
  /// What was written gets to where it belongs.
  void end();

private:
  struct Row {
    bool isRead, isWritten;
    MemoryLayout layout;
    /// Null if it has no gaps in memory that is there.
    mlir::Value isUnit;
    mlir::Value stage;
    /// The row with its gaps and the buffer of its elements, in this chunk.
    mlir::Value strided, buffer;
    /// Where it is computed.
    mlir::Value near;
  };

  const Row *find(const mlir::OpOperand &operand) const;
  bool isUnitIfThere(const Row &row);
  /// Where the element at `position` is, in bytes.
  mlir::Value addressOf(const mlir::OpOperand &operand,
                        mlir::ValueRange position);
  void assumeDense(const mlir::OpOperand &operand, Row &row);
  mlir::Value stageOf(unsigned position);
  void beginRow(mlir::OpOperand &operand, Row &row, mlir::ValueRange position);
  /// What `copy` makes is done unless all rows are direct.
  void unlessDirect(llvm::function_ref<void()> copy);
  void gather(Row &row);
  void scatter(Row &row);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath math;
  llvm::SmallVector<mlir::OpOperand *> operands;
  llvm::SmallVector<Row> rows;
  mlir::Value there, dense, from, to;
};

/// The buffers that the rows of all nests in a function, or in the iterations
/// of a parallel loop, are staged in; they stand at its beginning.
inline constexpr llvm::StringLiteral stageAttrName = "tegula.stage";

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_STRIDEDSTAGING_H
