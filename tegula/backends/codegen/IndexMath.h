// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic on sizes, offsets and strides that are constants where they can
/// be and index values where they must.

#ifndef TEGULA_BACKENDS_CODEGEN_INDEXMATH_H
#define TEGULA_BACKENDS_CODEGEN_INDEXMATH_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace tegula {

/// Constants where they can be, index values where they must.
using Indices = llvm::SmallVector<mlir::OpFoldResult, 4>;

/// Index expressions; everything is folded as it is built.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpFoldResult constant(int64_t number);
  mlir::OpFoldResult add(mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  mlir::OpFoldResult sub(mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  mlir::OpFoldResult mul(mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  mlir::OpFoldResult min(mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  mlir::OpFoldResult max(mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  /// The i64 or index value as an SSA value of type index.
  mlir::Value value(mlir::OpFoldResult number);
  /// The SSA value as a constant if it is one.
  static mlir::OpFoldResult fold(mlir::Value value);
  /// The number, if it is a constant.
  static std::optional<int64_t> number(mlir::OpFoldResult index);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_INDEXMATH_H
