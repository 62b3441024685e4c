// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/RankSimulation.h"

using namespace tegula;

namespace {

/// See the file comment of the header.
class RankSimulation : public SimulatedKernel {
public:
  RankSimulation(std::unique_ptr<SimulatedKernel> program, int64_t numRanks)
      : program(std::move(program)), numRanks(numRanks) {}

  llvm::StringRef getName() const override { return program->getName(); }
  llvm::ArrayRef<std::string> getSymbols() const override {
    return program->getSymbols();
  }
  Expected<std::unique_ptr<SimulatedCall>> call(llvm::ArrayRef<int64_t>,
                                                const sim::Machine &) override {
    return makeError("ranks are simulated together");
  }
  Expected<sim::Result> simulate(llvm::ArrayRef<int64_t> extents,
                                 const sim::Machine &machine,
                                 const sim::SimulateOptions &options) override;
  std::vector<std::string> getNotes() const override;
  std::vector<KernelWarning> getWarnings() const override {
    return program->getWarnings();
  }

private:
  std::unique_ptr<SimulatedKernel> program;
  int64_t numRanks;
};

} // namespace

/// Every rank runs the whole program, so each has a call of its own.
Expected<sim::Result>
RankSimulation::simulate(llvm::ArrayRef<int64_t> extents,
                         const sim::Machine &machine,
                         const sim::SimulateOptions &options) {
  std::vector<std::unique_ptr<SimulatedCall>> calls;
  std::vector<const TegulaTraceKernel *> kernels;
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    Expected<std::unique_ptr<SimulatedCall>> made =
        program->call(extents, machine);
    if (!made)
      return made.takeError();
    kernels.push_back((*made)->getKernels().front());
    calls.push_back(std::move(*made));
  }
  Expected<sim::Result> result = sim::simulateRanks(machine, kernels, options);
  // What was recorded ran as one rank, which says nothing of the others.
  if (!result && !kernels.front()->setRank)
    return result;
  // What is wrong with a call may be why others wait for it forever.
  for (const std::unique_ptr<SimulatedCall> &call : calls)
    if (Error error = call->getProblem()) {
      llvm::consumeError(result.takeError());
      return error;
    }
  return result;
}

std::vector<std::string> RankSimulation::getNotes() const {
  std::vector<std::string> notes = program->getNotes();
  if (numRanks > 1)
    notes.push_back("tensors of the host lie in the memory of each rank that "
                    "uses them; windows alone are moved between chips");
  return notes;
}

std::unique_ptr<SimulatedKernel>
tegula::makeRankSimulation(std::unique_ptr<SimulatedKernel> program,
                           int64_t numRanks) {
  return std::make_unique<RankSimulation>(std::move(program), numRanks);
}
