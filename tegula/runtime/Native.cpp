// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/Jit.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ProblemError.h"

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

Expected<KernelImage> Compilation::compile(llvm::ArrayRef<Argument> arguments) {
  if (Error error = generate(arguments))
    return error;
  // What the guard checks is all found once helpers stand at their calls.
  if (Error error = advance(Stage::Inferred))
    return error;
  KernelImage image;
  image.facts.signature = tegula::getSignature(getEntry());
  Guard guard;
  if (Error error = toError(Guard::create(image.facts.signature, guard)))
    return error;
  CpuOptions options = CpuOptions::forHost();
  if (Error error = lowerToCpu(options))
    return error;
  auto native = attemptNative<NativeImage>(
      *this, [&] { return compileToImage(getModule(), options); });
  if (!native)
    return native.takeError();
  image.facts.entry = std::move(native->entry);
  image.facts.sites = std::move(native->sites);
  image.code.assign(native->code.data(), native->code.size());
  return image;
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
