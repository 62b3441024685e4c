// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/NpuImage.h"

#include "tegula/backends/npu/Description.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/producer/RecordedKernel.h"

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
  made->signature = image.facts.signature;
  made->sites = image.facts.sites;
  made->obstacle = description->obstacle;
  Expected<sim::Machine> machine =
      sim::parseMachine(description->machine, "the machine of the kernel");
  if (!machine)
    return Problem(Problem::Kind::System, llvm::toString(machine.takeError()));
  made->machine = std::move(*machine);
  made->numTilings = int64_t(description->tilings.size());
  for (const Parameter &parameter : made->signature.parameters) {
    if (parameter.isTensor())
      made->addressSlots.push_back(made->numSlots);
    made->numSlots += parameter.isTensor() ? 1 + 2 * parameter.axes->size() : 1;
  }
  if (Problem problem = loadCode(image, valueKind, description->valueEntry,
                                 made->valueCode, made->values))
    return problem;
  const char *kind = made->obstacle.empty() ? traceKind : recordingKind;
  if (Problem problem = loadCode(image, kind, description->traceEntry,
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

/// The number of the tiling is the slot after the parameters'.
static std::vector<int64_t> withTiling(llvm::ArrayRef<int64_t> slots,
                                       int64_t tiling) {
  std::vector<int64_t> extended(slots.begin(), slots.end());
  extended.push_back(tiling);
  return extended;
}

Problem NpuImage::run(llvm::ArrayRef<Argument>, const int64_t *slots) {
  TegulaCallState state{};
  llvm::ArrayRef<int64_t> given(slots, numSlots);
  values(withTiling(given, choose(given)).data(), &state);
  return state.error ? describeRunProblem(state, sites) : Problem();
}

namespace {

/// A call that is told, or was recorded: `Kernel` is how.
template <typename Kernel> class Call : public TracedCall {
public:
  Call(std::string name, TegulaKernel tell, llvm::ArrayRef<int64_t> slots,
       std::vector<sim::TracedTensor> tensors,
       std::vector<TegulaTraceFormula> formulas,
       llvm::ArrayRef<std::string> sites)
      : told(std::move(name), tell,
             std::vector<int64_t>(slots.begin(), slots.end()),
             std::move(tensors), std::move(formulas)),
        sites(sites) {}

  const TegulaTraceKernel &getKernel() const override {
    return told.getKernel();
  }
  Problem getProblem() const override {
    const TegulaCallState &state = told.getState();
    return state.error ? describeRunProblem(state, sites) : Problem();
  }

private:
  Kernel told;
  llvm::ArrayRef<std::string> sites;
};

using PushedCall = Call<sim::PushedKernel>;
using RecordedCall = Call<sim::RecordedKernel>;

} // namespace

/// From the first to the last element, however the strides lie.
static sim::TracedTensor describe(const std::string &name,
                                  const TensorView &view) {
  int64_t first = 0, last = 0;
  bool isEmpty = false;
  for (unsigned axis = 0; axis < view.rank; ++axis) {
    isEmpty |= view.sizes[axis] == 0;
    int64_t reach = (view.sizes[axis] - 1) * view.strides[axis];
    (reach < 0 ? first : last) += reach;
  }
  int64_t bytes = getSize(view.dtype);
  return {name, reinterpret_cast<int64_t>(view.data) + first * bytes,
          isEmpty ? 0 : (last - first + 1) * bytes};
}

Problem NpuImage::trace(llvm::ArrayRef<Argument> arguments,
                        llvm::ArrayRef<int64_t> slots,
                        std::unique_ptr<TracedCall> &traced) {
  std::vector<sim::TracedTensor> tensors;
  for (auto [argument, parameter] : llvm::zip(arguments, signature.parameters))
    if (argument.isTensor())
      tensors.push_back(describe(parameter.name, argument.getTensor()));
  std::vector<int64_t> withChoice = withTiling(slots, choose(slots));
  if (obstacle.empty())
    traced = std::make_unique<PushedCall>(signature.kernel, tell, withChoice,
                                          std::move(tensors), formulas, sites);
  else
    traced =
        std::make_unique<RecordedCall>(signature.kernel, tell, withChoice,
                                       std::move(tensors), formulas, sites);
  return {};
}

int64_t NpuImage::estimate(llvm::ArrayRef<int64_t> slots, int64_t tiling,
                           const sim::Machine &onMachine,
                           const sim::SimulateOptions &options) const {
  sim::PushedKernel kernel(signature.kernel, tell, withTiling(slots, tiling),
                           {}, formulas);
  Expected<sim::Result> result =
      sim::simulate(onMachine, kernel.getKernel(), options);
  if (!result) {
    llvm::consumeError(result.takeError());
    return std::numeric_limits<int64_t>::max();
  }
  return result->getCycles();
}

/// A memory that only counts bytes ranks them all; the first few are simulated
/// as they would run. Long calls are cut short for it.
int64_t NpuImage::choose(llvm::ArrayRef<int64_t> slots) const {
  if (numTilings < 2 || !obstacle.empty())
    return 0;
  std::vector<int64_t> key(slots.begin(), slots.end());
  for (size_t slot : addressSlots)
    key[slot] = 0;
  std::lock_guard<std::mutex> lock(turn);
  auto [entry, isNew] = chosen.try_emplace(std::move(key), 0);
  if (!isNew)
    return entry->second;
  constexpr size_t mostSimulated = 4;
  sim::SimulateOptions options;
  options.extrapolateAfter = 64;
  sim::Machine simple = machine;
  simple.dramLevel = sim::DramLevel::Roofline;
  std::vector<std::pair<int64_t, int64_t>> ranked;
  for (int64_t tiling = 0; tiling < numTilings; ++tiling)
    ranked.push_back({estimate(slots, tiling, simple, options), tiling});
  llvm::sort(ranked);
  ranked.resize(std::min(ranked.size(), mostSimulated));
  for (auto &[cycles, tiling] : ranked)
    cycles = estimate(slots, tiling, machine, options);
  entry->second = llvm::min_element(ranked)->second;
  return entry->second;
}
