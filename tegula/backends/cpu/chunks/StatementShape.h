// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an op does, apart from the values it does it to: two ops of one shape
/// can be calls of one function.

#ifndef TEGULA_BACKENDS_CPU_CHUNKS_STATEMENTSHAPE_H
#define TEGULA_BACKENDS_CPU_CHUNKS_STATEMENTSHAPE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace tegula {

/// The shape of one op and of the ops that describe the memory it works on.
/// Pointers, sizes and floating-point constants are not part of it.
class StatementShape {
public:
  /// Constants that differ between statements of one shape, as far as asked.
  /// Holds while nothing changes.
  using FreeConstants = llvm::DenseMap<mlir::Operation *, bool>;

  StatementShape(mlir::Operation *op, FreeConstants &freeConstants);

  /// Equal for equal shapes. Holds pointers into the context.
  const std::vector<uintptr_t> &getKey() const { return key; }
  /// The values that a function of this shape takes.
  llvm::ArrayRef<mlir::Value> getArguments() const { return arguments; }
  /// What describes the memory, operands before users.
  llvm::ArrayRef<mlir::Operation *> getDescriptions() const {
    return descriptions;
  }
  /// False if a function cannot take some of the arguments.
  bool isShareable() const { return shareable; }

private:
  void add(mlir::Operation *op);
  void add(mlir::Region &region);
  uintptr_t numberOf(mlir::Value value);
  void number(mlir::Value value) { numbers.try_emplace(value, numbers.size()); }

  bool isFreeConstant(mlir::Operation *op);

  FreeConstants &freeConstants;
  std::vector<uintptr_t> key;
  llvm::SmallVector<mlir::Value> arguments;
  llvm::SmallVector<mlir::Operation *> descriptions;
  llvm::DenseMap<mlir::Value, uintptr_t> numbers;
  bool shareable = true;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_CHUNKS_STATEMENTSHAPE_H
