// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/SimRequest.h"
#include "tools/tegula/sim/Workload.h"

#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/sweep/ExtentList.h"
#include "tegula/support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;

std::vector<OptionSpec> tegula::getSimOptions() {
  static const std::string machineHelp =
      ("the machine (" + defaultMachine + ")").str();
  std::vector<OptionSpec> options = {
      {"npu", "NAME|FILE.toml", machineHelp},
      {"dim", "NAME=SIZES",
       "the size of a dynamic dimension: 512, or several: 64,100 or "
       "64..8192:x2\n"
       "                          or 64..512:+64",
       true},
      {"what-if", "KEY=VALUE,...",
       "run again with the machine changed: dram_bandwidth=x2,cores=4"},
      {"dram", "LEVEL",
       "how closely memory is followed: roofline, channel or "
       "bank (the machine's)"},
      {"energy", "FILE.toml", "energies to take instead of the machine's"},
      {"extrapolate", "",
       "simulate some work items of many, and take the rest to be alike"},
      {"tenant", "FILE[:KERNEL],NAME=SIZE,...",
       "what else runs at the same time, on cores of its own (repeatable); "
       "see below",
       true},
      {"ranks", "N",
       "run a program over ranks on so many chips of the machine"},
      {"cores", "N", "cores for the kernel when there are tenants (the rest)"},
      {"json", "", "print everything as JSON"},
      {"csv", "FILE", "write a line per size"},
      {"svg", "FILE", "draw cycles and use over a size"},
      {"trace", "FILE", "write a timeline for ui.perfetto.dev"},
      {"report", "FILE.html", "write a page to look at"},
      {"workload", "NAME",
       "a kernel written by hand instead of a file; '--workload help' lists "
       "them"},
      {"print-machine", "", "print every key of the machine"},
      {"list-machines", "", "print the machines there are"},
      {"fidelity", "", "print how near the machines are to measured silicon"},
      {"fit", "", "the same, with the machines' constants fitted anew"},
  };
  for (const OptionSpec &option : getWorkloadOptions())
    if (option.name != "dim")
      options.push_back(option);
  return options;
}

/// A number of work items that shows how the machine goes on: all its cores
/// are full for a while.
static int64_t getExtrapolationItems(const sim::Machine &machine) {
  return std::max<int64_t>(64, 16 * machine.cores * machine.workItemsInFlight);
}

static Error setDramLevel(const CommandLine &line, sim::Machine &machine) {
  if (!line.has("dram"))
    return Error::success();
  std::string level = line.get("dram");
  if (level == "roofline")
    machine.dramLevel = sim::DramLevel::Roofline;
  else if (level == "channel")
    machine.dramLevel = sim::DramLevel::Channel;
  else if (level == "bank")
    machine.dramLevel = sim::DramLevel::Bank;
  else
    return makeError("option '--dram' wants roofline, channel or bank, got "
                     "'{0}'",
                     level);
  return Error::success();
}

static Expected<sim::Machine> loadMachineOf(const CommandLine &line,
                                            const sim::Machine *own) {
  if (!own)
    return sim::loadMachine(line.get("npu", defaultMachine));
  if (line.has("npu"))
    return makeError("option '--npu': '{0}' is for the machine '{1}', which is "
                     "in it; '--what-if' changes it",
                     line.getOperand(), own->name);
  return *own;
}

/// The machine that the options describe, without a what-if.
static Expected<sim::Machine> readMachine(const CommandLine &line,
                                          const sim::Machine *own) {
  Expected<sim::Machine> machine = loadMachineOf(line, own);
  if (!machine)
    return machine.takeError();
  if (Error error = setDramLevel(line, *machine))
    return error;
  if (line.has("energy")) {
    std::string path = line.get("energy");
    Expected<std::string> text = readFile(path, 1 << 20);
    if (!text)
      return text.takeError();
    if (Error error = sim::replaceEnergies(*machine, *text, path))
      return error;
  }
  return machine;
}

static Error readDims(const CommandLine &line, SimRequest &request) {
  Expected<std::vector<Assignment>> dims = line.getAssignments("dim");
  if (!dims)
    return dims.takeError();
  for (const auto &[name, value] : *dims) {
    Expected<std::vector<int64_t>> extents = sim::parseExtentList(value);
    if (!extents)
      return makeError("option '--dim': {0}: {1}", name,
                       llvm::toString(extents.takeError()));
    request.dims.push_back({name, std::move(*extents)});
  }
  return Error::success();
}

static Error readFiles(const CommandLine &line, SimRequest &request) {
  std::vector<llvm::StringRef> taken;
  for (auto [option, file] :
       {std::pair("csv", &request.csv), std::pair("svg", &request.svg),
        std::pair("trace", &request.trace),
        std::pair("report", &request.report)}) {
    if (!line.has(option))
      continue;
    *file = line.get(option);
    if (file->empty())
      return makeError("option '--{0}' wants the name of a file", option);
    if (llvm::is_contained(taken, *file))
      return makeError("option '--{0}': '{1}' is given for two files", option,
                       *file);
    taken.push_back(*file);
    if (Error error = checkWritable(*file))
      return error;
  }
  return Error::success();
}

Expected<SimRequest> tegula::readSimRequest(const CommandLine &line,
                                            const sim::Machine *own) {
  SimRequest request;
  Expected<sim::Machine> machine = readMachine(line, own);
  if (!machine)
    return machine.takeError();
  request.machine = std::move(*machine);
  if (line.has("what-if")) {
    request.whatIf = line.get("what-if");
    request.changedMachine = request.machine;
    if (Error error = sim::applyWhatIf(*request.changedMachine, request.whatIf))
      return makeError("option '--what-if': {0}",
                       llvm::toString(std::move(error)));
  }
  if (Error error = readDims(line, request))
    return error;
  if (Error error = readFiles(line, request))
    return error;
  if (line.has("extrapolate"))
    request.extrapolateAfter = getExtrapolationItems(request.machine);
  request.isJson = line.has("json");
  return request;
}

/// The error that `kernel` has no dimension `name`.
static Error makeUnknownDim(DimSyntax syntax, llvm::StringRef kernel,
                            llvm::StringRef name,
                            llvm::ArrayRef<std::string> symbols) {
  const char *option = syntax == DimSyntax::Option ? "option '--dim': " : "";
  if (symbols.empty())
    return makeError("{0}kernel '{1}' has no dynamic dimension, got '{2}'",
                     option, kernel, name);
  return makeError("{0}kernel '{1}' has no dimension '{2}'; it has {3}", option,
                   kernel, name, llvm::join(symbols, ", "));
}

Expected<std::vector<std::vector<int64_t>>>
tegula::matchDims(llvm::ArrayRef<SimDim> dims, DimSyntax syntax,
                  llvm::StringRef kernel, llvm::ArrayRef<std::string> symbols) {
  for (const SimDim &dim : dims)
    if (!llvm::is_contained(symbols, dim.name))
      return makeUnknownDim(syntax, kernel, dim.name, symbols);
  std::vector<std::vector<int64_t>> extents;
  std::vector<llvm::StringRef> missing;
  for (const std::string &symbol : symbols) {
    auto found = llvm::find_if(
        dims, [&](const SimDim &dim) { return dim.name == symbol; });
    if (found == dims.end())
      missing.push_back(symbol);
    else
      extents.push_back(found->extents);
  }
  if (missing.empty())
    return extents;
  std::string words;
  for (llvm::StringRef symbol : missing)
    words +=
        (syntax == DimSyntax::Option ? " --dim " : ",") + symbol.str() + "=...";
  return makeError("kernel '{0}' needs the size of {1}:{2}{3}", kernel,
                   llvm::join(missing, ", "),
                   syntax == DimSyntax::Option ? "" : " add ", words);
}
