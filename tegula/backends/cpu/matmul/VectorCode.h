// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code on addresses, numbers and vectors, as it is written by hand: what
/// matmuls are emitted with.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_VECTORCODE_H
#define TEGULA_BACKENDS_CPU_MATMUL_VECTORCODE_H

#include "tegula/backends/cpu/matmul/FlowCode.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tegula {

/// Emits what is done with memory and vectors. Addresses are LLVM pointers.
class VectorCode : public FlowCode {
public:
  using FlowCode::FlowCode;

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
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_VECTORCODE_H
