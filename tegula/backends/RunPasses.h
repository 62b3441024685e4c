// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How passes are run on a module: with the verifier after each, and no further
/// once whoever waits no longer wants the result.

#ifndef TEGULA_BACKENDS_RUNPASSES_H
#define TEGULA_BACKENDS_RUNPASSES_H

#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>

namespace tegula {

class PipelineBuilder;

/// Runs the passes that `build` adds, or the first `limit` of them. What they
/// say goes to the handler of the context; the instrumentation, if there is
/// one, sees every pass.
llvm::LogicalResult
runPasses(mlir::ModuleOp module,
          llvm::function_ref<void(PipelineBuilder &)> build,
          std::unique_ptr<mlir::PassInstrumentation> instrumentation = nullptr,
          std::optional<size_t> limit = std::nullopt);

/// The same where nobody listens: what passes say, with its locations, is the
/// error.
Error runPassesForError(mlir::ModuleOp module,
                        llvm::function_ref<void(PipelineBuilder &)> build);

} // namespace tegula

#endif // TEGULA_BACKENDS_RUNPASSES_H
