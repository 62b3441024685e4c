// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over the elements of tensors, for ops that are made of such loops.

#ifndef TEGULA_IR_OPS_SEMANTICS_ELEMENTLOOPS_H
#define TEGULA_IR_OPS_SEMANTICS_ELEMENTLOOPS_H

#include "tegula/ir/ops/PlDialect.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::pl {

/// An index for each axis.
using Coordinates = llvm::SmallVector<mlir::Value, 4>;

/// Which axes a nest of loops iterates over, from the outside in.
struct LoopOrder {
  llvm::SmallVector<unsigned, 4> axes;
  /// True if the iterations of the outermost loop touch different elements.
  bool isParallel;
};

/// The extents of a tensor or tile as values.
Coordinates buildExtents(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value shaped);

/// Builds loops over the axes in `order` that have more than one element, in
/// place of `op`, and what `body` builds inside. It gets 0 for the other axes.
void buildElementLoops(
    mlir::OpBuilder &builder, mlir::Operation *op,
    llvm::ArrayRef<mlir::Value> extents, const LoopOrder &order,
    llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_SEMANTICS_ELEMENTLOOPS_H
