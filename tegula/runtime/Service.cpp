// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler for those who load this library only when they need it.

#include "tegula/backends/Backend.h"
#include "tegula/launch/image/CompilerService.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/Export.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/runtime/SourceOrigin.h"
#include "tegula/runtime/profile/CycleProfile.h"
#include "tegula/runtime/profile/FormatProfile.h"
#include "tegula/runtime/profile/TensorMemory.h"
#include "tegula/runtime/simulation/SimulatedTarget.h"
#include "tegula/support/SourceFiles.h"
#include "tegula/torch/KernelWriter.h"

#include "llvm/Support/FormatVariadic.h"

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

/// What a call takes on a machine that is simulated.
static Problem simulate(const KernelSource &source,
                        llvm::ArrayRef<Argument> arguments,
                        const sim::Machine &machine, std::string &text) {
  Expected<CycleProfile> found = profileCycles(source, arguments, machine);
  if (!found)
    return toProblem(found.takeError(), Problem::Kind::Call);
  Expected<const std::string *> lines = source.files->find(source.path);
  std::string written = lines && *lines ? **lines : "";
  llvm::consumeError(lines.takeError());
  text = llvm::formatv("{0} cycles on {1}\n", found->result.getCycles(),
                       machine.name)
             .str() +
         formatCycles(*found, machine, written);
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

  Problem load(const KernelImage &image,
               std::unique_ptr<LoadedImage> &loaded) override {
    const Backend *backend = findBackend(image.facts.runner);
    if (!backend)
      return makeProblem(Problem::Kind::System,
                         "there is no back end '{0}' to run the kernel",
                         image.facts.runner);
    return backend->load(image, loaded);
  }

  Problem print(const Program &program, const std::string &stage,
                llvm::ArrayRef<Argument> arguments,
                std::string &text) override {
    KernelSource source = sourceOf(program);
    if (stage == "source")
      return take(printSource(source, Stage::Inferred, arguments), text);
    return take(printStage(source, stage, arguments), text);
  }

  Problem profile(const Program &program, llvm::ArrayRef<Argument> arguments,
                  double seconds, std::string &text) override {
    Expected<KernelSource> source = readSource(sourceOf(program));
    if (!source)
      return toProblem(source.takeError());
    Expected<std::optional<sim::Machine>> machine =
        findSimulatedMachine(*source);
    if (!machine)
      return toProblem(machine.takeError());
    if (*machine)
      return simulate(*source, arguments, **machine, text);
    Expected<Profile> found = tegula::profile(*source, arguments, seconds);
    if (!found)
      return toProblem(found.takeError(), Problem::Kind::Call);
    text = formatRates(measureRates(*found, arguments), found->isCounted) +
           formatLines(*found, *source->files);
    return {};
  }

  Problem summarizeMemory(const Program &program,
                          llvm::ArrayRef<Argument> arguments,
                          std::string &text) override {
    Expected<KernelSource> source = readSource(sourceOf(program));
    if (!source)
      return toProblem(source.takeError());
    Expected<TensorBytes> memory = findTensorMemory(*source, arguments);
    if (!memory)
      return toProblem(memory.takeError());
    text = describeMemory(*memory);
    return {};
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

  Problem importGraph(const std::string &json, std::string &text,
                      std::vector<std::string> &unknown) override {
    Expected<torch::Graph> graph = torch::readGraph(json);
    if (!graph)
      return toProblem(graph.takeError());
    unknown = torch::KernelWriter(*graph).listUnknown();
    if (!unknown.empty())
      return {};
    return take(torch::KernelWriter(*graph).write(), text);
  }

  Problem build(const Program &program, llvm::ArrayRef<Argument> arguments,
                const std::string &library, const std::string &header,
                const std::vector<std::string> &bound) override {
    return toProblem(
        exportKernels({{sourceOf(program), arguments.vec(), bound}},
                      {library, header, "", program.target})
            .takeError(),
        Problem::Kind::Call);
  }
};

} // namespace

CompilerService *tegulaCompilerService() {
  static Service service;
  return &service;
}
