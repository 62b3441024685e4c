// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which memory an op touches, and whether it may change between two points.
/// Arguments and created tensors never overlap: the call guard sees to it.

#ifndef TEGULA_IR_MEMORYACCESS_H
#define TEGULA_IR_MEMORYACCESS_H

#include "mlir/IR/Value.h"

namespace tegula {

/// The argument or created tensor that a view is a window of; null if it is
/// neither.
mlir::Value rootOfView(mlir::Value view);

/// True if the two views may be windows of one argument or created tensor.
bool mayShareMemory(mlir::Value view, mlir::Value other);

/// True if `op`, or an op inside it, may write memory of `root`.
bool mayWrite(mlir::Operation *op, mlir::Value root);

/// True if `op`, or an op inside it, may read or write memory of `root`, or
/// does not say what it does.
bool mayTouch(mlir::Operation *op, mlir::Value root);

/// True if memory of `root` may be written after `from` has run and before `to`
/// runs. `from` dominates `to`.
bool mayBeWrittenBetween(mlir::Operation *from, mlir::Operation *to,
                         mlir::Value root);

} // namespace tegula

#endif // TEGULA_IR_MEMORYACCESS_H
