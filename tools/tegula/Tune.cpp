// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tegula tune`: other choices than the formulas of compiled code make, each
// measured at a size; what is better is kept.

#include "tegula/launch/cache/Tunings.h"
#include "tegula/runtime/ProblemError.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Measure.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/Workload.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tegula;

CommandSpec tegula::describeTune() {
  CommandSpec spec;
  spec.name = "tune";
  spec.operand = "FILE[:KERNEL]";
  spec.isOperandOptional = true;
  spec.summary = "find better choices for a kernel by measuring";
  spec.details =
      "How a kernel computes at a size is decided by formulas: whether a "
      "factor "
      "is copied,\na store goes past the caches, a loop is shared. Here other "
      "decisions are tried at\nthe given size, and those that "
      "save at least 3 % are kept beside compiled\nkernels, for this file on "
      "this machine: 'run', 'bench', 'build' and Python use them\nfrom then "
      "on. Nobody needs it: results do not change, and one compiled kernel "
      "still\nserves every size.\n\n"
      "  tegula tune examples/gemm_tensors.py --dim M=1000 --dim N=900 --dim "
      "K=800\n"
      "  tegula tune examples/gemm_tensors.py --clear\n"
      "  tegula tune --clear\n";
  spec.options = getWorkloadOptions();
  spec.options.push_back(
      {"time", "MILLISECONDS", "time to spend on each number (200)"});
  spec.options.push_back({"clear", "",
                          "forget what was found, for all kernels if none is "
                          "named"});
  return spec;
}

namespace {

/// Tries targets that differ in their numbers on the data of one call.
class Tuner {
public:
  Tuner(KernelSource source, Kernel usual, Workload workload, double budget)
      : source(std::move(source)), best(std::move(usual)),
        workload(std::move(workload)), budget(budget) {}

  /// Tries other numbers for one choice.
  [[nodiscard]] Error tryChoice(const TunableChoice &choice) {
    std::string name(choice.name);
    for (int64_t number : listNumbers(choice)) {
      std::string word = llvm::formatv("{0}={1}", name, number);
      std::vector<std::string> words = found;
      llvm::erase_if(words, [&](llvm::StringRef had) {
        return had.starts_with(name + "=");
      });
      words.push_back(word);
      if (Error error = tryWords(std::move(words), word))
        return error;
    }
    return Error::success();
  }

  std::string getChoices() const { return llvm::join(found, ","); }

private:
  /// What saves less may be chance.
  static constexpr double enough = 0.97;

  /// Both ends, and some steps around what is usual.
  static std::vector<int64_t> listNumbers(const TunableChoice &choice) {
    std::vector<int64_t> numbers = {choice.least};
    for (int64_t number : {choice.usual / 16, choice.usual / 4,
                           choice.usual * 4, choice.usual * 16})
      if (number > numbers.back() && number < choice.most)
        numbers.push_back(number);
    numbers.push_back(choice.most);
    return numbers;
  }

  [[nodiscard]] Error tryWords(std::vector<std::string> words,
                               const std::string &shown) {
    Progress progress("measuring " + shown);
    KernelSource chosen = source;
    chosen.target = "cpu:" + llvm::join(words, ",");
    Expected<Kernel> other = loadKernel(chosen);
    if (!other)
      return other.takeError();
    Expected<double> ratio = compareWithBest(*other);
    if (!ratio)
      return ratio.takeError();
    progress.clear();
    llvm::outs() << llvm::formatv("  {0,-28} x{1}\n", shown,
                                  formatNumber(std::round(*ratio * 100) / 100));
    llvm::outs().flush();
    if (*ratio < enough) {
      best = *other;
      found = std::move(words);
    }
    return Error::success();
  }

  /// Its time in that of the best so far. They alternate, so that a quiet
  /// moment meets both.
  [[nodiscard]] Expected<double> compareWithBest(const Kernel &other) {
    constexpr int rounds = 4;
    double least[] = {INFINITY, INFINITY};
    const Kernel *kernels[] = {&best, &other};
    for (int iteration = 0; iteration < 2 * rounds; ++iteration) {
      Expected<double> seconds =
          measureWarm(*kernels[iteration % 2], workload, budget / (2 * rounds));
      if (!seconds)
        return seconds.takeError();
      least[iteration % 2] = std::min(least[iteration % 2], *seconds);
    }
    return least[1] / least[0];
  }

  KernelSource source;
  Kernel best;
  Workload workload;
  double budget;
  std::vector<std::string> found;
};

} // namespace

static Expected<int> forget(const CommandLine &line) {
  if (!line.hasOperand()) {
    if (Problem problem = forgetTunings())
      return toError(problem);
    llvm::outs() << "nothing is kept of any kernel\n";
    return 0;
  }
  KernelName name = splitKernelName(line.getOperand());
  Expected<KernelSource> source = readSource({name.path, name.kernel});
  if (!source)
    return source.takeError();
  Expected<Signature> signature = readSignature(*source);
  if (!signature)
    return signature.takeError();
  if (Problem problem =
          keepTuning({digestTuned(*source->text), signature->kernel, ""}))
    return toError(problem);
  llvm::outs() << "nothing is kept of '" << signature->kernel << "'\n";
  return 0;
}

/// Keeps what was found, which may be nothing.
static Expected<int> keep(const Tuning &tuning) {
  if (Problem problem = keepTuning(tuning))
    return toError(problem);
  if (tuning.choices.empty())
    llvm::outs() << "nothing is better than what the compiler chooses\n";
  else
    llvm::outs() << "kept: " << tuning.choices << "\n";
  return 0;
}

/// The kernel as the compiler chooses, whatever was kept before.
static Expected<Kernel> loadUsual(KernelSource source) {
  const TunableChoice &last = *std::prev(std::end(tunableChoices));
  source.target =
      llvm::formatv("cpu:{0}={1}", llvm::StringRef(last.name), last.usual);
  return loadKernel(source);
}

Expected<int> tegula::runTune(const CommandLine &line) {
  if (line.has("clear"))
    return forget(line);
  if (!line.hasOperand())
    return makeError("'tegula tune' wants a kernel: FILE[:KERNEL]");
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  Expected<uint64_t> budget = line.getNumber("time", 200, 1, 600000);
  if (!budget)
    return budget.takeError();
  KernelName name = splitKernelName(line.getOperand());
  Expected<KernelSource> source = readSource({name.path, name.kernel});
  if (!source)
    return source.takeError();
  Expected<Kernel> usual = loadUsual(*source);
  if (!usual)
    return usual.takeError();
  const Signature &signature = usual->getSignature();
  Expected<Workload> workload = makeWorkload(signature, *request);
  if (!workload)
    return workload.takeError();
  Expected<double> seconds =
      measureWarm(*usual, *workload, static_cast<double>(*budget) / 1000);
  if (!seconds)
    return seconds.takeError();
  llvm::outs() << signature.format() << "\n"
               << formatDims(signature, workload->dims) << ": "
               << formatTime(*seconds) << " a call\n";
  Tuner tuner(*source, *usual, std::move(*workload),
              static_cast<double>(*budget) / 1000);
  for (const TunableChoice &choice : tunableChoices)
    if (Error error = tuner.tryChoice(choice))
      return error;
  return keep(
      {digestTuned(*source->text), signature.kernel, tuner.getChoices()});
}
