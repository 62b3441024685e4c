// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops whose iterations run at once become launches of work items.

#ifndef TEGULA_BACKENDS_NPU_TRACE_OUTLINEITEMS_H
#define TEGULA_BACKENDS_NPU_TRACE_OUTLINEITEMS_H

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Makes a function of the body of every outermost scf.parallel, a
/// TegulaTraceItem, and a call of the launch hook of the loop. Fails, with an
/// error, where an iteration uses what cannot be handed over as a number.
mlir::LogicalResult outlineItems(mlir::ModuleOp module);

/// Makes a loop that runs in order of every scf.parallel, and tells of the
/// iterations of the outermost ones.
void emitItemsInOrder(mlir::ModuleOp module);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_OUTLINEITEMS_H
