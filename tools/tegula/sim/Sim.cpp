// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/simulation/SimulatedTarget.h"
#include "tegula/runtime/simulation/WorkloadKernel.h"
#include "tegula/sim/fidelity/Fidelity.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/programs/Workload.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/sim/CompiledFidelity.h"
#include "tools/tegula/sim/CompiledSimulation.h"
#include "tools/tegula/sim/RankSimulation.h"
#include "tools/tegula/sim/ReadTenants.h"
#include "tools/tegula/sim/SimRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;

CommandSpec tegula::describeSim() {
  CommandSpec spec;
  spec.name = "sim";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "simulate a kernel on an NPU";
  spec.details =
      "Prints how long the kernel takes on the machine, what bounds it and "
      "where the time of\neach unit went. A kernel is compiled once for all "
      "sizes. Of several sizes there is a\nline each; the first that varies "
      "is the axis of --svg, each combination of the others a\ncurve, and "
      "--trace and --report show the last size. Ctrl-C keeps what is "
      "done.\nA producer that 'tegula build --target npu:...' wrote is "
      "simulated without compiling.\n\n"
      "A tenant is a kernel with its sizes, or several with + between them, "
      "which run one after\nthe other; cores=N and start=CYCLES may be among "
      "the sizes. Tenants share memory, and\neach is timed alone as "
      "well.\n\n"
      "  tegula sim examples/gemm.py --npu tpuv3 --dim M=512 --dim N=512 --dim "
      "K=512\n"
      "  tegula sim examples/gemm.py --dim M=64..8192:x2 --dim N=512 --dim "
      "K=512 --svg m.svg\n"
      "  tegula sim examples/gemm.py --dim M=512 --dim N=512 --dim K=512 "
      "--what-if arrays=x2\n"
      "  tegula sim examples/gemm.py --npu tpuv4 --dim M=512 --dim N=512 --dim "
      "K=512 \\\n"
      "      --tenant examples/softmax.py,M=2048,N=2048\n"
      "  tegula sim examples/ranks/shift.py --npu tpuv4 --ranks 8 --dim NR=8 "
      "--dim N=65536\n"
      "  tegula sim --workload softmax --dim M=2048 --dim N=2048 --report "
      "s.html\n";
  spec.options = getSimOptions();
  spec.isOperandOptional = true;
  return spec;
}

static Expected<int> printMachines() {
  for (const std::string &name : sim::listMachines()) {
    Expected<sim::Machine> machine = sim::loadMachine(name);
    if (!machine)
      return machine.takeError();
    llvm::outs() << llvm::left_justify(name, 14) << machine->description
                 << "\n";
  }
  return 0;
}

static Expected<int> printWorkloads() {
  for (const sim::WorkloadKind &kind : sim::listWorkloadKinds()) {
    llvm::outs() << llvm::left_justify(kind.name, 11);
    llvm::interleave(
        kind.symbols, llvm::outs(),
        [](llvm::StringRef symbol) {
          llvm::outs() << "--dim " << symbol << "=...";
        },
        " ");
    llvm::outs() << "\n";
  }
  return 0;
}

static Expected<int> printFidelity(bool shouldFit) {
  Progress progress("comparing with measurements");
  std::string text;
  llvm::raw_string_ostream out(text);
  if (Error error = sim::writeFidelity(shouldFit ? sim::Constants::FittedAnew
                                                 : sim::Constants::AsShipped,
                                       out))
    return error;
  progress.update("comparing compiled kernels with measurements");
  if (Error error = writeCompiledFidelity(out))
    return error;
  progress.clear();
  llvm::outs() << text;
  return 0;
}

namespace {

/// Kernels by the words that name them.
class KernelLoader {
public:
  KernelLoader(const CommandLine &line, const sim::Machine &machine,
               std::string target)
      : line(line), machine(machine), target(std::move(target)) {}

  /// The kernel of a file, or a producer's. Made-up memory of each has a range
  /// of addresses for itself, by `number`.
  Expected<std::unique_ptr<SimulatedKernel>> load(llvm::StringRef word,
                                                  uint64_t number) const {
    Expected<WorkloadRequest> request = readRequestWithoutDims(line);
    if (!request)
      return request.takeError();
    constexpr unsigned bitsOfRange = 40;
    request->firstAddress += number << bitsOfRange;
    if (word.ends_with(".json"))
      return loadProducer(word, *request);
    Progress progress("compiling");
    KernelName name = splitKernelName(word);
    KernelSource source = {name.path, name.kernel};
    source.target = target;
    return loadSimulatedKernel(source, *request);
  }

private:
  Expected<std::unique_ptr<SimulatedKernel>>
  loadProducer(llvm::StringRef path, const WorkloadRequest &request) const {
    Expected<Producer> producer = Producer::read(path);
    if (!producer)
      return producer.takeError();
    Expected<sim::Machine> own =
        sim::parseMachine(producer->getMachine(), path);
    if (!own)
      return own.takeError();
    if (own->name != machine.name)
      return makeError("'{0}' is for the machine '{1}', not '{2}'", path,
                       own->name, machine.name);
    return makeSimulatedKernel(std::move(*producer), request);
  }

  const CommandLine &line;
  const sim::Machine &machine;
  std::string target;
};

} // namespace

/// The machine of the producer that is simulated, or nothing if it is none.
static Expected<std::optional<sim::Machine>>
readOwnMachine(const CommandLine &line) {
  if (!line.hasOperand() || !line.getOperand().ends_with(".json"))
    return std::nullopt;
  Expected<Producer> producer = Producer::read(line.getOperand());
  if (!producer)
    return producer.takeError();
  Expected<sim::Machine> machine =
      sim::parseMachine(producer->getMachine(), line.getOperand());
  if (!machine)
    return machine.takeError();
  return std::optional(std::move(*machine));
}

/// What the command line names, without its tenants; null if there is nothing.
static Expected<std::unique_ptr<SimulatedKernel>>
loadKernelOf(const CommandLine &line, const KernelLoader &loader) {
  if (line.has("workload"))
    return makeWorkloadKernel(line.get("workload"));
  if (line.hasOperand())
    return loader.load(line.getOperand(), /*number=*/0);
  if (line.has("tenant"))
    return nullptr;
  return makeError("'tegula sim' needs FILE[:KERNEL], PRODUCER.json or "
                   "'--workload'; see 'tegula sim --help'");
}

/// The program on chips of its ranks.
static Expected<std::unique_ptr<SimulatedKernel>>
loadRanks(const CommandLine &line, const KernelLoader &loader) {
  constexpr uint64_t mostRanks = 1024;
  Expected<uint64_t> ranks = line.getNumber("ranks", 1, 1, mostRanks);
  if (!ranks)
    return ranks.takeError();
  for (llvm::StringRef other : {"tenant", "cores", "workload"})
    if (line.has(other))
      return makeError("options '--ranks' and '--{0}' do not go together",
                       other);
  Expected<std::unique_ptr<SimulatedKernel>> kernel =
      loadKernelOf(line, loader);
  if (!kernel)
    return kernel.takeError();
  return makeRankSimulation(std::move(*kernel), int64_t(*ranks));
}

/// The kernel with concurrent tenants.
static Expected<std::unique_ptr<SimulatedKernel>>
loadAll(const CommandLine &line, const KernelLoader &loader) {
  Expected<std::unique_ptr<SimulatedKernel>> kernel =
      loadKernelOf(line, loader);
  if (!kernel || !line.has("tenant"))
    return line.has("cores") && kernel
               ? makeError("option '--cores' is for a kernel with tenants; "
                           "'--what-if cores=N' changes the machine")
               : std::move(kernel);
  constexpr uint64_t mostCores = 1 << 20;
  Expected<uint64_t> cores = line.getNumber("cores", 0, 1, mostCores);
  if (!cores)
    return cores.takeError();
  if (line.has("cores") && !*kernel)
    return makeError("option '--cores' is for the kernel that is named first; "
                     "tenants have cores=N");
  Expected<std::vector<SimTenant>> tenants =
      readTenants(line, [&](llvm::StringRef word, uint64_t number) {
        return loader.load(word, number);
      });
  if (!tenants)
    return tenants.takeError();
  return makeSharedSimulation(std::move(*kernel), int64_t(*cores),
                              std::move(*tenants));
}

static Expected<int> simulate(SimulatedKernel &kernel,
                              const SimRequest &request) {
  Expected<std::vector<std::vector<int64_t>>> extents = matchDims(
      request.dims, DimSyntax::Option, kernel.getName(), kernel.getSymbols());
  if (!extents)
    return extents.takeError();
  bool isSweep =
      llvm::any_of(*extents, [](const auto &each) { return each.size() > 1; });
  if (isSweep)
    return simulateSweep(kernel, request, *extents);
  std::vector<int64_t> size;
  for (const std::vector<int64_t> &each : *extents)
    size.push_back(each.front());
  return simulateOne(kernel, request, size);
}

Expected<int> tegula::runSim(const CommandLine &line) {
  if (line.has("list-machines"))
    return printMachines();
  if (line.get("workload") == "help")
    return printWorkloads();
  if (line.has("fidelity") || line.has("fit"))
    return printFidelity(line.has("fit"));
  if (line.has("workload") && line.hasOperand())
    return makeError("either a file or '--workload' is simulated, got '{0}' "
                     "and '{1}'",
                     line.getOperand(), line.get("workload"));
  Expected<std::optional<sim::Machine>> own = readOwnMachine(line);
  if (!own)
    return own.takeError();
  Expected<SimRequest> request = readSimRequest(line, *own ? &**own : nullptr);
  if (!request)
    return request.takeError();
  if (line.has("print-machine")) {
    llvm::outs() << sim::printMachine(
        request->changedMachine ? *request->changedMachine : request->machine);
    return 0;
  }
  std::string name = *own ? (*own)->name : line.get("npu", defaultMachine);
  KernelLoader loader(line, request->machine, nameSimulatedTarget(name));
  Expected<std::unique_ptr<SimulatedKernel>> kernel =
      line.has("ranks") ? loadRanks(line, loader) : loadAll(line, loader);
  if (!kernel)
    return kernel.takeError();
  // What is compiled already; the rest has its say when it was.
  size_t numShown = (*kernel)->getWarnings().size();
  printWarnings((*kernel)->getWarnings());
  Expected<int> code = simulate(**kernel, *request);
  std::vector<KernelWarning> warnings = (*kernel)->getWarnings();
  printWarnings(llvm::ArrayRef(warnings).drop_front(numShown));
  return code;
}
