// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/Jit.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/cpu/StandaloneEntry.h"
#include "tegula/launch/CpuFeatures.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ProblemError.h"

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

/// Runs a step of the back end that has both diagnostics and an error of its
/// own.
template <typename T>
static Expected<T> attemptNative(Compilation &compilation,
                                 llvm::function_ref<Expected<T>()> step) {
  std::optional<T> result;
  std::string message;
  Error error = compilation.attempt([&]() -> llvm::LogicalResult {
    Expected<T> value = step();
    if (value)
      result = std::move(*value);
    else
      message = llvm::toString(value.takeError());
    return llvm::success(result.has_value());
  });
  if (!error)
    return std::move(*result);
  return llvm::joinErrors(makeTextError(message), std::move(error));
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
