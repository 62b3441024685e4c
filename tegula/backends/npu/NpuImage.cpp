// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/NpuImage.h"

#include "tegula/backends/npu/Description.h"

using namespace tegula;

static Problem loadCode(const KernelImage &image, const char *kind,
                        const std::string &entry,
                        std::shared_ptr<CodeLibrary> &library,
                        TegulaKernel &kernel) {
  const ImageObject *object = image.find(kind);
  if (!object)
    return Problem(Problem::Kind::System,
                   std::string("the image has no object '") + kind + "'");
  if (Problem problem = CodeLibrary::load(object->bytes, library))
    return problem;
  kernel = reinterpret_cast<TegulaKernel>(library->find(entry.c_str()));
  if (!kernel)
    return Problem(Problem::Kind::System, "the code has no " + entry);
  return {};
}

Problem NpuImage::load(const KernelImage &image,
                       std::unique_ptr<NpuImage> &loaded) {
  const ImageObject *text = image.find(descriptionKind);
  Expected<NpuDescription> description =
      readDescription(text ? text->bytes : "");
  if (!description)
    return Problem(Problem::Kind::System,
                   llvm::toString(description.takeError()));
  std::unique_ptr<NpuImage> made(new NpuImage());
  made->name = description->kernel;
  made->sites = image.facts.sites;
  made->obstacle = description->obstacle;
  if (Problem problem = loadCode(image, valueKind, description->valueEntry,
                                 made->valueCode, made->values))
    return problem;
  if (made->obstacle.empty())
    if (Problem problem = loadCode(image, traceKind, description->traceEntry,
                                   made->traceCode, made->tell))
      return problem;
  for (NamedFormula &named : description->formulas) {
    made->formulaNames.push_back(std::move(named.name));
    made->formulas.push_back(named.formula);
  }
  for (auto [formula, name] : llvm::zip(made->formulas, made->formulaNames))
    formula.name = name.c_str();
  loaded = std::move(made);
  return {};
}

Problem NpuImage::run(llvm::ArrayRef<Argument>, const int64_t *slots) {
  TegulaCallState state{};
  values(slots, &state);
  return state.error ? describeRunProblem(state, sites) : Problem();
}

Expected<std::unique_ptr<sim::PushedKernel>>
NpuImage::trace(llvm::ArrayRef<int64_t> slots,
                std::vector<sim::TracedTensor> tensors) const {
  if (!tell)
    return makeTextError(obstacle);
  return std::make_unique<sim::PushedKernel>(
      name, tell, std::vector<int64_t>(slots.begin(), slots.end()),
      std::move(tensors), formulas);
}
