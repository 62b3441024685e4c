// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Runner.h"

#include "tegula/backends/CallInterpreter.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ImageMaker.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/sim/engine/Simulate.h"
#include "tegula/support/PrintedLines.h"
#include "test/differential/CompareCalls.h"
#include "test/differential/Configuration.h"
#include "test/differential/Dump.h"
#include "test/differential/RandomCall.h"
#include "test/differential/RealRanks.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::differential;

const char *differential::getName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Agrees:
    return "agrees";
  case Verdict::Refused:
    return "is refused by the compiler";
  case Verdict::TooLarge:
    return "is too large for a memory of the machine";
  case Verdict::Failed:
    return "fails at run time on one side";
  case Verdict::Differs:
    return "differs";
  case Verdict::Crashed:
    return "crashes";
  case Verdict::TimedOut:
    return "does not end";
  }
  return "";
}

static Error finish(Compilation &compilation,
                    std::unique_ptr<Variant> &variant) {
  Expected<KernelImage> image = ImageMaker(compilation).compile({});
  if (!image)
    return image.takeError();
  return toError(loadImage(std::move(*image), {}, variant));
}

/// Every seed has its way to compile.
static Error compile(const KernelSource &source, uint64_t seed,
                     std::unique_ptr<Variant> &variant) {
  Compilation compilation(source);
  compilation.setTarget(Configuration(seed).target);
  return finish(compilation, variant);
}

static Error compileForHost(const KernelSource &source,
                            std::unique_ptr<Variant> &variant) {
  Compilation compilation(source);
  return finish(compilation, variant);
}

/// Runs what the call does on the machine, which must be possible and take
/// time if there is anything to do.
static std::string simulateCall(const Variant &variant,
                                llvm::ArrayRef<Argument> arguments,
                                const sim::Machine &machine) {
  std::vector<int64_t> slots(Guard::maxSlots);
  if (Problem problem = variant.guard.check(arguments, slots.data()))
    return problem.getText();
  slots.resize(variant.guard.getNumSlots());
  std::unique_ptr<TracedCall> call;
  if (Problem problem = variant.image->trace(arguments, slots, "", call))
    return problem.getText();
  Expected<sim::Result> result = sim::simulate(machine, call->getKernel());
  if (!result)
    return llvm::toString(result.takeError());
  if (Problem problem = call->getProblem())
    return problem.getText();
  return result->numOps > 0 && result->getCycles() == 0 ? "takes no time" : "";
}

/// The orders in which ranks are interpreted; all give the same result.
static std::vector<pl::RankOptions> ordersFor(int64_t ranks, uint64_t seed) {
  std::vector<pl::RankOptions> orders = {{ranks, pl::RankOrder::InOrder, 0},
                                         {ranks, pl::RankOrder::Late, 0}};
  for (uint64_t number = 0; ranks > 1 && number < 5; ++number)
    orders.push_back({ranks, pl::RankOrder::Random, 5 * seed + number});
  return orders;
}

/// Sums are in the order of the ranks, so that any numbers give the same bits,
/// but for what ranks add to memory of one in the order they come.
static double unitFor(const KernelSource &source) {
  bool isInOrder = source.text->find("AtomicType.Add") == std::string::npos;
  return isInOrder ? 0.1 : quarter;
}

/// Interprets the program as it is at a stage, in one order.
static Outcome runRanks(Compilation &compilation, const Signature &signature,
                        const Sizes &sizes, const pl::RankOptions &order,
                        Call &call) {
  chooseInterpretedRanks(order);
  std::string problem = llvm::toString(compilation.interpret(call.arguments));
  chooseInterpretedRanks({});
  if (problem.empty())
    return {};
  return {Verdict::Failed, problem, sizes};
}

/// Where there is MPI, compiles the program and runs it on real ranks, which
/// find the same bits.
static Outcome runCompiled(const Variant &variant, const Sizes &sizes,
                           uint64_t seed, Call found, const Call &expected) {
  const Signature &signature = variant.guard.getSignature();
  RealProgram program(static_cast<const HostProgram &>(*variant.image),
                      seed % 4 == 0 ? RankTransport::Messages
                                    : RankTransport::Shared);
  if (Problem problem = program.call(sizes.at("NR"), found.arguments))
    return {Verdict::Failed, "on real ranks: " + problem.getText(), sizes};
  Outcome outcome = compare(signature, found, expected, sizes);
  if (outcome.verdict == Verdict::Agrees && found.memory != expected.memory)
    outcome = {Verdict::Differs, "not all bits are equal", sizes};
  if (outcome.verdict != Verdict::Agrees)
    outcome.message = "on real ranks: " + outcome.message;
  return outcome;
}

/// Interprets a host program at the first and at a later stage, by as many
/// ranks as the sizes say, in many orders.
static Outcome runOnRanks(const KernelSource &source,
                          const std::vector<Sizes> &calls, uint64_t seed) {
  Compilation first(source), tiles(source);
  for (Compilation *compilation : {&first, &tiles})
    if (Error error = compilation->generate({}))
      return {Verdict::Refused, llvm::toString(std::move(error))};
  if (Error error = tiles.advance(Stage::Tiles))
    return {Verdict::Refused, llvm::toString(std::move(error))};
  Signature signature = getSignature(first.getEntry());
  std::unique_ptr<Variant> variant;
  if (TEGULA_HAS_MPI)
    if (Error error = compileForHost(source, variant))
      return {Verdict::Refused, llvm::toString(std::move(error))};
  for (const Sizes &sizes : calls) {
    Call expected;
    bool isFirst = true;
    for (const pl::RankOptions &order : ordersFor(sizes.at("NR"), seed))
      for (Compilation *compilation : {&first, &tiles}) {
        Call found = makeCall(signature, sizes, seed, unitFor(source));
        Outcome outcome =
            runRanks(*compilation, signature, sizes, order, found);
        if (outcome.verdict == Verdict::Agrees && !isFirst)
          outcome = compare(signature, found, expected, sizes);
        if (outcome.verdict != Verdict::Agrees)
          return outcome;
        if (std::exchange(isFirst, false))
          expected = std::move(found);
      }
    if (!variant)
      continue;
    Outcome outcome = runCompiled(
        *variant, sizes, seed,
        makeCall(signature, sizes, seed, unitFor(source)), expected);
    if (outcome.verdict != Verdict::Agrees)
      return outcome;
  }
  return {};
}

/// What was printed since the last time, line by line; iterations come in any
/// order.
static std::vector<std::string> takeLines() {
  std::vector<std::string> lines;
  std::string text = takePrintedLines();
  for (llvm::StringRef line : llvm::split(text, '\n'))
    lines.push_back(line.str());
  llvm::sort(lines);
  return lines;
}

namespace {

/// A kernel that was compiled, and what says what it should do.
class ComparedKernel {
public:
  ComparedKernel(const KernelSource &source, uint64_t seed)
      : source(source), seed(seed), configuration(seed), reference(source),
        tiles(source) {}

  /// Compiles it, on the way to each of the three.
  Outcome prepare();
  /// Runs it in all ways.
  Outcome compareCall(const Sizes &sizes, Dump *dump);

private:
  Outcome compareResults(Call &found, const Call &expected, const Sizes &sizes);
  /// Threads seldom collide; the interpreter sees whether they could.
  Outcome watch(const Sizes &sizes, const std::vector<std::string> &wanted);
  Outcome simulate(const Sizes &sizes);
  const Signature &getSignature() const {
    return variant->guard.getSignature();
  }

  const KernelSource &source;
  uint64_t seed;
  Configuration configuration;
  std::unique_ptr<Variant> variant;
  /// As the front end made it, and at the stage of tiles.
  Compilation reference, tiles;
};

} // namespace

Outcome ComparedKernel::prepare() {
  if (Error error = compile(source, seed, variant)) {
    std::string message = llvm::toString(std::move(error));
    bool isTooLarge = message.find(" does not fit the ") != std::string::npos &&
                      configuration.target->getMachine().hasBoundedMemory();
    return {isTooLarge ? Verdict::TooLarge : Verdict::Refused, message};
  }
  if (Error error = reference.generate({}))
    return {Verdict::Refused, llvm::toString(std::move(error))};
  tiles.setTarget(configuration.target);
  if (Error error = tiles.generate({}))
    return {Verdict::Refused, llvm::toString(std::move(error))};
  if (Error error = tiles.advance(Stage::Tiles))
    return {Verdict::Refused, llvm::toString(std::move(error))};
  return {};
}

Outcome ComparedKernel::compareCall(const Sizes &sizes, Dump *dump) {
  Call found = makeCall(getSignature(), sizes, seed);
  Call expected = makeCall(getSignature(), sizes, seed);
  if (dump)
    dump->begin(getSignature(), sizes, found.arguments);
  std::string compiled =
      llvm::toString(toError(variant->call(found.arguments)));
  std::vector<std::string> printed = takeLines();
  std::string interpreted =
      llvm::toString(reference.interpret(expected.arguments));
  std::vector<std::string> wanted = takeLines();
  if (dump) {
    dump->addRun("compiled", compiled, found.arguments);
    dump->addRun("interpreted", interpreted, expected.arguments);
  }
  if (compiled.empty() != interpreted.empty())
    return {Verdict::Failed,
            compiled.empty() ? "interpreted: " + interpreted
                             : "compiled: " + compiled,
            sizes};
  if (!compiled.empty())
    return {};
  if (printed != wanted)
    return {Verdict::Differs, "other lines are printed", sizes};
  Outcome outcome = watch(sizes, wanted);
  if (outcome.verdict == Verdict::Agrees)
    outcome = compareResults(found, expected, sizes);
  if (outcome.verdict == Verdict::Agrees && configuration.machine)
    outcome = simulate(sizes);
  return outcome;
}

Outcome ComparedKernel::watch(const Sizes &sizes,
                              const std::vector<std::string> &wanted) {
  Call watched = makeCall(getSignature(), sizes, seed);
  std::string met = llvm::toString(tiles.interpret(watched.arguments));
  if (takeLines() != wanted && met.empty())
    return {Verdict::Differs, "other lines are printed at stage tiles", sizes};
  if (met.find("said to be independent") != std::string::npos)
    return {Verdict::Failed, "watched: " + met, sizes};
  return {};
}

Outcome ComparedKernel::compareResults(Call &found, const Call &expected,
                                       const Sizes &sizes) {
  Outcome outcome =
      compareAll(getSignature(), found, expected, sizes, *source.text);
  if (outcome.verdict != Verdict::Agrees)
    return outcome;
  std::string outside = findWrittenOutside(getSignature(), found);
  if (!outside.empty())
    return {Verdict::Differs, outside + " is written outside its elements",
            sizes};
  return {};
}

Outcome ComparedKernel::simulate(const Sizes &sizes) {
  Call simulated = makeCall(getSignature(), sizes, seed);
  std::string wrong =
      simulateCall(*variant, simulated.arguments, *configuration.machine);
  takePrintedLines();
  if (!wrong.empty())
    return {Verdict::Failed, "simulated: " + wrong, sizes};
  return {};
}

Outcome differential::runKernel(const std::string &text,
                                const std::vector<Sizes> &calls, uint64_t seed,
                                Dump *dump) {
  KernelSource source{"generated.py", "k", text};
  if (calls.front().count("NR"))
    return runOnRanks(source, calls, seed);
  ComparedKernel kernel(source, seed);
  if (Outcome outcome = kernel.prepare(); outcome.verdict != Verdict::Agrees)
    return outcome;
  keepPrintedLines(true);
  for (const Sizes &sizes : calls) {
    Outcome outcome = kernel.compareCall(sizes, dump);
    if (outcome.verdict != Verdict::Agrees)
      return outcome;
  }
  return {};
}
