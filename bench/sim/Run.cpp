// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a hand-written workload on a machine and writes what is asked for:
//   tegula-sim-run softmax_2048x2048 --machine tpuv3 --what-if
//   dram_bandwidth=x2 --report r.html

#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/programs/Workload.h"
#include "tegula/sim/report/Summary.h"
#include "tegula/sim/report/TraceWriter.h"
#include "tegula/sim/report/WriteHtml.h"
#include "tegula/sim/report/WriteJson.h"
#include "tegula/sim/report/WriteText.h"
#include "tegula/support/File.h"
#include "llvm/Support/CommandLine.h"

using namespace tegula;
using namespace tegula::sim;
namespace cl = llvm::cl;

static cl::opt<std::string> workloadName(cl::Positional, cl::Required,
                                         cl::desc("WORKLOAD"));
static cl::opt<std::string> machineName("machine", cl::init("tpuv3"),
                                        cl::desc("a name or a file"));
static cl::opt<std::string> whatIf("what-if",
                                   cl::desc("dram_bandwidth=x2,arrays=x2"));
static cl::opt<std::string> energyFile("energy",
                                       cl::desc("a table of energies"));
static cl::opt<std::string> traceFile("trace", cl::desc("a timeline to write"));
static cl::opt<std::string> reportFile("report", cl::desc("HTML to write"));
static cl::opt<std::string> jsonFile("json", cl::desc("JSON to write"));
static cl::opt<std::string>
    sweep("sweep", cl::desc("workloads for the curve of the report, as "
                            "EXTENT=WORKLOAD,EXTENT=WORKLOAD"));
static cl::opt<bool> printsMachine("print-machine",
                                   cl::desc("print every key first"));
static cl::opt<int64_t> extrapolate("extrapolate", cl::init(0),
                                    cl::desc("work items to simulate"));

static Expected<Result> run(llvm::StringRef name, const Machine &machine,
                            Observer *observer) {
  Expected<Workload> workload = makeWorkload(name, machine);
  if (!workload)
    return workload.takeError();
  SimulateOptions options;
  options.observer = observer;
  options.extrapolateAfter = extrapolate;
  return simulate(machine, Tenant{name.str(), getKernels(*workload), 0, 0, 0},
                  options);
}

static Expected<Machine> getMachine() {
  Expected<Machine> machine = loadMachine(machineName);
  if (!machine)
    return machine.takeError();
  if (!whatIf.empty())
    if (Error error = applyWhatIf(*machine, whatIf))
      return error;
  if (!energyFile.empty()) {
    Expected<std::string> text = readFile(energyFile, 1 << 20);
    if (!text)
      return text.takeError();
    if (Error error = replaceEnergies(*machine, *text, energyFile))
      return error;
  }
  return machine;
}

static Expected<std::vector<SweepPoint>> getSweep(const Machine &machine) {
  std::vector<SweepPoint> points;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(sweep).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [extentText, name] = part.split('=');
    SweepPoint point;
    if (extentText.getAsInteger(10, point.extent))
      return makeError("'{0}' should be an extent, '=' and a workload", part);
    Expected<Result> result = run(name, machine, nullptr);
    if (!result)
      return result.takeError();
    point.cycles = result->getCycles();
    point.computeShare = summarise(machine, *result).computeShare;
    points.push_back(point);
  }
  return points;
}

/// Runs once for each file that wants to see operations.
static Error runAll() {
  Expected<Machine> machine = getMachine();
  if (!machine)
    return machine.takeError();
  if (printsMachine)
    llvm::outs() << printMachine(*machine) << "\n";
  TimelineRecorder timeline;
  Expected<Result> result = run(workloadName, *machine, &timeline);
  if (!result)
    return result.takeError();
  writeText(*machine, *result, llvm::outs());
  std::vector<FileContent> files;
  auto add = [&](const std::string &path, auto write) {
    if (path.empty())
      return;
    files.push_back({path, ""});
    llvm::raw_string_ostream out(files.back().bytes);
    write(out);
  };
  Expected<std::vector<SweepPoint>> points = getSweep(*machine);
  if (!points)
    return points.takeError();
  add(jsonFile,
      [&](llvm::raw_ostream &out) { writeJson(*machine, *result, out); });
  add(reportFile, [&](llvm::raw_ostream &out) {
    writeHtml(*machine, *result, timeline, *points, out);
  });
  add(traceFile, [&](llvm::raw_ostream &out) {
    TraceWriter writer(*machine, out);
    llvm::cantFail(run(workloadName, *machine, &writer));
  });
  return writeFilesAtomically(files);
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  if (Error error = runAll()) {
    llvm::errs() << "tegula-sim-run: " << llvm::toString(std::move(error))
                 << "\n";
    return 1;
  }
}
