// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/RunPasses.h"

#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/Recovery.h"
#include "tegula/transforms/PipelineBuilder.h"

#include "mlir/IR/Diagnostics.h"

using namespace tegula;

namespace {

struct StopBetweenPasses : mlir::PassInstrumentation {
  void runBeforePass(mlir::Pass *, mlir::Operation *) override {
    if (isStopWanted())
      stopStep();
  }
};

} // namespace

llvm::LogicalResult
tegula::runPasses(mlir::ModuleOp module,
                  llvm::function_ref<void(PipelineBuilder &)> build,
                  std::unique_ptr<mlir::PassInstrumentation> instrumentation,
                  std::optional<size_t> limit) {
  auto manager = mlir::PassManager::on<mlir::ModuleOp>(module.getContext());
  manager.enableVerifier();
  manager.addInstrumentation(std::make_unique<StopBetweenPasses>());
  if (instrumentation)
    manager.addInstrumentation(std::move(instrumentation));
  PipelineBuilder builder(manager, limit.value_or(PipelineBuilder::allPasses));
  build(builder);
  return manager.run(module);
}

llvm::Error
tegula::runPassesForError(mlir::ModuleOp module,
                          llvm::function_ref<void(PipelineBuilder &)> build) {
  std::string text;
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        llvm::raw_string_ostream stream(text);
        if (!text.empty())
          stream << "\n";
        if (auto fileLoc = diagnostic.getLocation()
                               ->findInstanceOf<mlir::FileLineColLoc>())
          stream << fileLoc.getFilename().getValue() << ":" << fileLoc.getLine()
                 << ":" << fileLoc.getColumn() << ": ";
        stream << diagnostic;
        return mlir::success();
      });
  if (failed(runPasses(module, build)))
    return makeTextError(text);
  return llvm::Error::success();
}
