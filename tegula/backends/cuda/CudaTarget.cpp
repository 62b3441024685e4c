// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/CudaTarget.h"

#include "tegula/backends/ConcurrentStep.h"
#include "tegula/backends/RunPasses.h"
#include "tegula/backends/cpu/CpuTarget.h"
#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/Pipeline.h"
#include "tegula/backends/cuda/assembler/DeviceModule.h"
#include "tegula/backends/cuda/assembler/HostModule.h"
#include "tegula/backends/cuda/assembler/PtxMachine.h"
#include "tegula/backends/cuda/variants/ExplainVariant.h"
#include "tegula/backends/cuda/variants/KernelLibrary.h"
#include "tegula/launch/device/DeviceRuntime.h"
#include "tegula/support/Recovery.h"

#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace tegula;
using llvm::StringRef;

static constexpr llvm::StringLiteral backendName = "cuda";
static constexpr llvm::StringLiteral emulateWord = "emulate";
static constexpr llvm::StringLiteral cudaUsage =
    "cuda[:CHIP[,CHIP...]|:emulate[-CHIP][,whole-blocks]][,memory]"
    "[,general]";
static constexpr llvm::StringLiteral wholeWord = "whole-blocks";
/// Tiles stay in memory. Without it they are in registers, which `registers`
/// says once more.
static constexpr llvm::StringLiteral memoryWord = "memory";
static constexpr llvm::StringLiteral registersWord = "registers";
static constexpr llvm::StringLiteral generalWord = "general";
static constexpr llvm::StringLiteral fitStage = "fit";
static constexpr llvm::StringLiteral layoutsStage = "layouts";
static constexpr llvm::StringLiteral blocksStage = "blocks";
static constexpr llvm::StringLiteral deviceStage = "device";
static constexpr llvm::StringLiteral llvmStage = "nvvm";
static constexpr llvm::StringLiteral ptxStage = "ptx";
static constexpr llvm::StringLiteral hostStage = "host";
static constexpr llvm::StringLiteral epilogueBranch = "epilogue";
/// What is made if no chip is named and there is no GPU: text that drivers
/// assemble for chips since this one.
static constexpr llvm::StringLiteral anyChip = "sm_80";

/// The oldest that has the instructions of every kernel.
static constexpr unsigned firstChip = 70;

/// What is emulated if no chip is named.
static constexpr llvm::StringLiteral emulatedChip = "sm_90a";

const MachineModel &CudaTarget::getMachine() const { return getCudaMachine(); }

llvm::ArrayRef<StringRef> CudaTarget::getStages() const {
  static const StringRef stages[] = {fitStage,    layoutsStage, blocksStage,
                                     deviceStage, llvmStage,    ptxStage,
                                     hostStage};
  return stages;
}

llvm::ArrayRef<StringRef> CudaTarget::getBranches() const {
  static const StringRef branches[] = {deviceStage, epilogueBranch, hostStage};
  return branches;
}

CudaBlocks CudaTarget::describeBlocks() const {
  int64_t shared = getSharedBytes(chips.front());
  for (const std::string &chip : chips)
    shared = std::min(shared, getSharedBytes(chip));
  constexpr int64_t lanes = 32;
  return {(isEmulated ? emulatedThreads : cudaThreads) / lanes, shared,
          keepsAllTiles(), llvm::all_of(chips, hasMatmuls), isGeneral};
}

void CudaTarget::buildPipeline(PipelineBuilder &pm, StringRef stage) const {
  CudaBlocks blocks = describeBlocks();
  buildCudaFitPipeline(pm, blocks);
  if (stage == fitStage)
    return;
  buildCudaLayoutsPipeline(pm, getMachine(), blocks);
  if (stage == layoutsStage)
    return;
  buildCudaBlocksPipeline(pm, blocks);
  if (stage == blocksStage)
    return;
  buildCudaVariantsPipeline(pm);
  if (stage == hostStage)
    buildCudaHostPipeline(pm, isEmulated);
  else if (stage == epilogueBranch)
    buildCudaEpiloguePipeline(pm);
  else if (!stage.empty())
    buildCudaDevicePipeline(pm);
}

bool CudaTarget::keepsAllTiles() const {
  return keepsTiles && llvm::all_of(chips, hasTiles);
}

double CudaTarget::getRounding(pl::Precision precision) const {
  StringRef name = pl::stringifyPrecision(precision);
  double rounding = tegula::getRounding(name, MatmulCode::Tiles);
  if (llvm::any_of(chips, hasMatmuls))
    rounding =
        std::max(rounding, tegula::getRounding(name, MatmulCode::Hopper));
  return rounding;
}

llvm::LogicalResult CudaTarget::explainVariant(mlir::ModuleOp module) const {
  auto any = [&](bool (*has)(StringRef)) {
    return llvm::any_of(chips,
                        [&](const std::string &chip) { return has(chip); });
  };
  return tegula::explainVariant(
      module, {any(hasMatmuls), any(hasTiles), llvm::join(chips, ", ")},
      describeBlocks());
}

Expected<std::string> CudaTarget::print(mlir::ModuleOp module,
                                        StringRef stage) const {
  if (stage == llvmStage || stage == ptxStage)
    return printDeviceCode(module, chips.front(),
                           stage == llvmStage ? DeviceText::LlvmIr
                                              : DeviceText::Ptx);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << "\n";
  return text;
}

/// The kernel, assembled for a chip.
static Expected<std::string> makeCode(mlir::ModuleOp module,
                                      const std::string &chip) {
  mlir::OwningOpRef<mlir::ModuleOp> device = module.clone();
  if (Error error = runPassesForError(*device, buildCudaDevicePipeline))
    return error;
  Expected<std::string> ptx = printDeviceCode(*device, chip, DeviceText::Ptx);
  if (!ptx)
    return ptx.takeError();
  return assemble(*ptx, chip);
}

/// Whether matmuls of the program have tuned code of the chip's own.
static bool hasHopperMatmul(const GpuProgram &program, StringRef chip) {
  return program.matmul && hasHopperVariant(program.matmul->element) &&
         hasMatmuls(chip);
}

/// What a chip has for matmuls or attention.
static Expected<std::string> makeOwnCode(const GpuProgram &program,
                                         StringRef store,
                                         const std::string &chip) {
  Expected<std::string> ptx =
      hasHopperMatmul(program, chip)
          ? printMatmuls(chip, *program.matmul, store)
      : program.matmul ? printTiles(chip, program.matmul->element, store)
                       : printAttention(chip, *program.attention);
  if (!ptx)
    return ptx.takeError();
  return assemble(*ptx, chip);
}

/// Adds the code for a chip to the program: the kernel itself, and the variants
/// of the chip's own meanwhile.
static Error addCodes(mlir::ModuleOp module, StringRef store,
                      const std::string &chip, GpuProgram &program) {
  bool isTiles =
      program.matmul && hasTiles(chip) && !hasHopperMatmul(program, chip);
  std::optional<Expected<std::string>> code, own;
  std::optional<ConcurrentStep> concurrent;
  if (isTiles || hasHopperMatmul(program, chip) ||
      (program.attention && hasMatmuls(chip)))
    concurrent.emplace([&] { own.emplace(makeOwnCode(program, store, chip)); });
  Error ended = runRecovering([&] { code.emplace(makeCode(module, chip)); });
  bool isMade = !ended && *code;
  Error endedConcurrent =
      concurrent ? concurrent->finish(/*stops=*/!isMade) : Error::success();
  if (!isMade) {
    llvm::consumeError(std::move(endedConcurrent));
    if (own)
      llvm::consumeError(own->takeError());
    return ended ? endStep(std::move(ended)) : code->takeError();
  }
  if (endedConcurrent)
    return endStep(std::move(endedConcurrent));
  program.codes.push_back({chip, std::move(**code)});
  if (!own)
    return Error::success();
  if (!*own)
    return own->takeError();
  (isTiles ? program.tileCodes : program.matmulCodes)
      .push_back({chip, std::move(**own)});
  return Error::success();
}

/// Kernels run from the code of the host.
Error CudaTarget::makeEmulated(mlir::ModuleOp module, GpuProgram program,
                               StringRef store) const {
  const std::string &chip = chips.front();
  program.codes.push_back({chip, ""});
  bool isOwn = hasHopperMatmul(program, chip);
  bool isTiles = program.matmul && !isOwn && hasTiles(chip);
  if (!isOwn && !isTiles && !(program.attention && hasMatmuls(chip)))
    return lowerHost(module, program, EmulatedKernels());
  Expected<EmulatedKernels> kernels =
      isOwn     ? emulateMatmuls(chip, *program.matmul, store)
      : isTiles ? emulateTiles(chip, program.matmul->element, store)
                : emulateAttention(chip, *program.attention);
  if (!kernels)
    return kernels.takeError();
  (isTiles ? program.tileCodes : program.matmulCodes).push_back({chip, ""});
  return lowerHost(module, program, *kernels);
}

Error CudaTarget::makeHost(mlir::ModuleOp module,
                           const Signature &signature) const {
  Expected<std::string> store = takeEpilogue(module);
  if (!store)
    return store.takeError();
  GpuProgram program = describeKernel(
      module, signature, isEmulated ? emulatedThreads : cudaThreads);
  if (isEmulated)
    return makeEmulated(module, std::move(program), *store);
  for (const std::string &chip : chips)
    if (Error error = addCodes(module, *store, chip, program))
      return error;
  return lowerHost(module, program, std::nullopt);
}

Expected<KernelImage> CudaTarget::emit(mlir::ModuleOp module,
                                       KernelFacts facts) const {
  if (Error error = makeHost(module, facts.signature))
    return error;
  return host->emit(module, std::move(facts));
}

bool CudaTarget::isTaken(const std::string &name) const {
  return anyHost->getLibraryMaker()->isTaken(name);
}

Expected<std::string>
CudaTarget::emitObject(mlir::ModuleOp module, const std::string &name,
                       KernelFacts facts,
                       llvm::ArrayRef<BoundTensor> bound) const {
  if (Error error = makeHost(module, facts.signature))
    return error;
  module->setAttr(streamAttrName, mlir::UnitAttr::get(module.getContext()));
  return anyHost->getLibraryMaker()->emitObject(module, name, std::move(facts),
                                                bound);
}

Expected<std::string> CudaTarget::link(llvm::ArrayRef<std::string> objects,
                                       StringRef fileName) const {
  return anyHost->getLibraryMaker()->link(objects, fileName);
}

StringRef CudaBackend::getName() const { return backendName; }

StringRef CudaBackend::getUsage() const { return cudaUsage; }

StringRef CudaBackend::getSummary() const {
  return "NVIDIA GPUs, by chip such as sm_90a, or one that is emulated";
}

std::vector<TargetChoice> CudaBackend::listChoices() const {
  return {{(backendName + ":" + emulateWord).str(), "on an emulated GPU"}};
}

/// What is said of an emulated GPU; its chip is left.
static Error takeEmulated(llvm::SmallVectorImpl<StringRef> &words,
                          CudaTarget::Words &asked) {
  if (words.empty())
    return Error::success();
  StringRef first = words.front();
  if (!first.consume_front(emulateWord) ||
      !(first.empty() || first.starts_with("-")))
    return Error::success();
  bool isNamed = first.consume_front("-");
  if (isNamed && first.empty())
    return makeError("'{0}-' names no GPU; targets are written {1}",
                     emulateWord, cudaUsage);
  bool isWhole = words.size() == 2 && words.back() == wholeWord;
  if (words.size() > 1 && !isWhole)
    return makeError("one GPU is emulated; targets are written {0}", cudaUsage);
  asked.isEmulated = true;
  if (isWhole)
    asked.emulatedThreads = cudaThreads;
  words.clear();
  if (isNamed)
    words.push_back(first);
  return Error::success();
}

/// Takes the words away that say how kernels are compiled; chips are left.
static void takeWords(llvm::SmallVectorImpl<StringRef> &words,
                      CudaTarget::Words &asked) {
  llvm::erase_if(words, [&](StringRef word) {
    asked.keepsTiles &= word != memoryWord;
    asked.isGeneral |= word == generalWord;
    return word == memoryWord || word == registersWord || word == generalWord;
  });
}

Expected<std::unique_ptr<Target>>
CudaBackend::makeTarget(StringRef options) const {
  CudaTarget::Words asked;
  asked.key = backendName.str();
  if (!options.empty())
    asked.key += (":" + options).str();
  else if (std::string first;
           !findDeviceRuntime(backendName.str())->findTarget(0, first)) {
    asked.key = first;
    options = StringRef(asked.key).split(':').second;
  }
  llvm::SmallVector<StringRef> words;
  if (!options.empty())
    options.split(words, ',');
  takeWords(words, asked);
  if (Error error = takeEmulated(words, asked))
    return error;
  for (StringRef word : words) {
    if (!word.starts_with("sm_") || !isChip(word))
      return makeError("there is no GPU '{0}'; targets are written {1}", word,
                       getUsage());
    if (getChipNumber(word) < firstChip)
      return makeError("code is made for GPUs since sm_{0}, and '{1}' is older",
                       firstChip, word);
    if (!llvm::is_contained(asked.chips, word))
      asked.chips.push_back(word.str());
  }
  if (asked.chips.empty())
    asked.chips.push_back(asked.isEmulated ? emulatedChip.str()
                                           : anyChip.str());
  Expected<std::unique_ptr<Target>> host = CpuBackend().makeTarget("");
  if (!host)
    return host.takeError();
  Expected<std::unique_ptr<Target>> anyHost = CpuBackend().makeTarget("x86-64");
  if (!anyHost)
    return anyHost.takeError();
  return std::make_unique<CudaTarget>(std::move(asked), std::move(*host),
                                      std::move(*anyHost));
}

void CudaBackend::registerDialects(mlir::DialectRegistry &registry) const {
  registry.insert<cuda::CudaDialect>();
}

void CudaBackend::registerPasses() const { registerCudaPasses(); }
