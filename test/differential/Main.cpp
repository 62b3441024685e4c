// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random kernels, compiled and interpreted: the results must agree. A kernel
// for which they do not is reduced and printed.

#include "tegula/support/File.h"
#include "test/differential/Configuration.h"
#include "test/differential/Dump.h"
#include "test/differential/Isolate.h"
#include "test/differential/Random.h"
#include "test/differential/RandomCall.h"
#include "test/differential/Reducer.h"
#include "test/differential/Theme.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <set>

using namespace tegula;
using namespace tegula::differential;

static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(1),
                                    llvm::cl::desc("the first program"));
static llvm::cl::opt<uint64_t> count("count", llvm::cl::init(2000),
                                     llvm::cl::desc("how many programs"));
static llvm::cl::opt<unsigned> jobs("jobs", llvm::cl::init(2),
                                    llvm::cl::desc("processes at once"));
static llvm::cl::opt<unsigned>
    threads("num-threads", llvm::cl::init(2),
            llvm::cl::desc("of each process, however short a loop is"));
static llvm::cl::opt<unsigned>
    mostFailures("most-failures", llvm::cl::init(5),
                 llvm::cl::desc("reduce no more than this"));
static llvm::cl::opt<bool> showsSource("print",
                                       llvm::cl::desc("only print programs"));
static llvm::cl::opt<std::string>
    kept("kept", llvm::cl::desc("a folder of kernels that failed once"));

static llvm::cl::opt<std::string>
    dump("dump", llvm::cl::desc("a folder to write programs to, and what they "
                                "are given and give"));

static llvm::cl::opt<uint64_t> configuration(
    "configuration",
    llvm::cl::desc("one of the ways to run programs, for all of them: 11 is an "
                   "emulated GPU, 12 one with tiles in memory"));
static llvm::cl::opt<Theme> only(
    "only", llvm::cl::desc("what the programs are about"),
    llvm::cl::init(Theme::Expressions),
    llvm::cl::values(
        clEnumValN(Theme::Expressions, "expressions", "tiles and tensors"),
        clEnumValN(Theme::Carries, "carries",
                   "values that change their extents"),
        clEnumValN(Theme::Grids, "grids", "barriers that do not matter"),
        clEnumValN(Theme::Barriers, "barriers", "barriers that matter"),
        clEnumValN(Theme::Windows, "windows",
                   "parallel loops that write windows"),
        clEnumValN(Theme::Rows, "rows", "nearly the same with every row"),
        clEnumValN(Theme::Scratch, "scratch", "tensors made in loops"),
        clEnumValN(Theme::Matmuls, "matmuls", "tiles of matmuls"),
        clEnumValN(Theme::Norms, "norms",
                   "expensive rows that are reduced and read again"),
        clEnumValN(Theme::Ends, "ends", "rows that end near half a vector"),
        clEnumValN(Theme::Panels, "panels",
                   "matmuls of about whole panels and strips"),
        clEnumValN(Theme::Epilogues, "epilogues",
                   "matmuls of whole arrays, and what is computed from them"),
        clEnumValN(Theme::Layers, "layers",
                   "matmuls of 16-bit matrices, and what follows"),
        clEnumValN(Theme::Attention, "attention",
                   "loops with matmuls of what matmuls gave"),
        clEnumValN(Theme::Edges, "edges",
                   "limits of types, special floats, extents 0 and 1"),
        clEnumValN(Theme::Tiles, "tiles",
                   "several matmuls and reductions of tiles in a loop"),
        clEnumValN(Theme::Ranks, "ranks",
                   "host programs that several ranks run")));

/// No kernel takes longer, however busy the machine is.
static constexpr unsigned mostSeconds = 120;
/// Nor does one that is being reduced, unless it lost what ends its loop.
static constexpr unsigned fewSeconds = 10;

/// What follows from the sizes of a call.
static void addComputed(const Program &program, Sizes &sizes) {
  for (const auto &[letter, extent] : program.computed)
    if (!program.fixed.count(extent.axis))
      sizes[program.nameOf(letter)] =
          extent.of(sizes.at(program.nameOf(extent.axis)));
}

/// Sizes around the tiles, where things go wrong.
static std::vector<Sizes> sizesFor(const Program &program, uint64_t number) {
  Random random(number ^ 0x5eed);
  auto around = [&](char axis) {
    auto given = program.sizes.find(axis);
    if (given != program.sizes.end())
      return random.pick(given->second);
    int64_t tile = program.tiles.at(axis);
    return random.pick<int64_t>(
        {0, 1, tile - 1, tile, tile + 1, 2 * tile + 3, 7, 17, 40});
  };
  std::vector<Sizes> calls = {{{"M", 7}, {"N", 19}, {"K", 5}}};
  if (program.isOverRanks) {
    calls.clear();
    for (int64_t ranks = 1; ranks <= 4; ++ranks)
      calls.push_back({{"NR", ranks}, {"N", random.pick({1, 3, 8, 70})}});
  }
  size_t numCalls = program.sizes.empty() ? 4 : 8;
  while (calls.size() < numCalls)
    calls.push_back(
        {{"M", around('R')}, {"N", around('C')}, {"K", around('K')}});
  for (Sizes &sizes : calls)
    addComputed(program, sizes);
  return calls;
}

static std::string format(const Sizes &sizes) {
  std::string text;
  for (const auto &[symbol, size] : sizes)
    text += (text.empty() ? "" : " ") + symbol + "=" + std::to_string(size);
  return text;
}

/// Smaller sizes at which the program still fails.
static Sizes shrink(const std::string &text, Sizes sizes, uint64_t number,
                    Verdict verdict) {
  for (auto &[symbol, size] : sizes)
    for (int64_t smaller : {0, 1, 2, 3, 5, 8}) {
      int64_t before = size;
      if (smaller >= before)
        break;
      size = smaller;
      if (runIsolated(text, {sizes}, number, fewSeconds).verdict == verdict)
        break;
      size = before;
    }
  return sizes;
}

/// What makes two failures of one kind the same: the signal, or what a message
/// says without its location and its numbers.
static std::string gistOf(const Outcome &outcome) {
  if (outcome.verdict != Verdict::Refused)
    return outcome.verdict == Verdict::Crashed ? outcome.message : "";
  llvm::StringRef text = llvm::StringRef(outcome.message);
  llvm::StringRef line = text.split("error: ").second.split('\n').first;
  std::string gist;
  llvm::copy_if(line, std::back_inserter(gist),
                [](char letter) { return !llvm::isDigit(letter); });
  return gist;
}

static void reduceAndPrint(Theme theme, uint64_t number,
                           const Outcome &outcome) {
  Program program = makeProgram(theme, number);
  std::vector<Sizes> calls = sizesFor(program, number);
  if (!outcome.sizes.empty())
    calls = {outcome.sizes};
  Program small = reduce(program, [&](const Program &candidate) {
    Outcome found = runIsolated(candidate.print(), calls, number, fewSeconds);
    return found.verdict == outcome.verdict && gistOf(found) == gistOf(outcome);
  });
  Outcome last = runIsolated(small.print(), calls, number, fewSeconds);
  Sizes sizes = last.sizes;
  if (!sizes.empty()) {
    sizes = shrink(small.print(), sizes, number, outcome.verdict);
    last = runIsolated(small.print(), {sizes}, number, fewSeconds);
  }
  llvm::outs() << "program " << number << " (" << Configuration(number).name
               << ") " << getName(outcome.verdict)
               << (sizes.empty() ? "" : " at ") << format(sizes) << ": "
               << last.message << "\n\n"
               << small.print() << "\n";
}

/// Writes it to its folder as well, if there is to be one.
static Outcome runProgram(Theme theme, uint64_t number,
                          const std::string &folder) {
  Program program = makeProgram(theme, number);
  std::string text = program.print();
  std::vector<Sizes> calls = sizesFor(program, number);
  if (folder.empty())
    return runKernel(text, calls, number);
  Dump dump(folder + "/" + std::to_string(number), text);
  return runKernel(text, calls, number, &dump);
}

/// One program in so many may be too large.
static constexpr uint64_t mostTooLarge = 10;

/// What does not fit the memories of a small machine is told so.
static bool isAsItShould(const Outcome &outcome) {
  return outcome.verdict == Verdict::Agrees ||
         outcome.verdict == Verdict::TooLarge;
}

/// Compiles the kernel in every way.
static Outcome runInAllWays(const std::string &text,
                            const std::vector<Sizes> &calls) {
  Outcome outcome;
  for (uint64_t seed = 0; seed < numConfigurations; ++seed) {
    outcome = runIsolated(text, calls, seed, mostSeconds);
    if (!isAsItShould(outcome))
      break;
  }
  return outcome;
}

/// Calls every kernel of the folder at sizes small and odd.
static bool runSaved(const std::string &folder) {
  bool agree = true;
  std::error_code code;
  std::vector<Sizes> calls;
  for (int64_t size : {0, 1, 2, 3, 5, 8, 17})
    calls.push_back({{"M", size}, {"N", 2 * size + 1}, {"K", (size + 3) % 7}});
  for (llvm::sys::fs::directory_iterator at(folder, code), end;
       at != end && !code; at.increment(code)) {
    if (llvm::sys::path::extension(at->path()) != ".py")
      continue;
    Expected<std::string> text = readFile(at->path(), 1 << 20);
    Outcome outcome =
        text ? runInAllWays(*text, calls)
             : Outcome{Verdict::Refused, llvm::toString(text.takeError())};
    if (isAsItShould(outcome))
      continue;
    agree = false;
    llvm::outs() << at->path() << " " << getName(outcome.verdict) << " "
                 << format(outcome.sizes) << ": " << outcome.message << "\n";
  }
  return agree;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  useThreads(threads);
  if (configuration.getNumOccurrences() != 0)
    useConfiguration(configuration);
  // The linker sets options back to what they are by default.
  Theme theme = only;
  if (theme == Theme::Edges)
    useElements(Elements::Special);
  uint64_t last = seed + count - 1;
  if (showsSource) {
    for (uint64_t number = seed; number <= last; ++number)
      llvm::outs() << "# " << number << "\n"
                   << makeProgram(theme, number).print() << "\n";
    return 0;
  }
  if (!kept.empty() && !runSaved(kept))
    return 1;
  std::vector<std::pair<uint64_t, Outcome>> failures;
  uint64_t numDone = 0, numTooLarge = 0;
  auto start = std::chrono::steady_clock::now();
  runJobs(
      seed, last, jobs, mostSeconds,
      [theme, folder = dump.getValue()](uint64_t number) {
        return runProgram(theme, number, folder);
      },
      [&](uint64_t number, const Outcome &outcome) {
        ++numDone;
        numTooLarge += outcome.verdict == Verdict::TooLarge;
        if (!isAsItShould(outcome))
          failures.push_back({number, outcome});
      });
  for (const auto &[number, outcome] : failures) {
    llvm::outs() << "program " << number << " " << getName(outcome.verdict)
                 << " " << format(outcome.sizes) << ": " << outcome.message
                 << "\n";
  }
  // Of several refusals with the same words, one.
  std::set<std::string> known;
  unsigned left = mostFailures;
  for (const auto &[number, outcome] : failures) {
    if (left == 0)
      break;
    if (outcome.verdict == Verdict::Refused &&
        !known.insert(gistOf(outcome)).second)
      continue;
    --left;
    reduceAndPrint(theme, number, outcome);
  }
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  llvm::outs() << numDone << " programs, " << numTooLarge << " too large, "
               << failures.size() << " do not agree, "
               << static_cast<int>(seconds.count()) << " s\n";
  // Were it more, the small machine would show little.
  bool areFewTooLarge = numTooLarge <= numDone / mostTooLarge + 1;
  return failures.empty() && areFewTooLarge ? 0 : 1;
}
