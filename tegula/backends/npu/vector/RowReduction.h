// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the elements of a row are combined to one number by a loop that LLVM
/// makes vectors of.

#ifndef TEGULA_BACKENDS_NPU_VECTOR_ROWREDUCTION_H
#define TEGULA_BACKENDS_NPU_VECTOR_ROWREDUCTION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace tegula {

/// One combination: what the loop carries for it, and its result.
class RowReduction {
public:
  /// How `yielded` combines what came before, `acc`, with an element; nothing
  /// if that takes more than one operation, or is a product, which RISC-V has
  /// no instruction for.
  static std::optional<RowReduction> find(mlir::Value acc, mlir::Value yielded);

  /// The operation that combines, which is not in the loop as it is.
  mlir::Operation *getOp() const { return op; }
  /// The element that it combines with.
  mlir::Value getCombined() const { return combined; }

  /// Appends what the loop starts from.
  void addStarts(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value acc,
                 mlir::SmallVectorImpl<mlir::Value> &starts) const;
  /// Takes what is carried off the front of `carried` and appends what it is
  /// in the next iteration.
  void addNexts(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::Value element, mlir::ValueRange &carried,
                mlir::SmallVectorImpl<mlir::Value> &nexts) const;
  /// Takes what was carried off the front of `results`: the row's number.
  mlir::Value finish(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::ValueRange &results) const;

private:
  RowReduction(mlir::Operation *op, mlir::Value combined)
      : op(op), combined(combined) {}

  mlir::Operation *op;
  mlir::Value combined;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_VECTOR_ROWREDUCTION_H
