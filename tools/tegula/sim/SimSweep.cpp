// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteJson.h"
#include "tegula/sim/report/WriteSweepTable.h"
#include "tegula/sim/sweep/ExtentList.h"
#include "tools/tegula/Interrupt.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/bench/Measure.h"
#include "tools/tegula/sim/SimReports.h"
#include "tools/tegula/sim/SimRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <unistd.h>

using namespace tegula;

static std::atomic<bool> isInterrupted = false;

/// For Ctrl-C: the sizes that are done are kept. The next one ends the program.
static void stopAfterThisSize() {
  static constexpr char message[] =
      "\r\x1b[Kstopping after this size; Ctrl-C again stops now\n";
  isInterrupted = true;
  if (isatty(STDERR_FILENO))
    (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
}

/// The symbols with several extents, in the order of the command line.
static std::vector<size_t> findSwept(const SimRequest &request,
                                     llvm::ArrayRef<std::string> symbols) {
  std::vector<size_t> swept;
  for (const SimDim &dim : request.dims)
    if (dim.extents.size() > 1)
      swept.push_back(llvm::find(symbols, dim.name) - symbols.begin());
  return swept;
}

namespace {

/// How much is left of a sweep. The work of a size is taken to follow the
/// product of its extents.
class TimeLeft {
public:
  explicit TimeLeft(llvm::ArrayRef<std::vector<int64_t>> sizes) {
    for (const std::vector<int64_t> &size : sizes)
      left += getWork(size);
  }

  void finish(llvm::ArrayRef<int64_t> size) {
    done += getWork(size);
    left -= getWork(size);
  }
  /// ", about 12 s left"; nothing before the first size is done.
  std::string format() const {
    if (done == 0)
      return "";
    return ", about " + formatTime(watch.getSeconds() * left / done) + " left";
  }

private:
  static double getWork(llvm::ArrayRef<int64_t> size) {
    double work = 1;
    for (int64_t extent : size)
      work *= double(extent);
    return work;
  }

  Stopwatch watch;
  double done = 0;
  double left = 0;
};

/// A sweep while it goes on.
class SweepRun {
public:
  SweepRun(SimulatedKernel &kernel, const SimRequest &request,
           llvm::ArrayRef<std::vector<int64_t>> extents)
      : kernel(kernel), request(request),
        sizes(sim::listSizes(extents, findSwept(request, kernel.getSymbols()))),
        sweep(makeSweep(kernel, request,
                        findSwept(request, kernel.getSymbols()),
                        sizes.front())),
        log(maxLoggedOps) {}

  Error simulateAll();
  Expected<int> report();

private:
  bool isComplete() const { return sweep.points.size() == sizes.size(); }

  SimulatedKernel &kernel;
  const SimRequest &request;
  std::vector<std::vector<int64_t>> sizes;
  sim::Sweep sweep;
  sim::OpLog log;
  /// The size of the timeline and the page.
  std::optional<SimPair> last;
};

} // namespace

Error SweepRun::simulateAll() {
  deferNextSignal(stopAfterThisSize);
  Progress progress("simulating");
  TimeLeft timeLeft(sizes);
  if (!request.isJson)
    sim::writeSweepHead(sweep, llvm::outs());
  for (const std::vector<int64_t> &size : sizes) {
    if (isInterrupted)
      return Error::success();
    progress.update(llvm::formatv("{0}: {1} of {2}{3}",
                                  sim::formatExtents(sweep.symbols, size),
                                  sweep.points.size() + 1, sizes.size(),
                                  timeLeft.format())
                        .str());
    bool isLast = &size == &sizes.back();
    Expected<SimPair> pair = simulatePair(
        kernel, request, size, isLast && request.wantsLog() ? &log : nullptr);
    if (!pair)
      return makeError("at {0}: {1}", sim::formatExtents(sweep.symbols, size),
                       llvm::toString(pair.takeError()));
    timeLeft.finish(size);
    sweep.points.push_back(pair->getPoint());
    if (isLast)
      last = std::move(*pair);
    if (request.isJson)
      continue;
    progress.clear();
    sim::writeSweepLine(sweep, sweep.points.back(), llvm::outs());
    llvm::outs().flush();
  }
  return Error::success();
}

Expected<int> SweepRun::report() {
  if (sweep.points.empty())
    return getInterruptedCode();
  if (request.isJson)
    sim::writeJson(sweep, kernel.getNotes(), request.machine,
                   request.changedMachine ? &*request.changedMachine : nullptr,
                   llvm::outs());
  else
    for (const std::string &note : kernel.getNotes())
      llvm::outs() << "note: " << note << "\n";
  if (Error error = writeReports(request, sweep, last ? &*last : nullptr, log))
    return error;
  if (!isInterrupted || isComplete())
    return 0;
  llvm::outs().flush();
  llvm::errs() << "interrupted after " << sweep.points.size() << " of "
               << sizes.size() << " sizes"
               << (request.wantsLog() ? "; no timeline and no page is written"
                                      : "")
               << "\n";
  return getInterruptedCode();
}

Expected<int>
tegula::simulateSweep(SimulatedKernel &kernel, const SimRequest &request,
                      llvm::ArrayRef<std::vector<int64_t>> extents) {
  int64_t count = 1;
  for (const std::vector<int64_t> &each : extents)
    if ((count *= int64_t(each.size())) > sim::maxSizes)
      return makeError("option '--dim': that would be more than {0} sizes",
                       sim::maxSizes);
  SweepRun run(kernel, request, extents);
  // A size that fails takes nothing from those before it.
  Error failure = run.simulateAll();
  Expected<int> code = run.report();
  if (!failure)
    return code;
  llvm::outs().flush();
  return code ? std::move(failure)
              : llvm::joinErrors(std::move(failure), code.takeError());
}
