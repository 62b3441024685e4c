// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic on numbers and conditions, as it is written by hand.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_NUMBERCODE_H
#define TEGULA_BACKENDS_CPU_MATMUL_NUMBERCODE_H

#include "mlir/IR/Builders.h"

namespace tegula {

/// Emits at the builder's insertion point. Numbers are of type index,
/// conditions i1.
class NumberCode {
public:
  NumberCode(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  // Numbers.
  /// A constant, one for all its uses in the function.
  mlir::Value number(int64_t number);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value add(mlir::Value lhs, int64_t rhs) {
    return add(lhs, number(rhs));
  }
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, int64_t rhs) {
    return mul(lhs, number(rhs));
  }
  mlir::Value min(mlir::Value lhs, mlir::Value rhs);
  mlir::Value max(mlir::Value lhs, mlir::Value rhs);
  /// Quotients of numbers that are not negative.
  mlir::Value quotient(mlir::Value number, int64_t by);
  mlir::Value quotient(mlir::Value number, mlir::Value by);
  mlir::Value roundDown(mlir::Value number, int64_t multiple);
  mlir::Value roundUp(mlir::Value number, int64_t multiple);

  // Conditions.
  mlir::Value constant(bool truth);
  mlir::Value isEqual(mlir::Value lhs, int64_t rhs);
  mlir::Value isAtMost(mlir::Value lhs, int64_t rhs);
  mlir::Value isAtLeast(mlir::Value lhs, int64_t rhs);
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);
  mlir::Value either(mlir::Value lhs, mlir::Value rhs);
  mlir::Value inverse(mlir::Value condition);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  llvm::DenseMap<int64_t, mlir::Value> numbers;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_NUMBERCODE_H
