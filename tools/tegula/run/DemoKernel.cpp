// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/run/DemoKernel.h"

#include "tegula/runtime/Check.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/bench/Measure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <ctime>

using namespace tegula;

/// The longest check that is worth waiting for, in seconds, and how long the
/// check of a size takes that is chosen for it.
static constexpr double maxCheckSeconds = 1.5;
static constexpr double fitCheckSeconds = 0.5;
/// Below this the time of a check says nothing about that of a larger one.
static constexpr double minMeasurableSeconds = 0.02;
/// A size is large if it is beyond all others but a prime.
static constexpr int64_t minLargest = 200;
/// Seconds in which a size is timed.
static constexpr double timingSeconds = 0.005;

std::string tegula::formatDemoLine(llvm::StringRef kernel, llvm::StringRef size,
                                   llvm::StringRef compiles,
                                   llvm::StringRef time,
                                   llvm::StringRef error) {
  return llvm::formatv("{0,-24} {1,-32} {2,8}  {3,10}  {4}\n", kernel, size,
                       compiles, time, error);
}

/// Sizes around the places where kernels break: nothing, one, next to powers of
/// two (where tiles end), primes, and at last one that is large. Every
/// dimension takes the hostile value alone once, too.
static std::vector<WorkloadRequest> listSizes(const Signature &signature) {
  std::vector<std::string> symbols = signature.getSymbols();
  WorkloadRequest base;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.isScalar())
      base.scalars[parameter.name] =
          parameter.dtype && isFloat(*parameter.dtype) ? "1.5" : "1";
  if (symbols.empty())
    return {base};
  std::vector<WorkloadRequest> sizes;
  auto add = [&](int64_t all) -> WorkloadRequest & {
    sizes.push_back(base);
    for (const std::string &symbol : symbols)
      sizes.back().dims[symbol] = all;
    return sizes.back();
  };
  for (int64_t all : {0, 1, 31, 33, 127, 129})
    add(all);
  for (const std::string &symbol : symbols) {
    if (symbols.size() > 1)
      add(67).dims[symbol] = 1;
    add(37).dims[symbol] = 1009;
  }
  // Large, but not so large that running it takes long.
  static constexpr int64_t largest[] = {20000, 1000, 300, 160};
  add(largest[std::min<size_t>(symbols.size(), std::size(largest)) - 1]);
  return sizes;
}

/// Processor seconds of this thread: what others run on the machine does not
/// count.
static double getThreadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

/// The product of all extents: what the work grows with at most.
static double countWork(const std::map<std::string, int64_t> &dims) {
  double work = 1;
  for (const auto &[name, extent] : dims)
    work *= static_cast<double>(std::max<int64_t>(1, extent));
  return work;
}

/// True for a kernel that is given integers, which may be indices into another
/// tensor: random ones are not.
static bool takesIndices(const Signature &signature) {
  return llvm::any_of(signature.parameters, [](const Parameter &parameter) {
    return !parameter.isScalar() && parameter.dtype &&
           !isFloat(*parameter.dtype) && !parameter.isWritten();
  });
}

void DemoKernel::addLine(const Kernel &kernel, const std::string &size,
                         const std::string &time, const std::string &error) {
  text += formatDemoLine(kernel.getSignature().kernel, size,
                         std::to_string(kernel.getCompileCount()), time, error);
}

/// What goes wrong is always shown.
void DemoKernel::fail(const Kernel &kernel, const Workload &workload,
                      const std::string &error) {
  addLine(kernel, formatDims(kernel.getSignature(), workload.dims), "-", error);
}

/// Small checks say little about the time of large ones.
bool DemoKernel::isWorthChecking(double work) const {
  if (largestWork < 1e4 && largestSeconds < minMeasurableSeconds)
    return work < 1e5;
  return work / largestWork * largestSeconds <= maxCheckSeconds;
}

/// A size that can be checked in place of `largest`, if that takes too long and
/// there is a large one.
WorkloadRequest DemoKernel::fitLargest(const Signature &signature,
                                       const WorkloadRequest &largest) const {
  double work = countWork(largest.dims);
  if (largest.dims.empty() || isWorthChecking(work) ||
      largestSeconds < minMeasurableSeconds)
    return largest;
  double share = fitCheckSeconds / (work / largestWork * largestSeconds);
  int64_t extent = static_cast<int64_t>(
      static_cast<double>(largest.dims.begin()->second) *
      std::pow(share, 1.0 / static_cast<double>(largest.dims.size())));
  if (extent < minLargest)
    return largest;
  WorkloadRequest fitted = largest;
  for (auto &[symbol, value] : fitted.dims)
    value = extent;
  return countWork(fitted.dims) > largestWork ? fitted : largest;
}

/// Compares a call with the interpreter; returns the error as text.
Expected<std::string> DemoKernel::check(const Kernel &kernel,
                                        const Workload &workload) {
  double work = countWork(workload.dims);
  if (!isWorthChecking(work))
    return "-";
  double start = getThreadSeconds();
  Expected<CheckReport> report = checkCall(kernel, workload.arguments);
  if (!report)
    return report.takeError();
  // The largest size says most: small ones are dominated by what does not
  // grow.
  if (work >= largestWork) {
    largestWork = work;
    largestSeconds = getThreadSeconds() - start;
  }
  double worst = 0;
  for (const Comparison &output : report->outputs)
    worst = std::max(worst, output.relativeError);
  worstError = std::max(worst, worstError.value_or(0));
  std::string verdict = llvm::formatv("{0:e1}", worst).str();
  if (report->agrees())
    return verdict;
  ++numFailures;
  return verdict + "  WRONG";
}

/// Checks a size if that does not take too long, then times it alone.
Error DemoKernel::runSize(const Kernel &kernel, const WorkloadRequest &request,
                          bool isVerbose, QuietMachine &machine) {
  const Signature &signature = kernel.getSignature();
  Expected<Workload> workload = makeWorkload(signature, request);
  if (!workload)
    return workload.takeError();
  unsigned before = numFailures;
  Expected<std::string> verdict = "";
  {
    auto working = machine.work();
    verdict = check(kernel, *workload);
  }
  if (!verdict) {
    needsIndices = takesIndices(signature);
    std::string message = llvm::toString(verdict.takeError());
    fail(kernel, *workload,
         needsIndices ? "needs indices that fit; see test/e2e" : message);
    numFailures += !needsIndices;
    return Error::success();
  }
  if (numFailures > before && !isVerbose)
    fail(kernel, *workload, *verdict);
  auto timing = machine.time();
  Expected<double> seconds = measureWarm(kernel, *workload, timingSeconds);
  if (!seconds)
    return seconds.takeError();
  std::string size = formatDims(signature, workload->dims);
  if (isVerbose)
    addLine(kernel, size, formatTime(*seconds), *verdict);
  if (numSizes++ == 0 || *seconds > slowest) {
    slowest = *seconds;
    slowestSize = size;
  }
  return Error::success();
}

/// A command line that runs the kernel.
void DemoKernel::setExample(const Signature &signature) {
  example = path + ":" + name;
  for (const std::string &symbol : signature.getSymbols())
    example += " --dim " + symbol + "=333";
  for (const Parameter &parameter : signature.parameters)
    if (parameter.isScalar())
      example += " --scalar " + parameter.name + "=1";
}

Error DemoKernel::run(const std::string &target, bool isVerbose,
                      QuietMachine &machine) {
  auto working = machine.work();
  KernelSource source = {path, name};
  source.target = target;
  Expected<Kernel> kernel = loadKernel(source);
  working.unlock();
  if (!kernel)
    return kernel.takeError();
  const Signature &signature = kernel->getSignature();
  if (signature.isOpen()) {
    text = llvm::formatv("{0,-24} leaves shapes open; try tegula run with "
                         "--shape\n",
                         name);
    return Error::success();
  }
  setExample(signature);
  std::vector<WorkloadRequest> requests = listSizes(signature);
  for (const WorkloadRequest &request : requests) {
    bool isLast = &request == &requests.back();
    if (Error error =
            runSize(*kernel, isLast ? fitLargest(signature, request) : request,
                    isVerbose, machine))
      return error;
    if (needsIndices)
      return Error::success();
  }
  if (isVerbose || numSizes == 0)
    return Error::success();
  std::string error =
      worstError ? llvm::formatv("{0:e1}", *worstError).str() : "-";
  addLine(*kernel, slowestSize, formatTime(slowest),
          error + llvm::formatv("  ({0} sizes)", numSizes).str());
  return Error::success();
}
