// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/cache/Tunings.h"
#include "tegula/launch/device/CallDescription.h"
#include "tegula/launch/device/DeviceRuntime.h"
#include "tegula/runtime/profile/MachineLimits.h"
#include "tegula/runtime/profile/Profile.h"
#include "tegula/support/File.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/bench/BenchCases.h"
#include "tools/tegula/bench/BenchPlot.h"
#include "tools/tegula/bench/Measure.h"
#include "tools/tegula/sim/MeasureCycles.h"
#include "tools/tegula/sim/Workload.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace tegula;

CommandSpec tegula::describeBench() {
  CommandSpec spec;
  spec.name = "bench";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "time warm calls of a kernel at a size and around it";
  spec.details =
      "Prints the median time of warm calls at the given size, then with each "
      "dimension\nhalved and doubled: the last column is the time divided by "
      "the time at the given\nsize. One compiled kernel runs them all. Below "
      "is what one core of this machine\ncan do. Times on a simulated machine "
      "are those of the simulator, with their cycles.\nOther constants, "
      "another kernel and other targets are measured as well at the\ngiven "
      "size, and the last column compares with the first.\n\n"
      "  tegula bench examples/softmax.py --dim M=4096 --dim N=1024\n"
      "  tegula bench kernel.py --dim M=4096 --const ROWS=4,8,16 --plot "
      "rows.svg\n"
      "  tegula bench old.py --against new.py --dim M=4096\n"
      "  tegula bench examples/gemm.py --dim M=512 --dim N=512 --dim K=512 "
      "--target cpu --target cpu:no-threads\n";
  spec.options = getWorkloadOptions();
  llvm::append_range(spec.options, getBenchCaseOptions());
  spec.options.push_back(
      {"time", "MILLISECONDS", "time to spend per size (500)"});
  spec.options.push_back({"plot", "FILE.svg", "draw the times"});
  spec.options.push_back({"json", "", "print the results as JSON"});
  return spec;
}

/// The request itself, and with one dimension halved or doubled. Dimensions
/// that files fix are not in the request.
static std::vector<WorkloadRequest> listSizes(const WorkloadRequest &request) {
  std::vector<WorkloadRequest> sizes = {request};
  if (!request.files.empty())
    return sizes;
  for (const auto &[name, extent] : request.dims)
    for (int64_t other :
         {extent / 2, extent > INT64_MAX / 2 ? extent : extent * 2}) {
      if (other == extent)
        continue;
      sizes.push_back(request);
      sizes.back().dims[name] = other;
    }
  return sizes;
}

/// Bytes of all tensors of a workload, whose memory need not be there.
static double countBytes(const Workload &workload) {
  double bytes = 0;
  for (const Argument &argument : workload.arguments) {
    if (!argument.isTensor())
      continue;
    const TensorView &view = argument.getTensor();
    double elements = 1;
    for (unsigned axis = 0; axis < view.rank; ++axis)
      elements *= static_cast<double>(view.sizes[axis]);
    bytes += elements * getBits(view.dtype) / 8;
  }
  return bytes;
}

namespace {

/// What was measured.
struct Row {
  std::string label;
  std::map<std::string, int64_t> dims;
  double seconds = 0, bytes = 0, operations = 0;
  /// On a machine that is simulated, and what that is called; then the seconds
  /// are simulated, too.
  std::optional<sim::Summary> simulated = std::nullopt;
  std::string machine = {};
  /// If it ran on a device with memory of its own.
  const DeviceRuntime *runtime = nullptr;
  CallDescription call = {};
  /// What 'tegula tune' has chosen.
  std::string tuned = {};
};

} // namespace

static std::string rounded(double value) {
  return formatNumber(std::round(value * 100) / 100);
}

static void printRow(const Row &row, double reference) {
  constexpr double giga = 1e9;
  std::string cycles;
  if (row.simulated)
    cycles = llvm::formatv("  {0} cycles", row.simulated->cycles);
  llvm::outs() << llvm::formatv(
      "{0,-32} {1,10}  {2,8} GB/s  {3,8} GFLOP/s  x{4}{5}\n", row.label,
      formatTime(row.seconds), rounded(row.bytes / row.seconds / giga),
      rounded(row.operations / row.seconds / giga),
      rounded(row.seconds / reference), cycles);
  llvm::outs().flush();
}

/// Fills in what a call takes.
static Error measureTime(const BenchCase &bench, const Kernel &kernel,
                         const Workload &workload, double budget, Row &row) {
  if (!bench.machine) {
    Expected<double> seconds =
        measureWarm(kernel, workload, budget, bench.source.target);
    if (!seconds)
      return seconds.takeError();
    row.seconds = *seconds;
    row.runtime = findDeviceRuntime(bench.source.target);
    if (!row.runtime)
      return Error::success();
    row.machine = bench.source.target;
    CallDescriber describer;
    if (Error error = kernel(workload.arguments))
      return error;
    row.call = describer.get();
    return Error::success();
  }
  Expected<sim::Summary> summary =
      simulateCall(kernel, workload, *bench.machine);
  if (!summary)
    return summary.takeError();
  row.seconds = summary->microseconds * 1e-6;
  row.simulated = *summary;
  row.machine = bench.machine->name;
  return Error::success();
}

/// Measures a case at one size.
static Expected<Row> measure(const BenchCase &bench, const Kernel &kernel,
                             const WorkloadRequest &size, double budget,
                             bool isOnly) {
  Progress progress("preparing the arguments");
  Expected<Workload> workload = bench.machine
                                    ? makeSimulatedWorkload(kernel, size)
                                    : makeWorkload(kernel.getSignature(), size);
  if (!workload)
    return workload.takeError();
  Row row;
  // Of the only case several sizes are measured, of others one.
  row.label = bench.label;
  if (isOnly || row.label.empty())
    row.label += (row.label.empty() ? "" : " ") +
                 formatDims(kernel.getSignature(), workload->dims);
  row.dims = workload->dims;
  row.bytes = countBytes(*workload);
  progress.update("measuring " + row.label);
  if (Error error = measureTime(bench, kernel, *workload, budget, row))
    return error;
  Expected<KernelSource> source = readSource(bench.source);
  if (!source)
    return source.takeError();
  Profile counted;
  if (Error error = countOperations(*source, workload->arguments, counted))
    return error;
  row.operations = counted.operations;
  return row;
}

namespace {

/// What a machine can do: bytes and operations in a second.
struct Limits {
  std::string name;
  double copyRate, peak;
};

} // namespace

static Limits findLimits(const Row &row) {
  constexpr double giga = 1e9, tera = 1e12;
  auto bytes = static_cast<uint64_t>(row.bytes);
  if (row.simulated)
    return {row.machine + ", simulated",
            row.simulated->peakGigabytesPerSecond * giga,
            row.simulated->peakTeraflops * tera};
  if (!row.runtime)
    return {"one core of this machine", measureCopyRate(bytes), measurePeak()};
  std::string name = row.runtime->getName();
  if (!row.call.units.empty())
    name += ", " + row.call.units;
  return {name, row.runtime->measureCopyRate(0, bytes), row.call.peak};
}

/// What the machines could do: this one with as many bytes as its first row
/// has, and those that are simulated.
static void printLimits(llvm::ArrayRef<Row> rows) {
  constexpr double giga = 1e9;
  std::set<std::string> reported;
  for (const Row &row : rows) {
    if (!reported.insert(row.machine).second)
      continue;
    Limits limits = findLimits(row);
    llvm::outs() << llvm::formatv(
        "{0,-32} {1,10}  {2,8} GB/s  {3,8} GFLOP/s\n", limits.name, "",
        rounded(limits.copyRate / giga), rounded(limits.peak / giga));
  }
}

static llvm::json::Value toJson(const Row &row) {
  llvm::json::Object object{{"seconds", row.seconds},
                            {"bytes", row.bytes},
                            {"operations", row.operations},
                            {"label", row.label}};
  if (!row.tuned.empty())
    object["tuned"] = row.tuned;
  if (row.simulated) {
    object["cycles"] = row.simulated->cycles;
    object["machine"] = row.machine;
  }
  for (const auto &[name, extent] : row.dims)
    object[name] = extent;
  return object;
}

namespace {

/// A run of the command.
struct Bench {
  const CommandLine &line;
  WorkloadRequest request;
  double budget;
  std::vector<Row> rows = {};
  uint64_t compiles = 0;
  std::string kernelName = {};

  /// Measures all sizes of a case, or only the given one.
  [[nodiscard]] Error run(const BenchCase &bench, bool isOnly);
};

} // namespace

/// What 'tegula tune' has found for a kernel, if that is used.
static Expected<std::string> findChoices(const KernelSource &given) {
  Expected<KernelSource> source = readSource(given);
  if (!source)
    return source.takeError();
  std::string target =
      tuneTarget(source->target, *source->text, source->kernel);
  return target == source->target
             ? std::string()
             : llvm::StringRef(target).split(':').second.str();
}

Error Bench::run(const BenchCase &bench, bool isOnly) {
  std::optional<Progress> progress("compiling");
  Expected<Kernel> kernel = loadKernel(bench.source);
  if (!kernel)
    return kernel.takeError();
  progress.reset();
  bool isText = !line.has("json");
  if (kernelName.empty()) {
    kernelName = kernel->getSignature().kernel;
    if (isText)
      llvm::outs() << kernel->getSignature().format() << "\n";
  }
  Expected<std::string> choices = findChoices(bench.source);
  if (!choices)
    return choices.takeError();
  std::string &tuned = *choices;
  if (isText && !tuned.empty())
    llvm::outs() << "chosen by 'tegula tune': " << tuned << "\n";
  std::vector<WorkloadRequest> sizes = listSizes(request);
  if (!isOnly)
    sizes.resize(1);
  for (const WorkloadRequest &size : sizes) {
    Expected<Row> row = measure(bench, *kernel, size, budget, isOnly);
    if (!row)
      return row.takeError();
    row->tuned = tuned;
    rows.push_back(std::move(*row));
    if (isText)
      printRow(rows.back(), rows.front().seconds);
  }
  compiles += kernel->getCompileCount();
  return Error::success();
}

/// Draws what was measured, if that is asked for.
static Error drawRows(const Bench &bench) {
  if (!bench.line.has("plot"))
    return Error::success();
  std::vector<BenchBar> bars;
  for (const Row &row : bench.rows)
    bars.push_back({row.label, row.seconds});
  return writeFilesAtomically(
      {{bench.line.get("plot"), drawBars(bench.kernelName, bars)}});
}

Expected<int> tegula::runBench(const CommandLine &line) {
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Expected<uint64_t> budget = line.getNumber("time", 500, 1, 600000);
  if (!budget)
    return budget.takeError();
  Expected<std::vector<BenchCase>> cases = readBenchCases(line);
  if (!cases)
    return cases.takeError();
  Bench bench{line, *request, static_cast<double>(*budget) / 1000};
  for (const BenchCase &one : *cases)
    if (Error error = bench.run(one, cases->size() == 1))
      return error;
  if (Error error = drawRows(bench))
    return error;
  if (line.has("json")) {
    llvm::json::Array rows;
    for (const Row &row : bench.rows)
      rows.push_back(toJson(row));
    llvm::json::Value report =
        llvm::json::Object{{"kernel", bench.kernelName},
                           {"compiles", static_cast<int64_t>(bench.compiles)},
                           {"sizes", std::move(rows)}};
    llvm::outs() << llvm::formatv("{0:2}\n", report);
    return 0;
  }
  printLimits(bench.rows);
  llvm::outs() << "compiles: " << bench.compiles << "\n";
  return 0;
}
