// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The code that emits the trace of a kernel, as C: for those who read it, and
/// for simulators on machines without LLVM.

#ifndef TEGULA_BACKENDS_NPU_TRACE_TRACESOURCE_H
#define TEGULA_BACKENDS_NPU_TRACE_TRACESOURCE_H

#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tegula {

/// Prints what NpuToTrace made, with loops and branches. An op that has no form
/// in C is an error that names it.
[[nodiscard]] Expected<std::string> printTraceSource(mlir::ModuleOp module);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_TRACESOURCE_H
