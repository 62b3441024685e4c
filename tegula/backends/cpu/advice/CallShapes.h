// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tile sizes and tensor layouts of one call, for advice on it. Of
/// what changes from iteration to iteration of a loop it knows the first
/// iteration.

#ifndef TEGULA_BACKENDS_CPU_ADVICE_CALLSHAPES_H
#define TEGULA_BACKENDS_CPU_ADVICE_CALLSHAPES_H

#include "tegula/backends/CallSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tegula {

/// Extents along all axes.
using Extents = llvm::SmallVector<int64_t, 4>;

/// The shapes of a function in a call. Nothing is said where sizes alone do not
/// tell.
class CallShapes {
public:
  CallShapes(mlir::func::FuncOp function, const CallSizes &sizes);

  /// Of a tile or a tensor.
  std::optional<Extents> findExtents(mlir::Value shaped);
  /// Elements from one to the next along each axis of a tensor.
  std::optional<Extents> findStrides(mlir::Value tensor);
  /// How many iterations a loop has.
  std::optional<int64_t> findIterations(mlir::LoopLikeOpInterface loop);
  /// How often the op runs in a call; a loop that is not known counts as one
  /// iteration.
  double countRuns(mlir::Operation *op);

private:
  std::optional<int64_t> findExtent(mlir::Value shaped, unsigned axis);
  std::optional<int64_t> evaluate(mlir::OpFoldResult value);
  std::optional<Extents> findViewStrides(mlir::Value source,
                                         llvm::ArrayRef<int64_t> extents);

  pl::SizeEvaluation sizes;
  const std::map<pl::SizeInput, int64_t> &strides;
};

double elementsOf(llvm::ArrayRef<int64_t> extents);

/// "64 x 128"
std::string formatExtents(llvm::ArrayRef<int64_t> extents);

/// The tensor that a view shows, in quotes if it is a parameter: "'x'", or "a
/// tensor that the kernel makes".
std::string nameTensor(mlir::Value view);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_ADVICE_CALLSHAPES_H
