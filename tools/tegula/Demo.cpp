// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Check.h"
#include "tegula/runtime/Compiler.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Measure.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/Workload.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;

/// The longest check that is worth waiting for, in seconds.
static constexpr double maxCheckSeconds = 1.5;

CommandSpec tegula::describeDemo() {
  CommandSpec spec;
  spec.name = "demo";
  spec.operand = "FOLDER";
  spec.summary =
      "compile every kernel of a folder once and run it at many sizes";
  spec.details =
      "Each kernel is compiled once and run with empty, tiny, ragged, prime "
      "and "
      "large sizes.\nThe line of a kernel has the slowest of them, and the "
      "largest difference from the\nreference interpreter at any of them, "
      "relative to the largest element; '-' where interpreting\nwould take "
      "too long. With --verbose there is a line for each size.\n";
  spec.options = {{"verbose", "", "a line for each size"}, getTargetOption()};
  return spec;
}

namespace {

/// Runs one kernel after the other and counts what goes wrong.
class Demo {
public:
  Demo(bool isVerbose, std::string target)
      : isVerbose(isVerbose), target(std::move(target)) {}

  Error runFile(const std::string &path);
  int getNumFailures() const { return numFailures; }
  int getNumKernels() const { return numKernels; }
  /// The words that run a kernel at a size.
  const std::string &getExample() const { return example; }

private:
  Error runKernel(const std::string &path, const std::string &name);
  Error runSize(const Kernel &kernel, const WorkloadRequest &request);
  void print(const Kernel &kernel, const std::string &size,
             const std::string &time, const std::string &error);
  void printFailure(const Kernel &kernel, const Workload &workload,
                    const std::string &error);
  void printSummary(const Kernel &kernel);

  bool isVerbose;
  std::string target;
  Progress progress{"running the kernels"};
  /// Of the current kernel: the slowest size and its time, how many sizes ran,
  /// and the worst error if one was checked.
  std::string slowestSize;
  double slowest = 0;
  unsigned numSizes = 0;
  std::optional<double> worstError;
  /// Seconds the interpreter took per unit of work, for the current kernel.
  double secondsPerWork = 0;
  double largestWork = 0;
  int numFailures = 0;
  int numKernels = 0;
  /// The kernel just run cannot take random numbers.
  bool needsIndices = false;
  std::string example;
};

} // namespace

/// Sizes around the places where kernels break: nothing, one, beside powers of
/// two (where tiles end), primes, and one that is large. Every dimension takes
/// the hostile value alone once, too.
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
  // Large, but not so large that interpreting it takes long.
  add(symbols.size() == 1 ? 20000 : symbols.size() == 2 ? 1000 : 300);
  return sizes;
}

/// The product of all extents: what the work grows with at most.
static double countWork(const Workload &workload) {
  double work = 1;
  for (const auto &[name, extent] : workload.dims)
    work *= static_cast<double>(std::max<int64_t>(1, extent));
  return work;
}

void Demo::print(const Kernel &kernel, const std::string &size,
                 const std::string &time, const std::string &error) {
  progress.clear();
  llvm::outs() << llvm::formatv("{0,-24} {1,-32} {2,8}  {3,10}  {4}\n",
                                kernel.getSignature().kernel, size,
                                kernel.getCompileCount(), time, error);
  llvm::outs().flush();
}

/// What goes wrong is always shown.
void Demo::printFailure(const Kernel &kernel, const Workload &workload,
                        const std::string &error) {
  print(kernel, formatDims(kernel.getSignature(), workload.dims), "-", error);
}

/// The line of a kernel after all of its sizes.
void Demo::printSummary(const Kernel &kernel) {
  if (numSizes == 0)
    return;
  std::string error =
      worstError ? llvm::formatv("{0:e1}", *worstError).str() : "-";
  print(kernel, slowestSize, formatTime(slowest),
        error + llvm::formatv("  ({0} sizes)", numSizes).str());
}

/// True for a kernel that is given integers, which may be places in another
/// tensor: random ones are not.
static bool takesIndices(const Signature &signature) {
  return llvm::any_of(signature.parameters, [](const Parameter &parameter) {
    return !parameter.isScalar() && parameter.dtype &&
           !isFloat(*parameter.dtype) && !parameter.isWritten();
  });
}

Error Demo::runSize(const Kernel &kernel, const WorkloadRequest &request) {
  Expected<Workload> workload = makeWorkload(kernel.getSignature(), request);
  if (!workload)
    return workload.takeError();
  std::string verdict = "-";
  double work = countWork(*workload);
  if (largestWork < 1e4 ? work < 1e5
                        : work * secondsPerWork <= maxCheckSeconds) {
    Stopwatch watch;
    Expected<CheckReport> report = checkCall(kernel, workload->arguments);
    if (!report && takesIndices(kernel.getSignature())) {
      needsIndices = true;
      llvm::consumeError(report.takeError());
      printFailure(kernel, *workload, "needs indices that fit; see test/e2e");
      return Error::success();
    }
    if (!report) {
      ++numFailures;
      printFailure(kernel, *workload, llvm::toString(report.takeError()));
      return Error::success();
    }
    // The largest size says most: small ones are dominated by what does not
    // grow.
    if (work >= largestWork) {
      largestWork = work;
      secondsPerWork = watch.getSeconds() / work;
    }
    double worst = 0;
    for (const Comparison &output : report->outputs)
      worst = std::max(worst, output.relativeError);
    verdict = llvm::formatv("{0:e1}", worst).str();
    worstError = std::max(worst, worstError.value_or(0));
    if (!report->agrees()) {
      verdict += "  WRONG";
      ++numFailures;
      if (!isVerbose)
        printFailure(kernel, *workload, verdict);
    }
  }
  Expected<double> seconds = measureWarm(kernel, *workload, 0.01);
  if (!seconds)
    return seconds.takeError();
  std::string size = formatDims(kernel.getSignature(), workload->dims);
  if (isVerbose)
    print(kernel, size, formatTime(*seconds), verdict);
  if (numSizes++ == 0 || *seconds > slowest) {
    slowest = *seconds;
    slowestSize = size;
  }
  return Error::success();
}

Error Demo::runKernel(const std::string &path, const std::string &name) {
  progress.update("compiling " + name);
  KernelSource source = {path, name};
  source.target = target;
  Expected<Kernel> kernel = loadKernel(source);
  if (!kernel)
    return kernel.takeError();
  ++numKernels;
  if (kernel->getSignature().isOpen()) {
    llvm::outs() << llvm::formatv("{0,-24} leaves shapes open; try tegula run "
                                  "with --shape\n",
                                  name);
    return Error::success();
  }
  example = path + ":" + name;
  for (const std::string &symbol : kernel->getSignature().getSymbols())
    example += " --dim " + symbol + "=333";
  for (const Parameter &parameter : kernel->getSignature().parameters)
    if (parameter.isScalar())
      example += " --scalar " + parameter.name + "=1";
  secondsPerWork = largestWork = slowest = 0;
  needsIndices = false;
  numSizes = 0;
  worstError.reset();
  for (const WorkloadRequest &request : listSizes(kernel->getSignature())) {
    progress.update("running " + name);
    if (Error error = runSize(*kernel, request))
      return error;
    if (needsIndices)
      break;
  }
  if (!isVerbose && !needsIndices)
    printSummary(*kernel);
  return Error::success();
}

Error Demo::runFile(const std::string &path) {
  Expected<std::vector<std::string>> kernels = listKernels(path);
  if (!kernels)
    return kernels.takeError();
  for (const std::string &name : *kernels)
    if (Error error = runKernel(path, name))
      return error;
  return Error::success();
}

/// The kernel files of a folder, sorted.
static Expected<std::vector<std::string>> listFiles(const std::string &folder) {
  if (!llvm::sys::fs::is_directory(folder))
    return makeError("'{0}' is not a folder", folder);
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".py")
      paths.push_back(it->path());
  if (code)
    return makeError("cannot read '{0}': {1}", folder, code.message());
  if (paths.empty())
    return makeError("'{0}' has no .py file", folder);
  llvm::sort(paths);
  return paths;
}

/// How this program is called from the current folder, for commands that can
/// be copied.
static std::string findSelf() {
  std::string path = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  llvm::SmallString<128> here;
  if (path.empty() || llvm::sys::fs::current_path(here))
    return "tegula";
  llvm::StringRef rest = path;
  bool isBelow = rest.consume_front(here) && rest.consume_front("/");
  return isBelow ? rest.str() : path;
}

Expected<int> tegula::runDemo(const CommandLine &line) {
  std::string folder = line.getOperand().str();
  Expected<std::vector<std::string>> paths = listFiles(folder);
  if (!paths)
    return paths.takeError();
  llvm::outs() << llvm::formatv("{0,-24} {1,-32} {2,8}  {3,10}  {4}\n",
                                "kernel",
                                line.has("verbose") ? "size" : "slowest size",
                                "compiles", "time", "largest error");
  Demo demo(line.has("verbose"), line.get("target"));
  for (const std::string &path : *paths)
    if (Error error = demo.runFile(path))
      return error;
  if (demo.getNumFailures() > 0)
    return makeError("{0} runs went wrong", demo.getNumFailures());
  llvm::outs() << llvm::formatv("\n{0} kernels, each compiled once. Try next:\n"
                                "  {3} run {1} --check\n"
                                "  {3} ir {2} --stage tiles\n"
                                "  {3} bench --help\n",
                                demo.getNumKernels(), demo.getExample(),
                                paths->front(), findSelf());
  return 0;
}
