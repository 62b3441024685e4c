// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Steps become calls that tell them to whoever listens.

#ifndef TEGULA_BACKENDS_NPU_TRACE_EMITTRACE_H
#define TEGULA_BACKENDS_NPU_TRACE_EMITTRACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// What vector regions cost, found once for each kind of them.
class FormulaTable;

/// Replaces every op of the npu dialect in the function. If it runs, what a
/// step does follows what is told of it.
void emitTrace(mlir::func::FuncOp function, FormulaTable &formulas, bool runs);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_EMITTRACE_H
