// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tegula explain --perf`: where the time of a kernel goes, and how near it is
// to what the machine can do.

#include "tegula/runtime/MachineLimits.h"
#include "tegula/runtime/Profile.h"
#include "tegula/support/SourceFiles.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/Workload.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tegula;
namespace json = llvm::json;

CommandSpec tegula::describeExplain() {
  CommandSpec spec;
  spec.name = "explain";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "say what a kernel compiles to, and with --perf why it takes "
                 "its time";
  spec.details =
      "Says what of the kernel is fixed when it is compiled, what a call must "
      "satisfy, and\nwhich loops run in order. With --perf it is called at the "
      "given size: the source\nwith each line's share of the time, what is "
      "computed and moved beside what one\ncore of this machine can do, and "
      "what the compiler could not do.\n\n"
      "  tegula explain examples/softmax.py --perf --dim M=4096 --dim N=1024\n";
  spec.options = getWorkloadOptions();
  spec.options.push_back(getTargetOption());
  spec.options.push_back({"perf", "", "run it and say where the time goes"});
  spec.options.push_back(
      {"time", "MILLISECONDS", "time to spend on --perf (1000)"});
  spec.options.push_back({"json", "", "print what --perf finds as JSON"});
  return spec;
}

namespace {

/// What a call does, and what the machine could do.
struct Rates {
  double bytes = 0, operations = 0, seconds = 0;
  double copyRate = 0, peak = 0;
  unsigned threads = 1;

  /// The share of the time that the machine needs at least.
  double ofMemory() const { return bytes / copyRate / seconds; }
  double ofArithmetic() const { return operations / peak / seconds; }
  std::string nameCores() const {
    return threads == 1 ? "one core" : std::to_string(threads) + " cores";
  }
};

} // namespace

/// "83.9 M"
static std::string formatLarge(double value) {
  static constexpr const char *units[] = {"", "k", "M", "G", "T", "P"};
  size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return llvm::formatv("{0} {1}", llvm::format("%.3g", value), units[unit]);
}

static int toPercent(double share) {
  return static_cast<int>(std::lround(share * 100));
}

/// Which limit the kernel is at, in a sentence.
static std::string describeBound(const Rates &rates) {
  double memory = rates.ofMemory(), arithmetic = rates.ofArithmetic();
  bool isMemory = memory >= arithmetic;
  double share = std::max(memory, arithmetic);
  const char *what = isMemory ? "memory" : "arithmetic";
  if (share >= 0.7)
    return llvm::formatv("bound by {0}: at {1} % of what {2} can do", what,
                         toPercent(share),
                         isMemory ? "one core" : rates.nameCores());
  return llvm::formatv("not at a limit: {0} alone would take {1} % of the time",
                       what, toPercent(share));
}

static void printRates(const Rates &rates, bool isCounted) {
  auto print = [](const char *what, const std::string &amount,
                  const std::string &rate, double share,
                  const std::string &limit) {
    llvm::outs() << llvm::formatv("  {0,-11} {1,10}  {2,12}  {3,4} % of {4}\n",
                                  what, amount, rate, toPercent(share), limit);
  };
  print("arithmetic",
        (isCounted ? "" : "about ") + formatLarge(rates.operations) + "op",
        formatLarge(rates.operations / rates.seconds) + "op/s",
        rates.ofArithmetic(),
        formatLarge(rates.peak) + "op/s, the multiply-adds of " +
            rates.nameCores());
  print("memory", formatLarge(rates.bytes) + "B",
        formatLarge(rates.bytes / rates.seconds) + "B/s", rates.ofMemory(),
        formatLarge(rates.copyRate) + "B/s, at which one core copies as much");
  llvm::outs() << "  " << describeBound(rates) << "\n";
}

/// The lines that take at least a hundredth, in the order of the source.
static void printLines(const Profile &profile, SourceFiles &files) {
  std::vector<LineShare> lines;
  uint64_t told = 0;
  for (const LineShare &line : profile.lines)
    if (line.samples * 100 >= profile.samples) {
      lines.push_back(line);
      told += line.samples;
    }
  llvm::sort(lines, [](const LineShare &a, const LineShare &b) {
    return std::tie(a.place.file, a.place.line) <
           std::tie(b.place.file, b.place.line);
  });
  auto toShare = [&](uint64_t samples) {
    return toPercent(static_cast<double>(samples) /
                     std::max<double>(1, profile.samples));
  };
  std::string file;
  for (const LineShare &line : lines) {
    if (line.place.file != file)
      llvm::outs() << "\n" << line.place.file << "\n";
    file = line.place.file;
    llvm::StringRef text;
    Expected<const std::string *> source = files.find(file);
    if (source && *source) {
      llvm::SmallVector<llvm::StringRef> all;
      llvm::StringRef(**source).split(all, '\n');
      if (line.place.line <= all.size())
        text = all[line.place.line - 1].rtrim();
    }
    llvm::consumeError(source.takeError());
    llvm::outs() << llvm::formatv("{0,5} {1,4} %  {2}\n", line.place.line,
                                  toShare(line.samples), text);
  }
  if (uint64_t rest = profile.samples - told)
    llvm::outs() << llvm::formatv("      {0,4} %  elsewhere: other lines, "
                                  "waiting, the call itself\n",
                                  toShare(rest));
}

static json::Value toJson(const Profile &profile, const Rates &rates,
                          const Workload &workload, llvm::StringRef kernel) {
  json::Object dims;
  for (const auto &[name, extent] : workload.dims)
    dims[name] = extent;
  json::Array lines;
  for (const LineShare &line : profile.lines)
    lines.push_back(
        json::Object{{"file", json::fixUTF8(line.place.file)},
                     {"line", line.place.line},
                     {"share", static_cast<double>(line.samples) /
                                   static_cast<double>(profile.samples)}});
  json::Array remarks;
  for (const Diagnostic &remark : profile.remarks)
    remarks.push_back(json::Object{{"file", json::fixUTF8(remark.place.file)},
                                   {"line", remark.place.line},
                                   {"message", json::fixUTF8(remark.message)}});
  return json::Object{{"kernel", kernel},
                      {"dims", std::move(dims)},
                      {"seconds", rates.seconds},
                      {"calls", static_cast<int64_t>(profile.calls)},
                      {"threads", profile.threads},
                      {"operations", rates.operations},
                      {"operations_exact", profile.isCounted},
                      {"bytes", rates.bytes},
                      {"peak_operations_per_second", rates.peak},
                      {"copy_bytes_per_second", rates.copyRate},
                      {"bound", describeBound(rates)},
                      {"lines", std::move(lines)},
                      {"remarks", std::move(remarks)}};
}

static Expected<int> explainTime(const CommandLine &line,
                                 const KernelSource &source) {
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Expected<uint64_t> budget = line.getNumber("time", 1000, 10, 600000);
  if (!budget)
    return budget.takeError();
  Progress progress("preparing the arguments");
  Expected<Signature> signature = readSignature(source);
  if (!signature)
    return signature.takeError();
  Expected<Workload> workload = makeWorkload(*signature, *request);
  if (!workload)
    return workload.takeError();
  progress.update("measuring");
  Expected<Profile> profile =
      tegula::profile(source, workload->arguments, *budget / 1000.0);
  if (!profile)
    return profile.takeError();
  Rates rates;
  for (const Array &array : workload->arrays)
    rates.bytes += static_cast<double>(array.getNumBytes());
  rates.operations = profile->operations;
  rates.seconds = profile->seconds;
  rates.copyRate = measureCopyRate(static_cast<uint64_t>(rates.bytes));
  rates.threads = profile->threads;
  rates.peak = measurePeak() * rates.threads;
  progress.clear();
  if (line.has("json")) {
    llvm::outs() << llvm::formatv(
        "{0:2}\n", toJson(*profile, rates, *workload, signature->kernel));
    return 0;
  }
  llvm::outs() << signature->format() << "\n"
               << formatDims(*signature, workload->dims) << ": "
               << formatTime(rates.seconds) << " a call, median of "
               << profile->calls << "\n";
  printRates(rates, profile->isCounted);
  printLines(*profile, *source.files);
  if (!profile->remarks.empty())
    llvm::outs() << "\n";
  for (const Diagnostic &remark : profile->remarks)
    llvm::outs() << formatDiagnostic(remark, *source.files);
  return 0;
}

Expected<int> tegula::runExplain(const CommandLine &line) {
  KernelName name = splitKernelName(line.getOperand());
  Expected<KernelSource> source = readSource({name.path, name.kernel});
  if (!source)
    return source.takeError();
  source->target = line.get("target");
  if (line.has("perf"))
    return explainTime(line, *source);
  Expected<Signature> signature = readSignature(*source);
  if (!signature)
    return signature.takeError();
  llvm::outs() << signature->format() << "\n";
  for (const Diagnostic &fact : checkSource(*source, Explain::Facts))
    llvm::outs() << formatDiagnostic(fact, *source->files);
  return 0;
}
