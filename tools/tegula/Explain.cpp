// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tegula explain --perf`: where the time of a kernel goes, and how near it is
// to what the machine can do.

#include "tegula/launch/cache/Tunings.h"
#include "tegula/launch/device/CallDescription.h"
#include "tegula/launch/device/DeviceRuntime.h"
#include "tegula/runtime/profile/FormatProfile.h"
#include "tegula/runtime/simulation/SimulatedTarget.h"
#include "tegula/support/SourceFiles.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/sim/ExplainCycles.h"
#include "tools/tegula/sim/Workload.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
namespace json = llvm::json;

CommandSpec tegula::describeExplain() {
  CommandSpec spec;
  spec.name = "explain";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "say what a kernel compiles to, and with --perf why it takes "
                 "its time";
  spec.details =
      "Says what of the kernel is fixed when it is compiled, what a call must "
      "satisfy, which\nloops run in order, and which variant it has on a GPU. "
      "With "
      "--perf it is called at the given\nsize: the source with each line's "
      "share of the time, what is computed and moved next to\nwhat one core of "
      "this machine can do, what the compiler could not do, and what to\n"
      "change. For a simulated NPU it is the source with the cycles of its "
      "units. For a GPU it\nis the variant of the kernel that the call takes, "
      "and "
      "why, which --dim alone tells too.\n\n"
      "  tegula explain examples/softmax.py --perf --dim M=4096 --dim N=1024\n";
  spec.options = getWorkloadOptions();
  spec.options.push_back(getTargetOption());
  spec.options.push_back({"perf", "", "run it and say where the time goes"});
  spec.options.push_back(
      {"time", "MILLISECONDS", "time to spend on --perf (1000)"});
  spec.options.push_back({"json", "", "print what --perf finds as JSON"});
  return spec;
}

static json::Object toJson(const Profile &profile, const ProfileRates &rates,
                           const Workload &workload, llvm::StringRef kernel) {
  json::Object dims;
  for (const auto &[name, extent] : workload.dims)
    dims[name] = extent;
  json::Array lines;
  for (const LineShare &line : profile.lines)
    lines.push_back(
        json::Object{{"file", json::fixUTF8(line.location.file)},
                     {"line", line.location.line},
                     {"share", static_cast<double>(line.samples) /
                                   static_cast<double>(profile.samples)}});
  json::Array remarks;
  for (const Diagnostic &remark : profile.remarks)
    remarks.push_back(
        json::Object{{"file", json::fixUTF8(remark.location.file)},
                     {"line", remark.location.line},
                     {"message", json::fixUTF8(remark.message)}});
  return json::Object{{"kernel", kernel},
                      {"dims", std::move(dims)},
                      {"seconds", rates.seconds},
                      {"calls", static_cast<int64_t>(profile.calls)},
                      {"threads", profile.threads},
                      {"operations", rates.operations},
                      {"operations_exact", profile.isCounted},
                      {"bytes", rates.bytes},
                      {"peak_operations_per_second", rates.peak},
                      {"copy_bytes_per_second", rates.copyRate},
                      {"bound", describeBound(rates)},
                      {"lines", std::move(lines)},
                      {"waiting", static_cast<double>(profile.waiting) /
                                      static_cast<double>(std::max<uint64_t>(
                                          1, profile.samples))},
                      {"remarks", std::move(remarks)}};
}

static Expected<int> explainTime(const CommandLine &line,
                                 const KernelSource &source) {
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Expected<uint64_t> budget = line.getNumber("time", 1000, 10, 600000);
  if (!budget)
    return budget.takeError();
  Progress progress("preparing the arguments");
  Expected<Signature> signature = readSignature(source);
  if (!signature)
    return signature.takeError();
  Expected<Workload> workload = makeWorkload(*signature, *request);
  if (!workload)
    return workload.takeError();
  progress.update("measuring");
  Expected<Profile> profile =
      tegula::profile(source, workload->arguments, *budget / 1000.0);
  if (!profile)
    return profile.takeError();
  ProfileRates rates = measureRates(*profile, workload->arguments);
  progress.clear();
  std::string tuned = source.target.empty()
                          ? findTuned(digestTuned(*source.text), source.kernel)
                          : "";
  if (line.has("json")) {
    json::Object report = toJson(*profile, rates, *workload, signature->kernel);
    report["tuned"] = tuned;
    llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(report)));
    return 0;
  }
  llvm::outs() << signature->format() << "\n"
               << formatDims(*signature, workload->dims) << ": "
               << formatTime(rates.seconds) << " a call, median of "
               << profile->calls << "\n";
  llvm::outs() << formatRates(rates, profile->isCounted);
  if (!tuned.empty())
    llvm::outs() << "  chosen by 'tegula tune': " << tuned << "\n";
  llvm::outs() << formatLines(*profile, *source.files);
  return 0;
}

/// Says which variant of a kernel a call at the given size runs on its device.
/// Nothing is in the memory of its tensors.
static Error explainCall(const CommandLine &line, const KernelSource &source) {
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Progress progress("compiling");
  Expected<Kernel> kernel = loadKernel(source);
  if (!kernel)
    return kernel.takeError();
  Expected<Workload> workload =
      makeWorkload(kernel->getSignature(), *request, WorkloadMemory::MadeUp);
  if (!workload)
    return workload.takeError();
  CallDescriber describer;
  if (Error error = (*kernel)(workload->arguments))
    return error;
  progress.clear();
  llvm::outs() << formatDims(kernel->getSignature(), workload->dims) << ":\n"
               << describer.get().text << "\n";
  return Error::success();
}

Expected<int> tegula::runExplain(const CommandLine &line) {
  KernelName name = splitKernelName(line.getOperand());
  Expected<KernelSource> source = readSource({name.path, name.kernel});
  if (!source)
    return source.takeError();
  source->target = line.get("target");
  if (line.has("perf")) {
    Expected<std::optional<sim::Machine>> machine =
        findSimulatedMachine(*source);
    if (!machine)
      return machine.takeError();
    return *machine ? explainCycles(line, *source, **machine)
                    : explainTime(line, *source);
  }
  Expected<Signature> signature = readSignature(*source);
  if (!signature)
    return signature.takeError();
  llvm::outs() << signature->format() << "\n";
  for (const Diagnostic &fact : checkSource(*source, Explain::Facts))
    llvm::outs() << formatDiagnostic(fact, *source->files);
  if (line.has("dim") && describesCalls(source->target))
    if (Error error = explainCall(line, *source))
      return error;
  return 0;
}
