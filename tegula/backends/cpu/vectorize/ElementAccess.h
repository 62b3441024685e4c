// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads and writes the elements of operands, in vectors: from memory, along a
/// row that a pointer goes along, or what was read once before the loop.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_ELEMENTACCESS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_ELEMENTACCESS_H

#include "tegula/backends/cpu/vectorize/RowPointers.h"

namespace tegula {

class ElementAccess : NestPart {
public:
  ElementAccess(NestState &state, const StridedStaging &staged)
      : NestPart(state), staged(staged) {}

  /// From here on elements are read and written where the indices are, each
  /// time.
  void begin();
  /// The same for a row: of the operands that there are pointers for along
  /// these, and of those that stay the same along it once, here.
  void beginRow(llvm::ArrayRef<RowPointer> rows);
  /// From here on vectors are stored past the caches.
  void streamStores() { isStreamed = true; }

  /// The elements of this iteration that are there where the mask is set; null
  /// stands for everywhere.
  mlir::Value read(mlir::OpOperand &operand, mlir::Value mask);
  /// Writes them to the target.
  void write(mlir::Value value, mlir::Value mask);

private:
  /// Memory of the row of an operand in this iteration.
  struct CurrentRow {
    mlir::Value memory;
    /// An LLVM pointer to the row that is prefetched; null if none is.
    mlir::Value prefetched;
  };

  /// The memory of an operand and the indices into it, in this iteration.
  std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>
  elementAt(mlir::OpOperand &operand);

  void preloadUniform();
  mlir::Value memoryOf(const RowPointer &row);
  mlir::Value prefetchedOf(const RowPointer &row);
  /// Prefetches what one vector of the operand needs in the next iteration.
  void prefetchNext(mlir::OpOperand &operand, mlir::Value row);
  llvm::Align alignmentOfVectors();

  const StridedStaging &staged;
  /// Elements that stay the same along the row, by operand; null for others.
  llvm::SmallVector<mlir::Value> uniform;
  /// The rows that pointers go along, by operand; null for others.
  llvm::SmallVector<CurrentRow> rowOf;
  bool isStreamed = false;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_ELEMENTACCESS_H
