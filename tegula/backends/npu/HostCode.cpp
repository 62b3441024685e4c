// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/HostCode.h"

#include "tegula/backends/cpu/Jit.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/npu/FormulaTable.h"
#include "tegula/backends/npu/Passes.h"
#include "tegula/backends/npu/TraceSource.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace tegula;

const CpuOptions &tegula::getHostOptions() {
  static const CpuOptions options = [] {
    CpuOptions made = CpuOptions::forHost();
    made.matmul = {/*rows=*/4, /*vectors=*/2};
    return made;
  }();
  return options;
}

/// Runs the passes; what they say is the error.
static llvm::Error
runPasses(mlir::ModuleOp module,
          llvm::function_ref<void(mlir::PassManager &)> build) {
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
  mlir::PassManager pm(module.getContext());
  build(pm);
  if (mlir::failed(pm.run(module)))
    return makeTextError(text);
  return llvm::Error::success();
}

static Expected<HostCode> compile(mlir::ModuleOp module) {
  Expected<NativeImage> native = compileToImage(module, getHostOptions());
  if (!native)
    return native.takeError();
  HostCode code;
  code.library.assign(native->code.data(), native->code.size());
  code.entry = std::move(native->entry);
  code.sites = std::move(native->sites);
  code.formulas =
      module->getAttrOfType<mlir::ArrayAttr>(FormulaTable::attrName);
  return code;
}

Expected<HostCode> tegula::makeValueCode(mlir::ModuleOp module) {
  auto build = [](mlir::PassManager &pm) {
    pm.addPass(createNpuInlineSteps());
    buildCpuCodePipeline(pm, getHostOptions());
  };
  if (llvm::Error error = runPasses(module, build))
    return error;
  return compile(module);
}

/// From steps to a function that tells them, with loops and branches.
static void buildTracePipeline(mlir::PassManager &pm) {
  pm.addPass(createNpuToTrace());
  pm.addPass(createSimplify());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(mlir::arith::createArithExpandOpsPass());
}

Expected<HostCode> tegula::makeTraceCode(mlir::ModuleOp module) {
  auto build = [](mlir::PassManager &pm) {
    buildTracePipeline(pm);
    buildCpuLlvmPipeline(pm);
  };
  if (llvm::Error error = runPasses(module, build))
    return error;
  return compile(module);
}

Expected<std::string> tegula::makeTraceSource(mlir::ModuleOp module) {
  if (llvm::Error error = runPasses(module, buildTracePipeline))
    return error;
  return printTraceSource(module);
}

Expected<HostCode> tegula::makeRecordingCode(mlir::ModuleOp module) {
  auto build = [](mlir::PassManager &pm) {
    pm.addPass(createNpuToTrace({/*run=*/true}));
    buildCpuCodePipeline(pm, getHostOptions());
  };
  if (llvm::Error error = runPasses(module, build))
    return error;
  return compile(module);
}
