// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/CompiledFidelity.h"

#include "tegula/runtime/simulation/SimulatedTarget.h"
#include "tegula/sim/fidelity/PrintErrors.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/machine/ShippedFiles.h"
#include "tegula/sim/programs/Workload.h"
#include "tools/tegula/sim/CompiledSimulation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tegula;
using llvm::StringRef;

/// The size of a head, which is no symbol of the kernel.
static constexpr int64_t headSize = 64;

namespace {

/// A workload by its name, `softmax_512x512`: its kind, and an extent for each
/// of the symbols of the kind.
struct NamedWorkload {
  StringRef kernel;
  llvm::StringMap<int64_t> extents;
};

/// The kernels of the shipped file on one machine, compiled when they are
/// asked for.
class ShippedKernels {
public:
  explicit ShippedKernels(const sim::Machine &machine)
      : machine(machine),
        path(sim::getShippedFolder("measured") + "/kernels.py") {}

  /// What `workload` takes.
  Expected<double> simulate(const NamedWorkload &workload);

private:
  Expected<SimulatedKernel *> find(StringRef name);

  const sim::Machine &machine;
  std::string path;
  llvm::StringMap<std::unique_ptr<SimulatedKernel>> kernels;
};

} // namespace

/// Nothing if no kernel of the file does this.
static std::optional<NamedWorkload> parseWorkload(StringRef name) {
  StringRef kind = name.split('_').first, text = name.split('_').second;
  auto kinds = sim::listWorkloadKinds();
  const auto *found = llvm::find_if(
      kinds, [&](const sim::WorkloadKind &each) { return each.name == kind; });
  bool isWritten = llvm::is_contained(
      {"gemm", "gemmfp16", "softmax", "layernorm", "attention"}, kind);
  if (found == kinds.end() || !isWritten)
    return std::nullopt;
  llvm::SmallVector<StringRef> words;
  text.split(words, 'x');
  NamedWorkload workload{kind, {}};
  for (auto [symbol, word] : llvm::zip(found->symbols, words)) {
    int64_t &extent = workload.extents[symbol];
    if (word.getAsInteger(10, extent))
      return std::nullopt;
  }
  if (kind == "attention" && workload.extents["D"] != headSize)
    return std::nullopt;
  return workload;
}

Expected<SimulatedKernel *> ShippedKernels::find(StringRef name) {
  std::unique_ptr<SimulatedKernel> &kernel = kernels[name];
  if (!kernel) {
    KernelSource source = {path, name.str()};
    source.target = nameSimulatedTarget(machine.name);
    Expected<std::unique_ptr<SimulatedKernel>> made =
        loadSimulatedKernel(source, {});
    if (!made)
      return made.takeError();
    kernel = std::move(*made);
  }
  return kernel.get();
}

Expected<double> ShippedKernels::simulate(const NamedWorkload &workload) {
  Expected<SimulatedKernel *> kernel = find(workload.kernel);
  if (!kernel)
    return kernel.takeError();
  std::vector<int64_t> extents;
  for (const std::string &symbol : (*kernel)->getSymbols())
    extents.push_back(workload.extents.lookup(symbol));
  Expected<sim::Result> result = (*kernel)->simulate(extents, machine, {});
  if (!result)
    return result.takeError();
  return double(result->getCycles());
}

/// What is compiled of `rows`, and what that takes.
static Error simulateRows(const sim::Machine &machine,
                          const sim::Measurements &rows,
                          sim::Measurements &compiled,
                          std::vector<double> &predicted) {
  ShippedKernels kernels(machine);
  for (const sim::Measurement &row : rows) {
    std::optional<NamedWorkload> workload = parseWorkload(row.name);
    if (!workload)
      continue;
    Expected<double> cycles = kernels.simulate(*workload);
    if (!cycles)
      return cycles.takeError();
    compiled.push_back(row);
    predicted.push_back(*cycles);
  }
  return Error::success();
}

static Error reportKernels(llvm::raw_ostream &out) {
  Expected<sim::Machine> machine = sim::loadMachine("tpuv3");
  if (!machine)
    return machine.takeError();
  Expected<sim::KernelsAndNetworks> rows = sim::readKernelsAndNetworks();
  if (!rows)
    return rows.takeError();
  sim::Measurements compiled;
  std::vector<double> predicted;
  if (Error error = simulateRows(*machine, rows->kernels, compiled, predicted))
    return error;
  out << "TPU v3, kernels of measured/kernels.py, compiled; convolutions are "
         "not among them\n";
  sim::printRows(out, predicted, compiled);
  sim::printErrors(out, "compiled", predicted, compiled);
  return Error::success();
}

static Error reportMatmuls(llvm::raw_ostream &out) {
  Expected<sim::Machine> machine = sim::loadMachine("tpuv4");
  if (!machine)
    return machine.takeError();
  Expected<std::vector<sim::MeasuredMatmul>> matmuls = sim::readMatmuls();
  if (!matmuls)
    return matmuls.takeError();
  sim::Measurements compiled;
  std::vector<double> predicted;
  if (Error error =
          simulateRows(*machine, sim::toMeasurements(*matmuls, *machine),
                       compiled, predicted))
    return error;
  out << "TPU v4, fp16 matmuls, compiled: tiles are our own choice, and "
         "operands are not converted\n";
  sim::printErrors(out, "compiled", predicted, compiled);
  return Error::success();
}

Error tegula::writeCompiledFidelity(llvm::raw_ostream &out) {
  if (Error error = reportKernels(out))
    return error;
  return reportMatmuls(out);
}
