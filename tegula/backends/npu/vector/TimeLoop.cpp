// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/TimeLoop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/InstrBuilder.h"
#include "llvm/MCA/Pipeline.h"
#include "llvm/MCA/SourceMgr.h"

#include <algorithm>

using namespace llvm;
using namespace tegula;

namespace {

/// Instructions as the model runs them, in the order in which they are added.
class Schedule {
public:
  Schedule(const VectorCore &core, const CoreTables &tables)
      : core(core), tables(tables),
        analysis(
            core.getTarget().createMCInstrAnalysis(tables.instructions.get())),
        settings(core.getTarget().createInstrumentManager(
            core.getSubtarget(), *tables.instructions)),
        builder(core.getSubtarget(), *tables.instructions, *tables.registers,
                analysis.get(), *settings, /*CallLatency=*/100) {}

  /// Appends `part`; the vector type that is set before it holds in it.
  Error add(ArrayRef<MCInst> part) {
    for (const MCInst &instruction : part) {
      auto made = builder.createInstruction(instruction, active);
      if (!made)
        return refuse(instruction, made.takeError());
      sequence.push_back(std::move(*made));
      changeSettings(instruction);
    }
    return Error::success();
  }

  /// Runs `part` for the vector type it leaves behind, and nothing else.
  void passOver(ArrayRef<MCInst> part) {
    for (const MCInst &instruction : part)
      changeSettings(instruction);
  }

  /// Cycles of all that was added, `times` over.
  Expected<unsigned> run(unsigned times) const {
    mca::CircularSourceMgr source(sequence, times);
    mca::CustomBehaviour behaviour(core.getSubtarget(), source,
                                   *tables.instructions);
    mca::Context context(*tables.registers, core.getSubtarget());
    // Zeros: what the model says.
    mca::PipelineOptions options(0, 0, 0, 0, 0, 0, /*NoAlias=*/true);
    bool isOutOfOrder = core.getSubtarget().getSchedModel().isOutOfOrder();
    std::unique_ptr<mca::Pipeline> pipeline =
        isOutOfOrder
            ? context.createDefaultPipeline(options, source, behaviour)
            : context.createInOrderPipeline(options, source, behaviour);
    return pipeline->run();
  }

private:
  Error refuse(const MCInst &instruction, Error error) const {
    consumeError(std::move(error));
    return makeError("the model of {0} does not know {1}", core.getName(),
                     tables.instructions->getName(instruction.getOpcode()));
  }

  /// Times depend on the registers to a vector and on the width of elements,
  /// which the last vset* says; without it the worst would be assumed.
  void changeSettings(const MCInst &instruction) {
    for (mca::UniqueInstrument &made :
         settings->createInstruments(instruction)) {
      erase_if(active, [&](mca::Instrument *old) {
        return old->getDesc() == made->getDesc();
      });
      active.push_back(made.get());
      kept.push_back(std::move(made));
    }
  }

  const VectorCore &core;
  const CoreTables &tables;
  std::unique_ptr<MCInstrAnalysis> analysis;
  std::unique_ptr<mca::InstrumentManager> settings;
  mca::InstrBuilder builder;
  SmallVector<mca::Instrument *> active;
  std::vector<mca::UniqueInstrument> kept;
  std::vector<std::unique_ptr<mca::Instruction>> sequence;
};

} // namespace

/// What one more run takes, from `few` and from `many` runs.
static Expected<double> findSlope(const Schedule &schedule, unsigned few,
                                  unsigned many) {
  Expected<unsigned> first = schedule.run(few);
  if (!first)
    return first.takeError();
  Expected<unsigned> second = schedule.run(many);
  if (!second)
    return second.takeError();
  return (double(*second) - double(*first)) / (many - few);
}

Expected<double> tegula::timeIteration(const LoopCode &code,
                                       const VectorCore &core,
                                       const CoreTables &tables) {
  Schedule schedule(core, tables);
  schedule.passOver(code.before);
  // An iteration begins as the one before it ended.
  schedule.passOver(code.iteration);
  if (Error error = schedule.add(code.iteration))
    return error;
  Expected<double> cycles = findSlope(schedule, 8, 24);
  if (cycles && *cycles <= 0)
    return makeError("the model of {0} gives no time for it", core.getName());
  return cycles;
}

Expected<LoopTime> tegula::timeRows(const LoopCode &code,
                                    double iterationCycles,
                                    const VectorCore &core,
                                    const CoreTables &tables) {
  constexpr unsigned iterations = 4;
  Schedule schedule(core, tables);
  Error error = schedule.add(code.before);
  for (unsigned iteration = 0; iteration < iterations && !error; ++iteration)
    error = schedule.add(code.iteration);
  if (!error)
    error = schedule.add(code.after);
  if (error)
    return error;
  Expected<double> row = findSlope(schedule, 2, 4);
  if (!row)
    return row.takeError();
  Expected<unsigned> one = schedule.run(1);
  if (!one)
    return one.takeError();
  return LoopTime{iterationCycles,
                  std::max(0.0, *row - iterations * iterationCycles),
                  std::max(0.0, double(*one) - *row)};
}
