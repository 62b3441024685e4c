// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/sim/ExplainCycles.h"

#include "tegula/runtime/profile/CycleProfile.h"
#include "tegula/sim/engine/Simulate.h"
#include "tegula/support/SourceFiles.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/sim/CompiledSimulation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tegula;
namespace json = llvm::json;

Expected<int> tegula::explainCycles(const CommandLine &line,
                                    const KernelSource &source,
                                    const sim::Machine &machine) {
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
  CycleProfile profile;
  sim::SimulateOptions options;
  options.observer = &profile.lines;
  Expected<sim::Result> result = (*kernel)->simulate(extents, machine, options);
  if (!result)
    return result.takeError();
  profile.result = std::move(*result);
  progress.clear();
  if (line.has("json")) {
    json::Array entries;
    for (const auto &[number, work] : profile.lines.getLines()) {
      json::Object units;
      for (unsigned unit = 0; unit < sim::numUnits; ++unit)
        if (work[unit] > 0)
          units[getName(sim::Unit(unit))] = sim::toCycles(work[unit]);
      entries.push_back(
          json::Object{{"line", number}, {"cycles", std::move(units)}});
    }
    json::Object report{{"kernel", (*kernel)->getName()},
                        {"machine", machine.name},
                        {"cycles", profile.result.getCycles()},
                        {"lines", std::move(entries)}};
    llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(report)));
    return 0;
  }
  std::string sizes;
  for (auto [symbol, extent] : llvm::zip((*kernel)->getSymbols(), extents))
    sizes += " " + symbol + "=" + std::to_string(extent);
  llvm::outs() << llvm::formatv("{0}{1} on {2}: {3} cycles\n",
                                (*kernel)->getName(), sizes, machine.name,
                                profile.result.getCycles());
  llvm::outs() << formatCycles(profile, machine, *source.text)
               << "'tegula sim' says what units wait for\n";
  return 0;
}
