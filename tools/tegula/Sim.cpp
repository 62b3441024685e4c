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
      "done.\n\n"
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

static Expected<std::unique_ptr<SimulatedKernel>>
loadKernelOf(const CommandLine &line, const sim::Machine &machine) {
  if (line.has("workload") && line.hasOperand())
    return makeError("either a file or '--workload' is simulated, got '{0}' "
                     "and '{1}'",
                     line.getOperand(), line.get("workload"));
  if (line.has("workload"))
    return makeWorkloadKernel(line.get("workload"), machine);
  if (!line.hasOperand())
    return makeError("'tegula sim' needs FILE[:KERNEL] or '--workload'; see "
                     "'tegula sim --help'");
  Progress progress("compiling");
  Expected<WorkloadRequest> request = readRequestWithoutDims(line);
  if (!request)
    return request.takeError();
  KernelName name = splitKernelName(line.getOperand());
  KernelSource source = {name.path, name.kernel};
  source.target = "npu:" + (line.has("npu") ? line.get("npu") : "tpuv3");
  return loadSimulatedKernel(source, machine, *request);
}

Expected<int> tegula::runSim(const CommandLine &line) {
  if (line.has("list-machines"))
    return printMachines();
  if (line.get("workload") == "help")
    return printWorkloads();
  if (line.has("fidelity") || line.has("fit"))
    return printFidelity(line.has("fit"));
  Expected<SimRequest> request = readSimRequest(line);
  if (!request)
    return request.takeError();
  if (line.has("print-machine")) {
    llvm::outs() << sim::printMachine(
        request->changedMachine ? *request->changedMachine : request->machine);
    return 0;
  }
  Expected<std::unique_ptr<SimulatedKernel>> kernel =
      loadKernelOf(line, request->machine);
  if (!kernel)
    return kernel.takeError();
  Expected<std::vector<std::vector<int64_t>>> extents =
      matchDims(*request, (*kernel)->getName(), (*kernel)->getSymbols());
  if (!extents)
    return extents.takeError();
  bool isSweep =
      llvm::any_of(*extents, [](const auto &each) { return each.size() > 1; });
  if (isSweep)
    return simulateSweep(**kernel, *request, *extents);
  std::vector<int64_t> size;
  for (const std::vector<int64_t> &each : *extents)
    size.push_back(each.front());
  return simulateOne(**kernel, *request, size);
}
