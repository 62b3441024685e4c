// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a program of steps to code for this processor.

#ifndef TEGULA_BACKENDS_NPU_TRACE_HOSTCODE_H
#define TEGULA_BACKENDS_NPU_TRACE_HOSTCODE_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tegula {

/// How code for this processor is made. Small matmuls: a kernel has several,
/// one for each way to cut it, and its values are not what is timed.
const CpuOptions &getHostOptions();

/// A shared library, its entry, and what its sites mean.
struct HostCode {
  std::string library;
  std::string entry;
  std::vector<std::string> sites;
  /// Of code that tells steps: what vector regions cost.
  mlir::ArrayAttr formulas;
};

/// Code that computes the values. The module is used up.
[[nodiscard]] Expected<HostCode> makeValueCode(mlir::ModuleOp module);

/// Code that emits the trace. The module is used up. What the steps depend on
/// besides sizes is an error.
[[nodiscard]] Expected<HostCode> makeTraceCode(mlir::ModuleOp module);

/// The same as C. The module is used up.
[[nodiscard]] Expected<std::string> makeTraceSource(mlir::ModuleOp module);

/// Code that computes the values and emits the trace meanwhile. The module is
/// used up.
[[nodiscard]] Expected<HostCode> makeRecordingCode(mlir::ModuleOp module);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_HOSTCODE_H
