// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the steps of a compilation say. Internal to the runtime.

#ifndef TEGULA_RUNTIME_STEPREPORTS_H
#define TEGULA_RUNTIME_STEPREPORTS_H

#include "tegula/launch/call/KernelWarning.h"
#include "tegula/runtime/Compiler.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

/// Collects the diagnostics of steps. All conversions of diagnostics into
/// errors go through here.
class StepReports {
public:
  /// `source` outlives this, and may change.
  StepReports(mlir::MLIRContext &context, const KernelSource &source)
      : context(context), source(source) {}

  /// The diagnostics of a step, whether it succeeded or not.
  std::vector<Diagnostic>
  collect(llvm::function_ref<llvm::LogicalResult()> step);
  /// Runs `step` and turns the diagnostics it emits into its error.
  [[nodiscard]] Error attempt(llvm::function_ref<llvm::LogicalResult()> step);
  /// The error that these diagnostics are.
  [[nodiscard]] Error makeKernelError(std::vector<Diagnostic> diagnostics);

  /// What steps that succeeded had to say. Who is quiet gets no warnings, but
  /// what the author wants said.
  std::vector<KernelWarning> listWarnings(bool isQuiet) const;
  const std::vector<Diagnostic> &listRemarks() const { return remarks; }

private:
  mlir::MLIRContext &context;
  const KernelSource &source;
  std::vector<Diagnostic> warnings;
  std::vector<Diagnostic> remarks;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_STEPREPORTS_H
