// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/SimReports.h"

#include "tegula/sim/report/WriteCsv.h"
#include "tegula/sim/report/WriteHtml.h"
#include "tegula/sim/report/WriteSvg.h"
#include "tegula/sim/report/WriteTrace.h"
#include "tegula/support/File.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;

sim::SweepPoint SimPair::getPoint() const {
  sim::SweepPoint point;
  point.extents = run.extents;
  point.summary = sim::summarise(run.machine, run.result);
  if (changed)
    point.changed = sim::summarise(changed->machine, changed->result);
  return point;
}

static Expected<sim::ReportedRun> run(SimulatedKernel &kernel,
                                      const SimRequest &request,
                                      llvm::ArrayRef<int64_t> extents,
                                      const sim::Machine &machine,
                                      sim::OpLog *log) {
  sim::SimulateOptions options;
  options.observer = log;
  options.extrapolateAfter = request.extrapolateAfter;
  Expected<sim::Result> result = kernel.simulate(extents, machine, options);
  if (!result)
    return result.takeError();
  return sim::ReportedRun{kernel.getName().str(), kernel.getSymbols().vec(),
                          extents.vec(),          machine,
                          std::move(*result),     kernel.getNotes()};
}

Expected<SimPair> tegula::simulatePair(SimulatedKernel &kernel,
                                       const SimRequest &request,
                                       llvm::ArrayRef<int64_t> extents,
                                       sim::OpLog *log) {
  SimPair pair;
  Expected<sim::ReportedRun> plain =
      run(kernel, request, extents, request.machine, log);
  if (!plain)
    return plain.takeError();
  pair.run = std::move(*plain);
  if (!request.changedMachine)
    return pair;
  Expected<sim::ReportedRun> changed =
      run(kernel, request, extents, *request.changedMachine, nullptr);
  if (!changed)
    return makeError("after the what-if: {0}",
                     llvm::toString(changed.takeError()));
  pair.changed = std::move(*changed);
  return pair;
}

sim::Sweep tegula::makeSweep(const SimulatedKernel &kernel,
                             const SimRequest &request,
                             llvm::ArrayRef<size_t> swept,
                             llvm::ArrayRef<int64_t> firstExtents) {
  sim::Sweep sweep;
  sweep.kernel = kernel.getName().str();
  sweep.machine = request.machine.name;
  sweep.whatIf = request.whatIf;
  sweep.symbols = kernel.getSymbols().vec();
  sweep.swept = swept.vec();
  std::vector<size_t> fixed;
  for (size_t index = 0; index < sweep.symbols.size(); ++index)
    if (!llvm::is_contained(swept, index))
      fixed.push_back(index);
  sweep.fixed = sim::formatExtents(sweep.symbols, firstExtents, fixed);
  return sweep;
}

Error tegula::writeReports(const SimRequest &request, const sim::Sweep &sweep,
                           const SimPair *last, const sim::OpLog &log) {
  std::vector<FileContent> files;
  auto add = [&](const std::string &path, auto write) {
    if (path.empty())
      return;
    files.push_back({path, ""});
    llvm::raw_string_ostream out(files.back().bytes);
    write(out);
  };
  add(request.csv, [&](llvm::raw_ostream &out) { sim::writeCsv(sweep, out); });
  add(request.svg, [&](llvm::raw_ostream &out) { sim::writeSvg(sweep, out); });
  if (last) {
    add(request.trace,
        [&](llvm::raw_ostream &out) { sim::writeTrace(last->run, log, out); });
    add(request.report, [&](llvm::raw_ostream &out) {
      sim::writeHtml(last->run, log, sweep.swept.empty() ? nullptr : &sweep,
                     out);
    });
  }
  if (Error error = writeFilesAtomically(files))
    return error;
  if (last && !request.trace.empty() && log.isCut())
    llvm::errs() << "note: '" << request.trace << "' has the first "
                 << log.getOps().size() << " of " << last->run.result.numOps
                 << " operations\n";
  return Error::success();
}
