// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/ImageMaker.h"

#include "tegula/backends/Backend.h"
#include "tegula/launch/cache/Tunings.h"
#include "tegula/launch/call/Program.h"
#include "tegula/launch/image/CompileLog.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/PrintModule.h"
#include "tegula/runtime/ProblemError.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;

Expected<std::shared_ptr<const Target>>
tegula::findTargetOf(const KernelSource &source) {
  std::string target = source.program ? source.program->target : source.target;
  // The tuning of a program is in its target already.
  if (!source.program && source.text)
    target = tuneTarget(target, *source.text, source.kernel);
  Expected<std::shared_ptr<const Target>> found = findTarget(target);
  if (!found)
    return toError(
        Problem(Problem::Kind::Call, llvm::toString(found.takeError())));
  return found;
}

/// Runs a step that has a result, and may end in its middle.
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

/// Runs a step of the target that has both diagnostics and an error of its
/// own.
template <typename T>
static Expected<T> attemptEmit(Compilation &compilation,
                               llvm::function_ref<Expected<T>()> step) {
  std::optional<T> result;
  Error error = Error::success();
  std::vector<Diagnostic> diagnostics = compilation.getReports().collect([&] {
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
  return compilation.getReports().makeKernelError(std::move(diagnostics));
}

Expected<KernelFacts> ImageMaker::lower(llvm::ArrayRef<Argument> arguments) {
  Expected<std::shared_ptr<const Target>> goal = compilation.getTarget();
  if (!goal)
    return goal.takeError();
  beginCompileStage("front end");
  if (Error error = compilation.generate(arguments))
    return error;
  beginCompileStage("passes");
  // What the guard checks is all found once helpers stand at their calls.
  if (Error error =
          compilation.advance(std::min(Stage::Inferred, (*goal)->getStart())))
    return error;
  KernelFacts facts;
  facts.signature = tegula::getSignature(compilation.getEntry());
  Guard guard;
  if (Error error = toError(Guard::create(facts.signature, guard)))
    return error;
  if (Error error = compilation.advanceToTarget(""))
    return error;
  facts.warnings = compilation.listWarnings();
  return facts;
}

Expected<KernelImage> ImageMaker::compile(llvm::ArrayRef<Argument> arguments) {
  return recoverWith<KernelImage>(compilation,
                                  [&] { return makeImage(arguments); });
}

Expected<KernelImage>
ImageMaker::makeImage(llvm::ArrayRef<Argument> arguments) {
  Expected<KernelFacts> facts = lower(arguments);
  if (!facts)
    return facts.takeError();
  beginCompileStage("code");
  return attemptEmit<KernelImage>(compilation, [&] {
    return getTarget().emit(compilation.getModule(), std::move(*facts));
  });
}

Expected<StandaloneObject>
ImageMaker::compileStandalone(llvm::ArrayRef<Argument> arguments,
                              const std::string &name,
                              llvm::ArrayRef<BoundTensor> bound) {
  return recoverWith<StandaloneObject>(
      compilation, [&] { return makeStandalone(arguments, name, bound); });
}

Expected<StandaloneObject>
ImageMaker::makeStandalone(llvm::ArrayRef<Argument> arguments,
                           const std::string &name,
                           llvm::ArrayRef<BoundTensor> bound) {
  Expected<KernelFacts> facts = lower(arguments);
  if (!facts)
    return facts.takeError();
  const LibraryMaker *maker = getTarget().getLibraryMaker();
  assert(maker && "whoever asks for a library has looked");
  StandaloneObject object{facts->signature, /*code=*/"", facts->warnings};
  auto code = attemptEmit<std::string>(compilation, [&] {
    return maker->emitObject(compilation.getModule(), name, std::move(*facts),
                             bound);
  });
  if (!code)
    return code.takeError();
  object.code = std::move(*code);
  return object;
}

Expected<CompiledProducer>
ImageMaker::compileProducer(llvm::ArrayRef<Argument> arguments,
                            llvm::StringRef libraryName) {
  return recoverWith<CompiledProducer>(
      compilation, [&] { return makeProducer(arguments, libraryName); });
}

Expected<CompiledProducer>
ImageMaker::makeProducer(llvm::ArrayRef<Argument> arguments,
                         llvm::StringRef libraryName) {
  Expected<Signature> declared = compilation.declare();
  if (!declared)
    return declared.takeError();
  Expected<KernelFacts> facts = lower(arguments);
  if (!facts)
    return facts.takeError();
  Signature signature = withExpressions(facts->signature, *declared);
  Expected<ProducerFiles> files = attemptEmit<ProducerFiles>(compilation, [&] {
    return getTarget().emitProducer(compilation.getModule(), signature,
                                    libraryName);
  });
  if (!files)
    return files.takeError();
  return CompiledProducer{std::move(*files), std::move(facts->warnings)};
}

Expected<std::string> ImageMaker::print(llvm::StringRef wanted) {
  return recoverWith<std::string>(compilation,
                                  [&] { return printNow(wanted); });
}

Expected<std::string> ImageMaker::printNow(llvm::StringRef wanted) {
  Expected<std::shared_ptr<const Target>> goal = compilation.getTarget();
  if (!goal)
    return goal.takeError();
  if (llvm::StringRef pass = wanted; pass.consume_front(passStagePrefix)) {
    if (Error error = compilation.advanceToPass(pass))
      return error;
    return printModule(compilation.getModule()).text;
  }
  std::vector<std::string> stages = tegula::listStages(**goal);
  if (!llvm::is_contained(stages, wanted))
    return toError(makeCallProblem(
        "there is no stage '{0}'; there is: {1}, and {2}PASS for each pass",
        wanted.str(), llvm::join(stages, ", "), passStagePrefix.str()));
  if (std::optional<Stage> common = findCommonStage(wanted)) {
    if (Error error = compilation.advance(*common))
      return error;
    return printModule(compilation.getModule()).text;
  }
  if (Error error = compilation.advanceToTarget(wanted))
    return error;
  return attemptEmit<std::string>(compilation, [&] {
    return getTarget().print(compilation.getModule(), wanted);
  });
}

Expected<std::string> tegula::printStage(const KernelSource &source,
                                         llvm::StringRef stage,
                                         llvm::ArrayRef<Argument> arguments) {
  Expected<StageText> printed = printStageText(source, stage, arguments);
  if (!printed)
    return printed.takeError();
  return std::move(printed->text);
}

Expected<std::vector<std::string>> tegula::listStages(llvm::StringRef target) {
  Expected<std::shared_ptr<const Target>> found = findTarget(target);
  if (!found)
    return found.takeError();
  return listStages(**found);
}

std::vector<std::pair<std::string, std::string>> tegula::listTargetChoices() {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const Backend *backend : listBackends())
    for (TargetChoice &choice : backend->listChoices())
      choices.push_back({std::move(choice.target), std::move(choice.where)});
  return choices;
}

std::vector<TargetKind> tegula::listTargets() {
  std::vector<TargetKind> kinds;
  for (const Backend *backend : listBackends())
    kinds.push_back({backend->getUsage().str(), backend->getSummary().str()});
  return kinds;
}
