// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/ExplainCycles.h"

#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/report/LineCycles.h"
#include "tegula/support/SourceFiles.h"
#include "tools/tegula/CompiledSimulation.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/SimRequest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <numeric>

using namespace tegula;
namespace json = llvm::json;

std::optional<std::string>
tegula::findSimulatedMachine(llvm::StringRef target) {
  auto [backend, machine] = target.split(':');
  if (backend != "npu")
    return std::nullopt;
  return machine.empty() ? defaultMachine.str() : machine.str();
}

static double sumOf(const sim::LineCycles::Work &work) {
  return std::accumulate(work.begin(), work.end(), 0.0);
}

/// "dma in 861, vector 20": cycles of the units that worked, the busiest first.
static std::string formatWork(const sim::LineCycles::Work &work) {
  std::vector<unsigned> units;
  for (unsigned unit = 0; unit < sim::numUnits; ++unit)
    if (work[unit] > 0)
      units.push_back(unit);
  llvm::sort(units, [&](unsigned a, unsigned b) { return work[a] > work[b]; });
  return llvm::join(llvm::map_range(units,
                                    [&](unsigned unit) {
                                      return llvm::formatv(
                                                 "{0} {1}",
                                                 getName(sim::Unit(unit)),
                                                 sim::toCycles(work[unit]))
                                          .str();
                                    }),
                    ", ");
}

static void print(const sim::LineCycles &lines, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> source;
  text.split(source, '\n');
  double all = 0;
  for (const auto &[line, work] : lines.getLines())
    all += sumOf(work);
  for (const auto &[line, work] : lines.getLines()) {
    double share = 100 * sumOf(work) / std::max(all, 1.0);
    bool isLine = line > 0 && static_cast<size_t>(line) <= source.size();
    llvm::outs() << llvm::formatv(
        "{0,5} {1,5:F1} %  {2,-44} {3}\n", isLine ? std::to_string(line) : "",
        share, formatWork(work),
        isLine ? source[line - 1].trim() : "elsewhere");
  }
}

Expected<int> tegula::explainCycles(const CommandLine &line,
                                    const KernelSource &source,
                                    llvm::StringRef machineName) {
  Expected<sim::Machine> machine = sim::loadMachine(machineName);
  if (!machine)
    return machine.takeError();
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Progress progress("compiling");
  Expected<std::unique_ptr<SimulatedKernel>> kernel =
      loadSimulatedKernel(source, *request);
  if (!kernel)
    return kernel.takeError();
  std::vector<int64_t> extents;
  for (const std::string &symbol : (*kernel)->getSymbols()) {
    auto given = request->dims.find(symbol);
    if (given == request->dims.end())
      return makeError("kernel '{0}' needs a size for '{1}': --dim {1}=SIZE",
                       (*kernel)->getName(), symbol);
    extents.push_back(given->second);
  }
  progress.update("simulating");
  sim::LineCycles lines;
  sim::SimulateOptions options;
  options.observer = &lines;
  Expected<sim::Result> result =
      (*kernel)->simulate(extents, *machine, options);
  if (!result)
    return result.takeError();
  progress.clear();
  if (line.has("json")) {
    json::Array entries;
    for (const auto &[number, work] : lines.getLines()) {
      json::Object units;
      for (unsigned unit = 0; unit < sim::numUnits; ++unit)
        if (work[unit] > 0)
          units[getName(sim::Unit(unit))] = sim::toCycles(work[unit]);
      entries.push_back(
          json::Object{{"line", number}, {"cycles", std::move(units)}});
    }
    json::Object report{{"kernel", (*kernel)->getName()},
                        {"machine", machine->name},
                        {"cycles", result->getCycles()},
                        {"lines", std::move(entries)}};
    llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(report)));
    return 0;
  }
  std::string sizes;
  for (auto [symbol, extent] : llvm::zip((*kernel)->getSymbols(), extents))
    sizes += " " + symbol + "=" + std::to_string(extent);
  llvm::outs() << llvm::formatv(
      "{0}{1} on {2}: {3} cycles; what its units did for each line, in "
      "cycles, of all cores together\n",
      (*kernel)->getName(), sizes, machine->name, result->getCycles());
  print(lines, *source.text);
  llvm::outs() << "units work side by side; 'tegula sim' says what they wait "
                  "for\n";
  return 0;
}
