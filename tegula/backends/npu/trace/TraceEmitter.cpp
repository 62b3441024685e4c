// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/TraceEmitter.h"

#include "tegula/backends/npu/tiling/Tilings.h"
#include "tegula/backends/npu/trace/HostCode.h"

using namespace tegula;

/// The attribute that FormulaTable made, read back.
static std::vector<NamedFormula> readFormulas(mlir::ArrayAttr formulas) {
  std::vector<NamedFormula> read;
  if (!formulas)
    return read;
  for (auto parts : formulas.getAsRange<mlir::ArrayAttr>()) {
    auto number = [&](unsigned position) {
      return int32_t(mlir::cast<mlir::IntegerAttr>(parts[position]).getInt());
    };
    std::string name = mlir::cast<mlir::StringAttr>(parts[0]).str();
    read.push_back({name,
                    {nullptr, number(1), number(2), number(3), number(4),
                     number(5), number(6)}});
  }
  return read;
}

static std::vector<std::vector<int64_t>> readTilings(mlir::ModuleOp module) {
  std::vector<std::vector<int64_t>> tilings;
  auto attribute = module->getAttrOfType<mlir::ArrayAttr>(tilingsAttrName);
  for (auto sizes : attribute.getAsRange<mlir::ArrayAttr>()) {
    tilings.emplace_back();
    for (auto size : sizes.getAsRange<mlir::IntegerAttr>())
      tilings.back().push_back(size.getInt());
  }
  return tilings;
}

Expected<TraceEmitter> tegula::makeTraceEmitter(mlir::ModuleOp module,
                                                const Signature &signature,
                                                const sim::Machine &machine) {
  TraceEmitter traceEmitter;
  NpuDescription &description = traceEmitter.description;
  description.signature = signature;
  description.machine = machine;
  description.tilings = readTilings(module);
  mlir::OwningOpRef<mlir::ModuleOp> forRecording = module.clone();
  Expected<HostCode> code = makeTraceCode(module);
  if (!code) {
    description.obstacle = llvm::toString(code.takeError());
    code = makeRecordingCode(*forRecording);
    if (!code)
      return code.takeError();
  }
  description.traceEntry = code->entry;
  description.formulas = readFormulas(code->formulas);
  description.sites = std::move(code->sites);
  traceEmitter.library = std::move(code->library);
  return traceEmitter;
}
