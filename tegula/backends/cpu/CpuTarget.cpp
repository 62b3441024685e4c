// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/CpuTarget.h"

#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/cpu/advice/ExplainChoices.h"
#include "tegula/backends/cpu/object/Jit.h"
#include "tegula/backends/cpu/object/KernelImports.h"
#include "tegula/backends/cpu/object/LlvmModule.h"
#include "tegula/backends/cpu/object/StandaloneEntry.h"
#include "tegula/launch/cache/Digest.h"
#include "tegula/launch/cache/Tunings.h"
#include "tegula/launch/image/CpuFeatures.h"
#include "tegula/launch/image/HostProgram.h"
#include "tegula/support/HostTarget.h"
#include "tegula/support/Routines.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace tegula;
using llvm::StringRef;

static constexpr StringRef backendName = hostTarget;
static constexpr llvm::StringLiteral noThreads = "no-threads";
static constexpr llvm::StringLiteral lines = "lines";
static constexpr llvm::StringLiteral poison = "poison";

const MachineModel &CpuTarget::getMachine() const {
  return getCpuMachine(options ? options->useThreads : words.useThreads);
}

llvm::ArrayRef<StringRef> CpuTarget::getStages() const {
  static const StringRef stages[] = {"llvm", "asm"};
  return stages;
}

static void choose(CpuOptions &options, const ChosenNumbers &chosen) {
  // In the order of `tunableChoices`.
  Decision *decisions[] = {&options.tuning.packs, &options.tuning.copies,
                           &options.tuning.narrow};
  int64_t *numbers[] = {&options.leastStreamed, &options.leastParallelWork};
  constexpr size_t first = std::size(decisions);
  static_assert(first + std::size(numbers) == std::size(tunableChoices));
  for (auto [choice, number] : chosen)
    if (choice < first)
      *decisions[choice] = number != 0 ? Decision::Always : Decision::Never;
    else
      *numbers[choice - first] = number;
}

void CpuTargetOptions::apply(CpuOptions &options) const {
  options.useThreads = useThreads;
  options.keepsLines = keepsLines;
  options.poisonsTensors = poisonsTensors;
  choose(options, chosen);
}

/// Asking a processor what it is takes a quarter of a millisecond where there
/// is a hypervisor; finding a kernel on disk does not need it.
CpuOptions CpuTarget::getOptions() const {
  if (options)
    return *options;
  static const CpuOptions host = CpuOptions::forHost();
  CpuOptions made = host;
  words.apply(made);
  return made;
}

std::string CpuTarget::getKeyWithLines() const {
  if (options ? options->keepsLines : words.keepsLines)
    return key;
  return key + (StringRef(key).contains(':') ? "," : ":") + lines.str();
}

llvm::LogicalResult CpuTarget::explainChoices(mlir::ModuleOp module,
                                              const CallSizes &sizes) const {
  return explainCpuChoices(module, getOptions(), sizes);
}

// Both stages are texts of one module.
void CpuTarget::buildPipeline(PipelineBuilder &pm, StringRef) const {
  buildCpuPipeline(pm, getOptions(), getMachine());
}

Expected<std::string> CpuTarget::print(mlir::ModuleOp module,
                                       StringRef stage) const {
  return stage == "llvm" ? printLlvm(module, getOptions())
                         : printAsm(module, getOptions());
}

Expected<KernelImage> CpuTarget::emit(mlir::ModuleOp module,
                                      KernelFacts facts) const {
  Expected<NativeImage> native = compileToImage(module, getOptions());
  if (!native)
    return native.takeError();
  KernelImage image;
  image.facts = std::move(facts);
  image.facts.entry = std::move(native->entry);
  image.facts.features = features;
  image.facts.sites = std::move(native->sites);
  // Only host programs wait for their dispatches.
  if (module.lookupSymbol(routine::tegulaHostEnd)) {
    Digest digest;
    digest.addBytes(native->code.data(), native->code.size());
    image.facts.runner = hostProgramRunner;
    image.facts.digest = digest.finishText();
  }
  image.objects.push_back(
      {hostCode, std::string(native->code.data(), native->code.size())});
  return image;
}

/// The features of the machine's processor, as far as it is checked for them.
static std::string listFeatures(const llvm::TargetMachine &machine) {
  std::string names;
  for (std::string_view name : listCpuFeatures())
    if (machine.getMCSubtargetInfo()->checkFeatures("+" + std::string(name)))
      names += (names.empty() ? "" : " ") + std::string(name);
  return names;
}

bool CpuTarget::isTaken(const std::string &name) const {
  return isLibraryFunction(name);
}

Expected<std::string>
CpuTarget::emitObject(mlir::ModuleOp module, const std::string &name,
                      KernelFacts facts,
                      llvm::ArrayRef<BoundTensor> bound) const {
  facts.sites = sitesOf(module);
  bool takesStream = module->hasAttr(streamAttrName);
  auto finish = [&](llvm::Function &kernel,
                    const llvm::TargetMachine &machine) {
    addStandaloneEntry(kernel, {name, facts.signature, writeFacts(facts),
                                listFeatures(machine), bound, takesStream});
  };
  Expected<NativeImage> native = compileToObject(module, getOptions(), finish);
  if (!native)
    return native.takeError();
  return std::string(native->code.data(), native->code.size());
}

Expected<std::string> CpuTarget::link(llvm::ArrayRef<std::string> objects,
                                      StringRef fileName) const {
  Expected<std::vector<std::string>> libraries = findStandaloneLibraries();
  if (!libraries)
    return libraries.takeError();
  std::vector<StringRef> views(objects.begin(), objects.end());
  // Threads that help, and memory that ends with a thread may outlive whoever
  // opened the library, so it is never unloaded.
  std::vector<std::string> words = {"-soname=" + fileName.str(), "-znodelete",
                                    "-rpath=$ORIGIN"};
  Expected<FileBytes> code = linkSharedLibrary({views, {}, *libraries, words});
  if (!code)
    return code.takeError();
  return std::string(code->data(), code->size());
}

StringRef CpuBackend::getName() const { return backendName; }

std::vector<TargetChoice> CpuBackend::listChoices() const {
  return {{backendName.str(), "on this processor"}};
}

StringRef CpuBackend::getUsage() const {
  return "cpu[:[PROCESSOR][,no-threads][,lines][,poison][,CHOICE=NUMBER]]";
}

StringRef CpuBackend::getSummary() const {
  return "this processor, or one by LLVM's name such as x86-64-v3";
}

static Error rejectOption(StringRef word) {
  auto [name, number] = word.split('=');
  for (const TunableChoice &choice : tunableChoices)
    if (name == StringRef(choice.name))
      return makeError("'{0}' wants a number from {1} to {2}, got '{3}'", name,
                       choice.least, choice.most, number);
  std::string names = (noThreads + ", " + lines + ", " + poison).str();
  for (const TunableChoice &choice : tunableChoices)
    names += ", " + std::string(choice.name) + "=NUMBER";
  return makeError("there is no option '{0}'; there is: {1}", word, names);
}

Expected<std::unique_ptr<Target>>
CpuBackend::makeTarget(StringRef options) const {
  if (options.starts_with(",") || options.ends_with(","))
    return makeError(
        "an option is missing next to a comma; targets are written "
        "{0}",
        getUsage());
  llvm::SmallVector<StringRef> words;
  options.split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  StringRef processor;
  // The processor may be left out.
  if (!words.empty() && words[0] != noThreads && words[0] != lines &&
      words[0] != poison && !words[0].contains('='))
    processor = words[0];
  CpuTargetOptions asked;
  for (StringRef word : llvm::drop_begin(words, processor.empty() ? 0 : 1)) {
    size_t choice;
    int64_t number;
    if (word == noThreads)
      asked.useThreads = false;
    else if (word == lines)
      asked.keepsLines = true;
    else if (word == poison)
      asked.poisonsTensors = true;
    else if (readChoice(word, choice, number))
      asked.chosen.push_back({choice, number});
    else
      return rejectOption(word);
  }
  std::string key = backendName.str();
  if (!options.empty())
    key += (":" + options).str();
  if (processor.empty())
    return std::make_unique<CpuTarget>(std::move(key), std::move(asked));
  Expected<CpuOptions> made = CpuOptions::forCpu(processor.str());
  if (!made)
    return made.takeError();
  asked.apply(*made);
  auto machine = createTargetMachine(*made);
  if (!machine)
    return machine.takeError();
  return std::make_unique<CpuTarget>(std::move(key), std::move(*made),
                                     listFeatures(**machine));
}

void CpuBackend::registerDialects(mlir::DialectRegistry &registry) const {
  registerCpuDialects(registry);
}

void CpuBackend::registerPasses() const { registerCpuPassesByName(); }
