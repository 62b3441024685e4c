// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/WorkloadKernel.h"
#include "tegula/sim/fidelity/Fidelity.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/programs/Workload.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/CompiledSimulation.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/SimRun.h"

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
      "  tegula sim examples/gemm.py --npu tpuv3 --dim M=512 --dim N=512 --dim "
      "K=512\n"
      "  tegula sim examples/gemm.py --dim M=64..8192:x2 --dim N=512 --dim "
      "K=512 --svg m.svg\n"
      "  tegula sim examples/gemm.py --dim M=512 --dim N=512 --dim K=512 "
      "--what-if arrays=x2\n"
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
  progress.clear();
  llvm::outs() << text;
  return 0;
}

/// The kernel of a file, compiled.
static Expected<std::unique_ptr<SimulatedKernel>>
compileKernelOf(const CommandLine &line, const sim::Machine &machine) {
  Progress progress("compiling");
  Expected<WorkloadRequest> request = readRequestWithoutDims(line);
  if (!request)
    return request.takeError();
  KernelName name = splitKernelName(line.getOperand());
  KernelSource source = {name.path, name.kernel};
  source.target = "npu:" + line.get("npu", defaultMachine);
  return loadSimulatedKernel(source, machine, *request);
}

static Expected<int> simulate(SimulatedKernel &kernel,
                              const SimRequest &request) {
  Expected<std::vector<std::vector<int64_t>>> extents =
      matchDims(request, kernel.getName(), kernel.getSymbols());
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

static Expected<int> printMachine(const SimRequest &request) {
  llvm::outs() << sim::printMachine(
      request.changedMachine ? *request.changedMachine : request.machine);
  return 0;
}

/// A kernel whose producer is in files.
static Expected<int> simulateProducer(const CommandLine &line) {
  Expected<Producer> producer = Producer::read(line.getOperand());
  if (!producer)
    return producer.takeError();
  Expected<sim::Machine> machine =
      sim::parseMachine(producer->getMachine(), line.getOperand());
  if (!machine)
    return machine.takeError();
  Expected<SimRequest> request = readSimRequest(line, &*machine);
  if (!request)
    return request.takeError();
  if (line.has("print-machine"))
    return printMachine(*request);
  Expected<WorkloadRequest> workload = readRequestWithoutDims(line);
  if (!workload)
    return workload.takeError();
  return simulate(
      *makeSimulatedKernel(std::move(*producer), request->machine, *workload),
      *request);
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
  if (line.hasOperand() && line.getOperand().ends_with(".json"))
    return simulateProducer(line);
  Expected<SimRequest> request = readSimRequest(line, /*own=*/nullptr);
  if (!request)
    return request.takeError();
  if (line.has("print-machine"))
    return printMachine(*request);
  if (!line.has("workload") && !line.hasOperand())
    return makeError("'tegula sim' needs FILE[:KERNEL], PRODUCER.json or "
                     "'--workload'; see 'tegula sim --help'");
  Expected<std::unique_ptr<SimulatedKernel>> kernel =
      line.has("workload")
          ? makeWorkloadKernel(line.get("workload"), request->machine)
          : compileKernelOf(line, request->machine);
  if (!kernel)
    return kernel.takeError();
  return simulate(**kernel, *request);
}
