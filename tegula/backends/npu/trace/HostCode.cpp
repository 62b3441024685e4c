// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/HostCode.h"

#include "tegula/backends/RunPasses.h"
#include "tegula/backends/cpu/object/Jit.h"
#include "tegula/backends/npu/Pipeline.h"
#include "tegula/backends/npu/tiling/FormulaTable.h"
#include "tegula/backends/npu/trace/TraceSource.h"

using namespace tegula;

const CpuOptions &tegula::getHostOptions() {
  static const CpuOptions options = [] {
    CpuOptions made = CpuOptions::forHost();
    made.matmul = {/*rows=*/4, /*vectors=*/2};
    return made;
  }();
  return options;
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
  if (llvm::Error error = runPassesForError(module, buildNpuValuePipeline))
    return error;
  return compile(module);
}

Expected<HostCode> tegula::makeTraceCode(mlir::ModuleOp module) {
  if (llvm::Error error = runPassesForError(module, buildNpuTraceCodePipeline))
    return error;
  return compile(module);
}

Expected<std::string> tegula::makeTraceSource(mlir::ModuleOp module) {
  if (llvm::Error error = runPassesForError(module, buildNpuTracePipeline))
    return error;
  return printTraceSource(module);
}

Expected<HostCode> tegula::makeRecordingCode(mlir::ModuleOp module) {
  if (llvm::Error error = runPassesForError(module, buildNpuRecordingPipeline))
    return error;
  return compile(module);
}
