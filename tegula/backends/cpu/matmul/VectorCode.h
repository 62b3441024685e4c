// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code on addresses, numbers and vectors, as it is written by hand: what
/// matmuls are emitted with.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_VECTORCODE_H
#define TEGULA_BACKENDS_CPU_MATMUL_VECTORCODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace tegula {

/// Emits at the builder's insertion point. Numbers are of type index,
/// conditions i1, addresses LLVM pointers.
class VectorCode {
public:
  VectorCode(mlir::OpBuilder &builder, mlir::Location loc)
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

  // Control flow.
  void loop(mlir::Value from, mlir::Value to, mlir::Value step,
            llvm::function_ref<void(mlir::Value)> body);
  void loop(mlir::Value to, int64_t step,
            llvm::function_ref<void(mlir::Value)> body) {
    loop(number(0), to, number(step), body);
  }
  /// What goes around: the body changes the values it gets.
  using Carried = llvm::SmallVector<mlir::Value>;
  void loop(mlir::Value from, mlir::Value to, int64_t step, Carried &carried,
            llvm::function_ref<void(mlir::Value, Carried &)> body);
  void branch(mlir::Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no = nullptr);
  /// What one of them returns; both return values of the same types.
  Carried choose(mlir::Value condition, llvm::function_ref<Carried()> yes,
                 llvm::function_ref<Carried()> no);

  // Memory. Indices count elements.
  mlir::Value at(mlir::Value address, mlir::Type element, mlir::Value index);
  mlir::Value addressAsNumber(mlir::Value address);
  mlir::Value load(mlir::Type type, mlir::Value address);
  void store(mlir::Value value, mlir::Value address);
  /// Lanes that the mask leaves out are zero and not touched.
  mlir::Value load(mlir::VectorType type, mlir::Value address,
                   mlir::Value mask);
  void store(mlir::Value value, mlir::Value address, mlir::Value mask);
  /// Has the line brought to the nearest cache.
  void prefetch(mlir::Value address);
  /// The same for a line that is written.
  void prefetchForStore(mlir::Value address);

  // Vectors.
  mlir::Value zero(mlir::Type type);
  /// The first `count` lanes, all or none if it is outside of their number.
  mlir::Value mask(mlir::VectorType type, mlir::Value count);
  mlir::Value broadcast(mlir::VectorType type, mlir::Value scalar);
  /// lhs * rhs + acc.
  mlir::Value multiplyAdd(mlir::Value lhs, mlir::Value rhs, mlir::Value sum);
  mlir::Value sum(mlir::Value lhs, mlir::Value rhs);
  /// Integers: all bits of either, and those of one shifted.
  mlir::Value join(mlir::Value lhs, mlir::Value rhs);
  mlir::Value shiftLeft(mlir::Value vector, int64_t bits);
  /// The same bits as another type.
  mlir::Value reinterpret(mlir::Value value, mlir::Type type);
  /// Calls an intrinsic of LLVM.
  mlir::Value intrinsic(llvm::StringRef name, mlir::Type type,
                        mlir::ValueRange arguments);
  /// The sum of all lanes, in any order.
  mlir::Value sumOfLanes(mlir::Value vector);

  void call(mlir::func::FuncOp callee, mlir::ValueRange arguments);

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  llvm::DenseMap<int64_t, mlir::Value> numbers;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_VECTORCODE_H
