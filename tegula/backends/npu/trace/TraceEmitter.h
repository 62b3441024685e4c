// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The code of a kernel that tells its steps, with all there is to know about
/// it.

#ifndef TEGULA_BACKENDS_NPU_TRACE_TRACEEMITTER_H
#define TEGULA_BACKENDS_NPU_TRACE_TRACEEMITTER_H

#include "tegula/backends/npu/trace/Description.h"

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// See the file comment.
struct TraceEmitter {
  /// A shared library for this processor.
  std::string library;
  NpuDescription description;
};

/// Makes it of a module at the last stage, which is used up. Steps that depend
/// on data are emitted by code that computes values meanwhile.
[[nodiscard]] Expected<TraceEmitter>
makeTraceEmitter(mlir::ModuleOp module, const Signature &signature,
                 const sim::Machine &machine);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_TRACEEMITTER_H
