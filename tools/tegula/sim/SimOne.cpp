// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteComparison.h"
#include "tegula/sim/report/WriteJson.h"
#include "tegula/sim/report/WriteText.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/sim/SimReports.h"
#include "tools/tegula/sim/SimRun.h"

#include "llvm/Support/raw_ostream.h"

using namespace tegula;

Expected<int> tegula::simulateOne(SimulatedKernel &kernel,
                                  const SimRequest &request,
                                  llvm::ArrayRef<int64_t> extents) {
  if (!request.svg.empty())
    return makeError("option '--svg' draws over a size that varies, such as "
                     "--dim M=64..8192:x2");
  Progress progress("simulating");
  sim::OpLog log(maxLoggedOps);
  Expected<SimPair> pair = simulatePair(kernel, request, extents,
                                        request.wantsLog() ? &log : nullptr);
  if (!pair)
    return pair.takeError();
  progress.update("writing the reports");
  sim::Sweep sweep = makeSweep(kernel, request, {}, extents);
  sweep.points.push_back(pair->getPoint());
  if (Error error = writeReports(request, sweep, &*pair, log))
    return error;
  progress.clear();
  const sim::ReportedRun *changed = pair->changed ? &*pair->changed : nullptr;
  if (request.isJson)
    sim::writeJson(pair->run, changed, request.whatIf, llvm::outs());
  else if (changed)
    sim::writeComparison(pair->run, *changed, request.whatIf, llvm::outs());
  else
    sim::writeText(pair->run, llvm::outs());
  return 0;
}
