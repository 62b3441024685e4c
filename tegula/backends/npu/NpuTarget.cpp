// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/NpuTarget.h"

#include "tegula/backends/npu/NpuDialect.h"
#include "tegula/backends/npu/NpuImage.h"
#include "tegula/backends/npu/NpuMachine.h"
#include "tegula/backends/npu/NpuProducer.h"
#include "tegula/backends/npu/Passes.h"
#include "tegula/backends/npu/Pipeline.h"
#include "tegula/backends/npu/trace/HostCode.h"
#include "tegula/backends/npu/trace/TimeRegions.h"
#include "tegula/backends/npu/trace/TraceEmitter.h"
#include "tegula/backends/npu/vector/VectorCost.h"
#include "tegula/launch/cache/Digest.h"
#include "tegula/sim/machine/MachineFile.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;

static constexpr llvm::StringLiteral backendName = "npu";
static constexpr llvm::StringLiteral tilesStage = "tiles";
static constexpr llvm::StringLiteral stepsStage = "npu";
static constexpr llvm::StringLiteral vectorCodeStage = "npu-asm";
static constexpr llvm::StringLiteral traceSourceStage = "npu-c";
static constexpr llvm::StringLiteral valueBranch = "values";
static constexpr llvm::StringLiteral traceBranch = "trace";
static constexpr llvm::StringLiteral recordingBranch = "recording";

NpuTarget::NpuTarget(std::string key, sim::Machine machine)
    : key(std::move(key)), machine(std::move(machine)),
      model(makeMachineModel(this->machine)) {}

llvm::ArrayRef<StringRef> NpuTarget::getStages() const {
  static const StringRef stages[] = {tilesStage, stepsStage, vectorCodeStage,
                                     traceSourceStage};
  return stages;
}

llvm::ArrayRef<StringRef> NpuTarget::getBranches() const {
  static const StringRef branches[] = {valueBranch, traceBranch,
                                       recordingBranch};
  return branches;
}

void NpuTarget::buildPipeline(PipelineBuilder &pm, StringRef stage) const {
  buildNpuTilesPipeline(pm, model);
  if (stage == tilesStage)
    return;
  buildNpuStepsPipeline(pm, machine, model);
  if (stage == valueBranch)
    buildNpuValuePipeline(pm);
  else if (stage == traceBranch)
    buildNpuTraceCodePipeline(pm);
  else if (stage == recordingBranch)
    buildNpuRecordingPipeline(pm);
}

Expected<std::string> NpuTarget::print(mlir::ModuleOp module,
                                       StringRef stage) const {
  if (stage == vectorCodeStage)
    return printRegions(module, machine);
  if (stage == traceSourceStage)
    return makeTraceSource(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << "\n";
  return text;
}

Expected<KernelImage> NpuTarget::emit(mlir::ModuleOp module,
                                      KernelFacts facts) const {
  mlir::OwningOpRef<mlir::ModuleOp> forTrace = module.clone();
  Expected<HostCode> values = makeValueCode(module);
  if (!values)
    return values.takeError();
  Expected<TraceEmitter> emitter =
      makeTraceEmitter(*forTrace, facts.signature, machine);
  if (!emitter)
    return emitter.takeError();
  emitter->description.valueEntry = values->entry;
  KernelImage image;
  image.facts = std::move(facts);
  image.facts.runner = backendName;
  image.facts.sites = std::move(values->sites);
  bool isRecording = !emitter->description.obstacle.empty();
  image.objects = {
      {NpuImage::valueKind, std::move(values->library)},
      {isRecording ? NpuImage::recordingKind : NpuImage::traceKind,
       std::move(emitter->library)},
      {NpuImage::descriptionKind, writeDescription(emitter->description)}};
  return image;
}

Expected<ProducerFiles> NpuTarget::emitProducer(mlir::ModuleOp module,
                                                const Signature &signature,
                                                StringRef libraryName) const {
  return makeProducerFiles(module, signature, machine, libraryName);
}

StringRef NpuBackend::getName() const { return backendName; }

StringRef NpuBackend::getUsage() const { return "npu:MACHINE"; }

StringRef NpuBackend::getSummary() const {
  return "a simulated NPU: one that is shipped, such as tpuv3, or a file";
}

/// A file is known by what is in it, too.
Expected<std::unique_ptr<Target>>
NpuBackend::makeTarget(StringRef options) const {
  if (options.empty())
    return makeError("a machine is missing; there are {0}, and files",
                     llvm::join(sim::listMachines(), ", "));
  StringRef name = options.split('#').first;
  Expected<sim::Machine> machine = sim::loadMachine(name);
  if (!machine)
    return machine.takeError();
  if (Error error = checkVectorCore(*machine))
    return error;
  std::string key = (backendName + ":" + name).str();
  if (name.contains('/') || name.ends_with(".toml")) {
    Digest digest;
    digest.add(sim::printMachine(*machine));
    key += "#" + digest.finishText().substr(0, 16);
  }
  return std::make_unique<NpuTarget>(std::move(key), std::move(*machine));
}

std::vector<TargetChoice> NpuBackend::listChoices() const {
  std::vector<TargetChoice> choices;
  for (const std::string &machine : sim::listMachines())
    choices.push_back(
        {nameSimulated(machine), "on a simulated NPU, " + machine});
  return choices;
}

std::string NpuBackend::nameSimulated(StringRef machine) const {
  return (backendName + ":" + machine).str();
}

Problem NpuBackend::load(const KernelImage &image,
                         std::unique_ptr<LoadedImage> &loaded) const {
  std::unique_ptr<NpuImage> made;
  if (Problem problem = NpuImage::load(image, made))
    return problem;
  loaded = std::move(made);
  return {};
}

Expected<ReadProducer> NpuBackend::readProducer(StringRef path) const {
  return readProducerFiles(path);
}

void NpuBackend::registerDialects(mlir::DialectRegistry &registry) const {
  registry.insert<npu::NpuDialect>();
}

void NpuBackend::registerPasses() const { registerNpuPasses(); }
