// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Check.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/support/File.h"
#include "tegula/support/Npy.h"
#include "tegula/support/PrintedLines.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/bench/Measure.h"
#include "tools/tegula/run/CheckReference.h"
#include "tools/tegula/run/RunRanks.h"
#include "tools/tegula/sim/Workload.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;

CommandSpec tegula::describeRun() {
  CommandSpec spec;
  spec.name = "run";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "compile a kernel and run it once";
  spec.details =
      "Sizes come from --dim or from the shapes of the files. Tensors without "
      "a file get\nrandom data. Files are written only if everything "
      "succeeded.\n\n"
      "  tegula run examples/softmax.py --dim M=1000 --dim N=256 --check\n"
      "  tegula run examples/softmax.py --in x=x.npy --out y=y.npy\n"
      "  tegula run examples/ranks/shift.py --ranks 4 --dim NR=4 --dim "
      "N=100\n\n"
      "Under mpirun every process is a rank, and the first one prints.\n";
  spec.options = getWorkloadOptions();
  spec.options.push_back(getTargetOption());
  llvm::append_range(spec.options, getRankOptions());
  spec.options.push_back(
      {"out", "NAME=FILE.npy", "write this output to a file", true});
  spec.options.push_back(
      {"check", "",
       "compare with the reference interpreter, and with the function "
       "'reference' of the file if there is one; exit 1 if wrong, or if "
       "it cannot be run"});
  spec.options.push_back(
      {"no-reference", "", "run no 'reference', which is Python"});
  spec.options.push_back(
      {"bisect", "", "if the check fails, name the pass that is to blame"});
  spec.options.push_back(
      {"debug", "", "tensors that the kernel makes start as zeros"});
  spec.options.push_back({"strict", "", "warnings are errors"});
  spec.options.push_back(
      {"repeat", "NUMBER", "run this often and give the median time (1)"});
  return spec;
}

/// The outputs to write, by index of the parameter.
static Expected<std::map<unsigned, std::string>>
readOutputs(const CommandLine &line, const Signature &signature) {
  Expected<std::vector<Assignment>> given = line.getAssignments("out");
  if (!given)
    return given.takeError();
  std::vector<std::string> names;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.isWritten())
      names.push_back(parameter.name);
  std::map<unsigned, std::string> outputs;
  for (const auto &[name, path] : *given) {
    if (!llvm::is_contained(names, name))
      return makeError("option '--out': kernel '{0}' has no output '{1}'; it "
                       "has {2}",
                       signature.kernel, name, llvm::join(names, ", "));
    for (const auto &[index, other] : outputs)
      if (other == path)
        return makeError("option '--out': '{0}' is given for two outputs",
                         path);
    for (auto [index, parameter] : llvm::enumerate(signature.parameters))
      if (parameter.name == name)
        outputs[index] = path;
  }
  return outputs;
}

/// Compares with what the author says the kernel computes, if the file says
/// so; returns whether it agrees. What cannot be run does not.
static Expected<bool> reportReference(const std::string &path,
                                      const Kernel &kernel,
                                      const Workload &workload,
                                      Progress &progress) {
  progress.update("checking with the reference of the file");
  Expected<ReferenceReport> report = checkReference(path, kernel, workload);
  if (!report)
    return report.takeError();
  progress.clear();
  if (!report->obstacle.empty())
    llvm::outs() << "'reference' was not run: " << report->obstacle
                 << "; --no-reference checks without it\n";
  bool agrees = report->obstacle.empty();
  for (const Comparison &output : report->outputs) {
    llvm::outs() << "reference: " << formatComparison(output) << "\n";
    agrees &= output.agrees();
  }
  return agrees;
}

/// Checks the call; returns whether it agrees with the interpreter.
static Expected<bool> checkAndReport(const Kernel &kernel,
                                     const Workload &workload,
                                     const RankSession *ranks,
                                     bool shouldBisect, Progress &progress) {
  progress.update("checking with the reference interpreter");
  Expected<CheckReport> report = checkCall(kernel, workload.arguments);
  if (!report)
    return report.takeError();
  std::optional<Culprit> culprit;
  if (!report->agrees() && shouldBisect) {
    progress.update("looking for the pass that changed the result");
    Expected<std::optional<Culprit>> found =
        bisectCall(kernel, workload.arguments);
    if (!found)
      return found.takeError();
    culprit = std::move(*found);
  }
  progress.clear();
  if (!isSpeaker(ranks))
    return report->agrees();
  for (const Comparison &output : report->outputs)
    llvm::outs() << formatComparison(output) << "\n";
  if (culprit)
    llvm::outs() << formatCulprit(*culprit);
  return report->agrees();
}

static Error writeOutputs(const std::map<unsigned, std::string> &outputs,
                          const Workload &workload) {
  std::vector<FileContent> files;
  for (const auto &[index, path] : outputs)
    files.push_back({path, formatNpy(workload.arrays[index].getView())});
  return writeFilesAtomically(files);
}

/// A line for each output, then the kernel and its sizes.
static std::string summarise(const Signature &signature,
                             const Workload &workload) {
  std::string text;
  for (auto [parameter, array] :
       llvm::zip(signature.parameters, workload.arrays))
    if (parameter.isWritten())
      text += formatSummary(parameter.name, array.getView()) + "\n";
  std::string dims = formatDims(signature, workload.dims);
  return text + signature.kernel + (dims.empty() ? "" : " " + dims);
}

/// The kernel that the command line names, not yet compiled where arguments
/// decide.
static Expected<Kernel> loadNamedKernel(const CommandLine &line,
                                        const KernelName &name) {
  KernelSource source = {name.path, name.kernel};
  source.isDebug = line.has("debug");
  source.isStrict = line.has("strict");
  source.target = line.get("target");
  return loadKernel(source);
}

/// Runs the checks that the command line asks for; returns whether all agree.
static Expected<bool> runChecks(const CommandLine &line,
                                const std::string &path, const Kernel &kernel,
                                const Workload &workload,
                                const RankSession *ranks, Progress &progress) {
  if (!line.has("check") && !line.has("bisect"))
    return true;
  keepPrintedLines(true);
  Expected<bool> result =
      checkAndReport(kernel, workload, ranks, line.has("bisect"), progress);
  // What was printed before it failed tells why.
  if (!result) {
    llvm::outs() << takePrintedLines();
    return result.takeError();
  }
  bool agrees = *result;
  if (isSpeaker(ranks) && !ranks && !line.has("no-reference")) {
    Expected<bool> wanted = reportReference(path, kernel, workload, progress);
    if (!wanted)
      return wanted.takeError();
    agrees &= *wanted;
  }
  // The run itself prints again.
  keepPrintedLines(false);
  takePrintedLines();
  return agrees;
}

/// The times of a run, in seconds.
struct RunTimes {
  double compile = 0, call = 0;
};

static void printTimes(const std::string &summary, const RunTimes &times,
                       uint64_t repeat, bool wasCompiled) {
  std::string calls = repeat == 1
                          ? "first call"
                          : "median of " + llvm::utostr(repeat) + " calls";
  llvm::outs() << summary << ": " << calls << " " << formatTime(times.call)
               << (wasCompiled ? ", compiled in " : ", found in the cache in ")
               << formatTime(times.compile) << "\n";
}

/// Checks and runs the compiled kernel; returns the status to exit with.
static Expected<int> runPrepared(const CommandLine &line, const Kernel &kernel,
                                 const Workload &workload,
                                 const std::map<unsigned, std::string> &outputs,
                                 uint64_t repeat, RunTimes times,
                                 Progress &progress) {
  progress.update("starting ranks");
  Expected<std::unique_ptr<RankSession>> ranks = openRanks(line);
  if (!ranks)
    return ranks.takeError();
  Expected<bool> agrees =
      runChecks(line, splitKernelName(line.getOperand()).path, kernel, workload,
                ranks->get(), progress);
  if (!agrees)
    return agrees.takeError();
  progress.update("running");
  llvm::outs().flush();
  Expected<double> seconds = measureCalls(kernel, workload, repeat);
  if (!seconds)
    return seconds.takeError();
  times.call = *seconds;
  progress.clear();
  if (Error error = reportRanks(line, kernel, workload.arguments, ranks->get()))
    return error;
  progress.update("writing the outputs");
  if (!isSpeaker(ranks->get()))
    return *agrees ? 0 : 1;
  if (*agrees)
    if (Error error = writeOutputs(outputs, workload))
      return error;
  progress.update("summing up");
  std::string summary = summarise(kernel.getSignature(), workload);
  progress.clear();
  printTimes(summary, times, repeat, kernel.getCompileCount() != 0);
  return *agrees ? 0 : 1;
}

Expected<int> tegula::runRun(const CommandLine &line) {
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Expected<uint64_t> repeat = line.getNumber("repeat", 1, 1, 1000000);
  if (!repeat)
    return repeat.takeError();
  if (Error error = chooseInterpretedRanks(line))
    return error;

  Progress progress("compiling");
  Stopwatch compileTime;
  Expected<Kernel> kernel =
      loadNamedKernel(line, splitKernelName(line.getOperand()));
  if (!kernel)
    return kernel.takeError();
  Expected<std::map<unsigned, std::string>> outputs =
      readOutputs(line, kernel->getSignature());
  if (!outputs)
    return outputs.takeError();
  RunTimes times;
  times.compile = compileTime.getSeconds();
  progress.update("preparing the arguments");
  Expected<Workload> workload = makeWorkload(kernel->getSignature(), *request);
  if (!workload)
    return workload.takeError();
  progress.update("compiling");
  // A kernel with open parameters is compiled for the arguments.
  Stopwatch prepareTime;
  if (Error error = kernel->prepare(workload->arguments))
    return error;
  times.compile += prepareTime.getSeconds();
  progress.clear();
  printWarnings(kernel->listWarnings());
  return runPrepared(line, *kernel, *workload, *outputs, *repeat, times,
                     progress);
}
