// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic of threads, on indices and on numbers of 32 bits; what is known
/// is folded as it is built.

#ifndef TEGULA_BACKENDS_CUDA_THREADS_THREADMATH_H
#define TEGULA_BACKENDS_CUDA_THREADS_THREADMATH_H

#include "tegula/backends/cuda/threads/ThreadCode.h"

namespace tegula {

/// Emits at the builder's insertion point.
class ThreadMath {
public:
  ThreadMath(mlir::OpBuilder &builder, mlir::Location loc, ThreadCode &code)
      : builder(builder), loc(loc), code(code) {}

  using Value = mlir::Value;

  Value add(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::AddIOp>(loc, lhs, rhs);
  }
  Value sub(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::SubIOp>(loc, lhs, rhs);
  }
  Value mul(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::MulIOp>(loc, lhs, rhs);
  }
  Value div(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::DivUIOp>(loc, lhs, rhs);
  }
  Value rem(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::RemUIOp>(loc, lhs, rhs);
  }
  Value min(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::MinSIOp>(loc, lhs, rhs);
  }
  Value both(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::AndIOp>(loc, lhs, rhs);
  }
  Value below(Value lhs, Value rhs) { return code.isBelow(lhs, rhs); }
  Value isEqual(Value lhs, Value rhs) {
    return mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::eq, lhs, rhs);
  }
  /// A number of 32 bits.
  Value constant(int64_t number) {
    return mlir::arith::ConstantIntOp::create(builder, loc, number, 32);
  }
  Value toIndex(Value number) {
    return mlir::arith::IndexCastOp::create(builder, loc,
                                            builder.getIndexType(), number);
  }
  Value toWord32(Value index) {
    return mlir::arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                            index);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  ThreadCode &code;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_THREADS_THREADMATH_H
