// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler for those who load this library only when they need it.

#include "tegula/launch/CompilerService.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/Export.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/runtime/SourceOrigin.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tegula;

/// The program as a source. It outlives the call it is given to.
static KernelSource sourceOf(const Program &program) {
  KernelSource source;
  source.path = program.blocks.empty() ? "" : program.blocks.front().path;
  source.program = std::shared_ptr<const Program>(
      std::shared_ptr<const Program>(), &program);
  return source;
}

/// Gives away the value, or the problem.
template <typename T> static Problem take(Expected<T> value, T &to) {
  if (!value)
    return toProblem(value.takeError());
  to = std::move(*value);
  return {};
}

namespace {

class Service : public CompilerService {
public:
  Problem describe(const Program &program, Signature &declared) override {
    return SourceOrigin(sourceOf(program)).describe(declared);
  }

  Problem compile(const Program &program, llvm::ArrayRef<Argument> arguments,
                  KernelImage &image) override {
    return SourceOrigin(sourceOf(program)).compile(arguments, image);
  }

  Problem interpret(const Program &program,
                    llvm::ArrayRef<Argument> arguments) override {
    Compilation compilation(sourceOf(program));
    if (Error error = compilation.generate(arguments))
      return toProblem(std::move(error));
    return toProblem(compilation.interpret(arguments), Problem::Kind::Call);
  }

  Problem print(const Program &program, const std::string &stage,
                llvm::ArrayRef<Argument> arguments,
                std::string &text) override {
    KernelSource source = sourceOf(program);
    if (stage == "source")
      return take(printSource(source, Stage::Inferred, arguments), text);
    auto known = llvm::StringSwitch<std::optional<Stage>>(stage)
                     .Case("frontend", Stage::Frontend)
                     .Case("inferred", Stage::Inferred)
                     .Case("tiles", Stage::Tiles)
                     .Case("llvm", Stage::Llvm)
                     .Case("asm", Stage::Asm)
                     .Default(std::nullopt);
    if (!known)
      return makeCallProblem("there is no stage '{0}'; there is: source, "
                             "frontend, inferred, tiles, llvm, asm",
                             stage);
    return take(printStage(source, *known, arguments), text);
  }

  Problem compare(const Program &first, const Program &second,
                  llvm::ArrayRef<Argument> arguments,
                  std::string &difference) override {
    Expected<std::optional<KernelDifference>> found = findDifference(
        sourceOf(first), sourceOf(second), Stage::Inferred, arguments);
    if (!found)
      return toProblem(found.takeError());
    difference = *found ? (*found)->text : "";
    return {};
  }

  Problem build(const Program &program, llvm::ArrayRef<Argument> arguments,
                const std::string &library,
                const std::string &header) override {
    return toProblem(exportKernels({{sourceOf(program), arguments.vec()}},
                                   {library, header, "", ""}),
                     Problem::Kind::Call);
  }
};

} // namespace

CompilerService *tegulaCompilerService() {
  static Service service;
  return &service;
}
