// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tegula tune`: other choices than the formulas of compiled code make, each
// measured at a size; what is better is kept.

#include "tegula/launch/cache/Tunings.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/HostTarget.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/bench/CompareKernels.h"
#include "tools/tegula/bench/Measure.h"
#include "tools/tegula/sim/Workload.h"

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
      "How a kernel computes at a size is decided by formulas: whether an "
      "operand is copied,\na store goes past the caches, a loop is shared. "
      "Here "
      "other decisions are tried at\nthe given size, but for those that change "
      "nothing in the kernel's code. What saves at\nleast 3 % in nearly all of "
      "many alternating rounds is kept with compiled kernels, for\nthis file "
      "on "
      "this machine: 'run', 'bench', 'build' and Python use it from then "
      "on.\nNobody needs it: results do "
      "not change, and one\ncompiled kernel still serves every size.\n\n"
      "  tegula tune examples/gemm_tensors.py --dim M=1000 --dim N=900 --dim "
      "K=800\n"
      "  tegula tune examples/gemm_tensors.py --keep panels=1,share=4096\n"
      "  tegula tune examples/gemm_tensors.py --clear\n"
      "  tegula tune --clear\n";
  spec.options = getWorkloadOptions();
  spec.options.push_back(
      {"time", "MILLISECONDS", "time to spend on each number (200)"});
  spec.options.push_back(
      {"keep", "CHOICES", "keep these, as were found before; time nothing"});
  spec.options.push_back({"clear", "",
                          "forget what was found, for all kernels if none is "
                          "named"});
  return spec;
}

/// The target as the compiler chooses, whatever was kept before.
static std::string getUsualTarget() {
  const TunableChoice &last = *std::prev(std::end(tunableChoices));
  return llvm::formatv("{0}:{1}={2}", llvm::StringRef(hostTarget),
                       llvm::StringRef(last.name), last.usual);
}

namespace {

/// Tries targets that differ in their numbers on the data of one call.
class Tuner {
public:
  Tuner(KernelSource source, Kernel usual, Workload workload, double budget)
      : source(std::move(source)), usual(usual), best(std::move(usual)),
        workload(std::move(workload)), budget(budget) {}

  /// Tries other numbers for one choice.
  [[nodiscard]] Error tryChoice(const TunableChoice &choice);

  /// Compares all that was found with what is usual, once more.
  [[nodiscard]] Error confirm();

  std::string getChoices() const { return llvm::join(found, ","); }

private:
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

  KernelSource choose(llvm::ArrayRef<std::string> words) const {
    KernelSource chosen = source;
    chosen.target =
        words.empty() ? getUsualTarget()
                      : std::string(hostTarget) + ":" + llvm::join(words, ",");
    return chosen;
  }

  /// The machine code, which says whether a choice is one.
  [[nodiscard]] Expected<std::string>
  print(llvm::ArrayRef<std::string> words) const {
    return printStage(choose(words), "asm", workload.arguments);
  }

  [[nodiscard]] Error tryWords(std::vector<std::string> words,
                               const std::string &shown);

  KernelSource source;
  Kernel usual, best;
  Workload workload;
  double budget;
  std::vector<std::string> found;
};

} // namespace

static std::string formatComparison(const KernelComparison &comparison) {
  return llvm::formatv("x{0} in {1} rounds, {2} of them faster",
                       formatNumber(std::round(comparison.ratio * 100) / 100),
                       comparison.rounds, comparison.wins);
}

Error Tuner::tryChoice(const TunableChoice &choice) {
  std::string name(choice.name);
  bool isThere = false;
  for (int64_t number : listNumbers(choice)) {
    std::string word = llvm::formatv("{0}={1}", name, number);
    std::vector<std::string> words = found;
    llvm::erase_if(words, [&](llvm::StringRef had) {
      return had.starts_with(name + "=");
    });
    words.push_back(word);
    Expected<std::string> code = print(words), bestCode = print(found);
    if (!code || !bestCode)
      return llvm::joinErrors(code.takeError(), bestCode.takeError());
    if (*code == *bestCode)
      continue;
    isThere = true;
    if (Error error = tryWords(std::move(words), word))
      return error;
  }
  if (!isThere)
    llvm::outs() << llvm::formatv("  {0,-28} not in this kernel\n", name);
  return Error::success();
}

Error Tuner::tryWords(std::vector<std::string> words,
                      const std::string &shown) {
  Progress progress("measuring " + shown);
  Expected<Kernel> other = loadKernel(choose(words));
  if (!other)
    return other.takeError();
  Expected<KernelComparison> comparison =
      compareKernels(best, *other, workload, budget);
  // What was chance once is so twice only rarely.
  if (comparison && comparison->isFaster())
    comparison = compareKernels(best, *other, workload, budget);
  if (!comparison)
    return comparison.takeError();
  progress.clear();
  llvm::outs() << llvm::formatv("  {0,-28} {1}\n", shown,
                                formatComparison(*comparison));
  llvm::outs().flush();
  if (comparison->isFaster()) {
    best = *other;
    found = std::move(words);
  }
  return Error::success();
}

Error Tuner::confirm() {
  if (found.empty())
    return Error::success();
  Expected<KernelComparison> comparison =
      compareKernels(usual, best, workload, 2 * budget);
  if (!comparison)
    return comparison.takeError();
  llvm::outs() << "before " << formatTime(comparison->before) << ", after "
               << formatTime(comparison->after) << ": "
               << formatComparison(*comparison) << "\n";
  if (!comparison->isFaster())
    found.clear();
  return Error::success();
}

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

/// Keeps what the command line says.
static Expected<int> keepGiven(const CommandLine &line,
                               const KernelSource &source) {
  std::string choices = line.get("keep");
  for (llvm::StringRef word : llvm::split(choices, ',')) {
    size_t choice;
    int64_t number;
    if (!readChoice(word, choice, number))
      return makeError("option '--keep' wants choices such as share=4096, got "
                       "'{0}'",
                       word);
  }
  Expected<Signature> signature = readSignature(source);
  if (!signature)
    return signature.takeError();
  return keep({digestTuned(*source.text), signature->kernel, choices});
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
  if (line.has("keep"))
    return keepGiven(line, *source);
  KernelSource chosen = *source;
  chosen.target = getUsualTarget();
  Expected<Kernel> usual = loadKernel(chosen);
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
  if (Error error = tuner.confirm())
    return error;
  return keep(
      {digestTuned(*source->text), signature.kernel, tuner.getChoices()});
}
