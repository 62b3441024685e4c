// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/Jit.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/cpu/StandaloneEntry.h"
#include "tegula/launch/CpuFeatures.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/Recovery.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace tegula;

Error Compilation::lowerToCpu(const CpuOptions &options) {
  if (Error error = advance(Stage::Tiles))
    return error;
  return runPasses(
      [&](mlir::OpPassManager &manager) { buildCpuPipeline(manager, options); },
      nullptr);
}

Error Compilation::recover(llvm::function_ref<Error()> step) {
  Error error = Error::success();
  if (Error ended = runRecovering([&] { error = step(); })) {
    llvm::consumeError(std::move(error));
    // What was in work cannot be destroyed.
    module.release();
    (void)ownContext.release();
    return ended;
  }
  return error;
}

/// The same for a step that has a result.
template <typename T>
static Expected<T> recoverWith(Compilation &compilation,
                               llvm::function_ref<Expected<T>()> step) {
  std::optional<T> result;
  Error error = compilation.recover([&]() -> Error {
    Expected<T> value = step();
    if (!value)
      return value.takeError();
    result = std::move(*value);
    return Error::success();
  });
  if (error)
    return error;
  return std::move(*result);
}

/// Runs a step of the back end that has both diagnostics and an error of its
/// own.
template <typename T>
static Expected<T> attemptNative(Compilation &compilation,
                                 llvm::function_ref<Expected<T>()> step) {
  std::optional<T> result;
  Error error = Error::success();
  std::vector<Diagnostic> diagnostics = compilation.collect([&] {
    Expected<T> value = step();
    if (value)
      result = std::move(*value);
    else
      error = value.takeError();
    return llvm::success();
  });
  if (result)
    return std::move(*result);
  bool isExplained =
      llvm::any_of(diagnostics, [](const Diagnostic &diagnostic) {
        return diagnostic.severity == Severity::Error;
      });
  // What no diagnostic explains is not the kernel's.
  if (!isExplained)
    return blame(std::move(error));
  llvm::consumeError(std::move(error));
  return compilation.makeKernelError(std::move(diagnostics));
}

Expected<KernelFacts> Compilation::lower(llvm::ArrayRef<Argument> arguments,
                                         const CpuOptions &options) {
  if (Error error = generate(arguments))
    return error;
  // What the guard checks is all found once helpers stand at their calls.
  if (Error error = advance(Stage::Inferred))
    return error;
  KernelFacts facts;
  facts.signature = tegula::getSignature(getEntry());
  Guard guard;
  if (Error error = toError(Guard::create(facts.signature, guard)))
    return error;
  if (Error error = lowerToCpu(options))
    return error;
  facts.sites = sitesOf(getModule());
  return facts;
}

Expected<KernelImage> Compilation::compile(llvm::ArrayRef<Argument> arguments) {
  return compile(arguments, CpuOptions::forHost());
}

Expected<KernelImage> Compilation::compile(llvm::ArrayRef<Argument> arguments,
                                           const CpuOptions &options) {
  return recoverWith<KernelImage>(
      *this, [&] { return makeImage(arguments, options); });
}

Expected<KernelImage> Compilation::makeImage(llvm::ArrayRef<Argument> arguments,
                                             const CpuOptions &options) {
  Expected<KernelFacts> facts = lower(arguments, options);
  if (!facts)
    return facts.takeError();
  auto native = attemptNative<NativeImage>(
      *this, [&] { return compileToImage(getModule(), options); });
  if (!native)
    return native.takeError();
  KernelImage image;
  image.facts = std::move(*facts);
  image.facts.entry = std::move(native->entry);
  image.code.assign(native->code.data(), native->code.size());
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

Expected<StandaloneObject>
Compilation::compileStandalone(llvm::ArrayRef<Argument> arguments,
                               const CpuOptions &options,
                               const std::string &name) {
  return recoverWith<StandaloneObject>(
      *this, [&] { return makeStandalone(arguments, options, name); });
}

Expected<StandaloneObject>
Compilation::makeStandalone(llvm::ArrayRef<Argument> arguments,
                            const CpuOptions &options,
                            const std::string &name) {
  Expected<KernelFacts> facts = lower(arguments, options);
  if (!facts)
    return facts.takeError();
  auto finish = [&](llvm::Function &kernel,
                    const llvm::TargetMachine &machine) {
    addStandaloneEntry(kernel, {name, facts->signature, writeFacts(*facts),
                                listFeatures(machine)});
  };
  auto native = attemptNative<NativeImage>(
      *this, [&] { return compileToObject(getModule(), options, finish); });
  if (!native)
    return native.takeError();
  return StandaloneObject{
      std::move(facts->signature),
      std::string(native->code.data(), native->code.size())};
}

Expected<std::string> Compilation::print(Stage wanted) {
  return recoverWith<std::string>(*this, [&] { return printNow(wanted); });
}

Expected<std::string> Compilation::printNow(Stage wanted) {
  if (wanted <= Stage::Tiles) {
    if (Error error = advance(wanted))
      return error;
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    return text + "\n";
  }
  CpuOptions options = CpuOptions::forHost();
  if (Error error = lowerToCpu(options))
    return error;
  return attemptNative<std::string>(*this, [&] {
    return wanted == Stage::Llvm ? printLlvm(getModule(), options)
                                 : printAsm(getModule(), options);
  });
}

Expected<std::string> tegula::printStage(const KernelSource &source,
                                         Stage stage,
                                         llvm::ArrayRef<Argument> arguments) {
  Expected<KernelSource> loaded = readSource(source);
  if (!loaded)
    return loaded.takeError();
  Compilation compilation(std::move(*loaded));
  if (Error error = compilation.generate(arguments))
    return error;
  return compilation.print(stage);
}
