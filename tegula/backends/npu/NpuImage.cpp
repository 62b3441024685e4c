// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/NpuImage.h"

#include "tegula/backends/npu/trace/Description.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/producer/PushedKernel.h"
#include "tegula/sim/producer/RecordedKernel.h"
#include "tegula/sim/report/WriteHtml.h"
#include "tegula/sim/report/WriteJson.h"
#include "tegula/sim/report/WriteText.h"
#include "tegula/support/HalfBytes.h"

using namespace tegula;

namespace {

/// A call that is traced, or was recorded: `Kernel` is how.
template <typename Kernel> class Call : public TracedCall {
public:
  Call(std::string name, TegulaKernel emitTrace, llvm::ArrayRef<int64_t> slots,
       std::vector<sim::TracedTensor> tensors,
       std::vector<TegulaTraceFormula> formulas,
       llvm::ArrayRef<std::string> sites)
      : traced(std::move(name), emitTrace,
               std::vector<int64_t>(slots.begin(), slots.end()),
               std::move(tensors), std::move(formulas)),
        sites(sites) {}

  const TegulaTraceKernel &getKernel() const override {
    return traced.getKernel();
  }
  Problem getProblem() const override {
    const TegulaCallState &state = traced.getState();
    return state.error ? describeRunProblem(state, sites) : Problem();
  }
  const Kernel &getTraced() const { return traced; }

private:
  Kernel traced;
  llvm::ArrayRef<std::string> sites;
};

} // namespace

static Problem toSystemProblem(llvm::Error error) {
  return Problem(Problem::Kind::System, llvm::toString(std::move(error)));
}

static Problem loadLibrary(const KernelImage &image, const char *kind,
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

NpuImage::NpuImage(const KernelImage &image, NpuDescription description)
    : signature(image.facts.signature), valueSites(image.facts.sites),
      traceSites(std::move(description.sites)),
      obstacle(std::move(description.obstacle)),
      machine(std::move(description.machine)),
      // What must run is not run to choose.
      tilings(obstacle.empty() ? int64_t(description.tilings.size()) : 1) {
  for (const Parameter &parameter : signature.parameters) {
    if (parameter.isTensor())
      addressSlots.push_back(numSlots);
    numSlots += parameter.isTensor() ? 1 + 2 * parameter.axes->size() : 1;
  }
  for (NamedFormula &named : description.formulas) {
    formulaNames.push_back(std::move(named.name));
    formulas.push_back(named.formula);
  }
  for (auto [formula, name] : llvm::zip(formulas, formulaNames))
    formula.name = name.c_str();
}

Problem NpuImage::loadCode(const KernelImage &image,
                           const NpuDescription &description) {
  if (!description.valueEntry.empty())
    if (Problem problem = loadLibrary(image, valueKind, description.valueEntry,
                                      valueCode, values))
      return problem;
  return loadLibrary(image, obstacle.empty() ? traceKind : recordingKind,
                     description.traceEntry, traceCode, emitTrace);
}

Problem NpuImage::load(const KernelImage &image,
                       std::unique_ptr<NpuImage> &loaded) {
  const ImageObject *text = image.find(descriptionKind);
  Expected<NpuDescription> description =
      readDescription(text ? text->bytes : "", "the kernel");
  if (!description)
    return toSystemProblem(description.takeError());
  std::unique_ptr<NpuImage> made(new NpuImage(image, *description));
  if (Problem problem = made->loadCode(image, *description))
    return problem;
  loaded = std::move(made);
  return {};
}

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
  if (isHalfByte(view.dtype)) {
    auto address = reinterpret_cast<int64_t>(byteOfHalf(toHalfByte(view.data)));
    return {name, address + first / 2 - (first < 0 ? 1 : 0),
            isEmpty ? 0 : (last - first) / 2 + 2};
  }
  return {name, reinterpret_cast<int64_t>(view.data) + first * bytes,
          isEmpty ? 0 : (last - first + 1) * bytes};
}

static std::vector<sim::TracedTensor>
describe(const Signature &signature, llvm::ArrayRef<Argument> arguments) {
  std::vector<sim::TracedTensor> tensors;
  for (auto [argument, parameter] : llvm::zip(arguments, signature.parameters))
    if (argument.isTensor())
      tensors.push_back(describe(parameter.name, argument.getTensor()));
  return tensors;
}

std::vector<int64_t> NpuImage::withTiling(llvm::ArrayRef<int64_t> slots,
                                          const sim::Machine &onMachine) {
  std::vector<int64_t> sizes(slots.begin(), slots.end());
  for (size_t slot : addressSlots)
    sizes[slot] = 0;
  std::vector<int64_t> extended(slots.begin(), slots.end());
  auto estimate = [&](int64_t tiling, const sim::Machine &tried,
                      const sim::SimulateOptions &options) {
    std::vector<int64_t> withTried = extended;
    withTried.push_back(tiling);
    sim::PushedKernel kernel(signature.kernel, emitTrace, std::move(withTried),
                             {}, formulas);
    Expected<sim::Result> result =
        sim::simulate(tried, kernel.getKernel(), options);
    if (result)
      return result->getCycles();
    llvm::consumeError(result.takeError());
    return std::numeric_limits<int64_t>::max();
  };
  int64_t chosen = tilings.choose(onMachine, std::move(sizes), estimate);
  extended.push_back(chosen);
  return extended;
}

NpuImage::MadeCall
NpuImage::makeCall(llvm::ArrayRef<int64_t> slots,
                   std::vector<sim::TracedTensor> tensors) const {
  if (obstacle.empty())
    return {std::make_shared<Call<sim::PushedKernel>>(
        signature.kernel, emitTrace, slots, std::move(tensors), formulas,
        traceSites)};
  auto call = std::make_shared<Call<sim::RecordedKernel>>(
      signature.kernel, emitTrace, slots, std::move(tensors), formulas,
      traceSites);
  bool isTooLong = call->getTraced().isTooLong();
  return {std::move(call), isTooLong};
}

/// Of kernels whose steps depend on data there is a limit.
static Problem reportTooLong(const Signature &signature,
                             const std::string &obstacle) {
  return makeProblem(Problem::Kind::Call,
                     "what '{0}' does depends on data, so it is recorded, and "
                     "this call does more than {1} operations, which is the "
                     "limit; {2}",
                     signature.kernel, sim::RecordedKernel::usualMostOps,
                     obstacle);
}

Problem NpuImage::run(llvm::ArrayRef<Argument> arguments,
                      const int64_t *slots) {
  if (!values && !mustRunToTrace())
    return Problem(Problem::Kind::Call,
                   "a producer tells what is done and computes no values");
  LastCall call;
  call.slots = withTiling({slots, numSlots}, machine);
  call.tensors = describe(signature, arguments);
  Problem problem;
  if (mustRunToTrace()) {
    call.recorded = makeCall(call.slots, call.tensors);
    problem = call.recorded->call->getProblem();
  } else {
    TegulaCallState state{};
    values(call.slots.data(), &state);
    if (state.error)
      problem = describeRunProblem(state, valueSites);
  }
  std::lock_guard<std::mutex> lock(mutex);
  last = std::move(call);
  return problem;
}

namespace {

/// A call that others may hold as well.
class SharedCall : public TracedCall {
public:
  explicit SharedCall(std::shared_ptr<TracedCall> call)
      : call(std::move(call)) {}
  const TegulaTraceKernel &getKernel() const override {
    return call->getKernel();
  }
  Problem getProblem() const override { return call->getProblem(); }

private:
  std::shared_ptr<TracedCall> call;
};

} // namespace

Problem NpuImage::trace(llvm::ArrayRef<Argument> arguments,
                        llvm::ArrayRef<int64_t> slots, const std::string &text,
                        std::unique_ptr<TracedCall> &traced) {
  sim::Machine onMachine = machine;
  if (!text.empty()) {
    Expected<sim::Machine> parsed = sim::parseMachine(text, "the machine");
    if (!parsed)
      return toSystemProblem(parsed.takeError());
    onMachine = std::move(*parsed);
  }
  MadeCall made =
      makeCall(withTiling(slots, onMachine), describe(signature, arguments));
  if (made.isTooLong)
    return reportTooLong(signature, obstacle);
  traced = std::make_unique<SharedCall>(std::move(made.call));
  return {};
}

/// The extents of the symbols, from the slots of the axes that have them.
static void addExtents(const Signature &signature,
                       llvm::ArrayRef<int64_t> slots, sim::ReportedRun &run) {
  size_t slot = 0;
  for (const Parameter &parameter : signature.parameters) {
    if (!parameter.isTensor()) {
      ++slot;
      continue;
    }
    for (auto [axis, declared] : llvm::enumerate(*parameter.axes))
      if (!declared.extent && !declared.expression &&
          !llvm::is_contained(run.symbols, declared.symbol)) {
        run.symbols.push_back(declared.symbol);
        run.extents.push_back(slots[slot + 1 + axis]);
      }
    slot += 1 + 2 * parameter.axes->size();
  }
}

Problem NpuImage::report(ReportFormat format, std::string &text) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!last)
    return Problem(Problem::Kind::Call, "the kernel has not been called yet");
  MadeCall made =
      last->recorded ? *last->recorded : makeCall(last->slots, last->tensors);
  if (made.isTooLong)
    return reportTooLong(signature, obstacle);
  sim::ReportedRun run;
  run.kernel = signature.kernel;
  run.machine = machine;
  addExtents(signature, last->slots, run);
  sim::OpLog log(sim::maxHtmlOps);
  sim::SimulateOptions options;
  if (format == ReportFormat::Html)
    options.observer = &log;
  Expected<sim::Result> result =
      sim::simulate(run.machine, made.call->getKernel(), options);
  if (!result)
    return toSystemProblem(result.takeError());
  run.result = std::move(*result);
  llvm::raw_string_ostream stream(text);
  switch (format) {
  case ReportFormat::Text:
    sim::writeText(run, stream);
    break;
  case ReportFormat::Json:
    sim::writeJson(run, nullptr, "", stream);
    break;
  case ReportFormat::Html:
    sim::writeHtml(run, log, nullptr, stream);
    break;
  }
  return {};
}
