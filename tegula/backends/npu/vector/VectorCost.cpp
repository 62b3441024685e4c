// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/VectorCost.h"

#include "tegula/backends/npu/vector/RegionCode.h"
#include "tegula/backends/npu/vector/RowFunction.h"
#include "tegula/backends/npu/vector/TimeLoop.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <mutex>
#include <optional>

using namespace mlir;
using namespace tegula;
using tegula::Error;
using tegula::Expected;

void VectorCost::fillIn(TegulaTraceFormula &formula) const {
  formula.iterationElements = static_cast<int32_t>(iterationElements);
  formula.iterationCycles = static_cast<int32_t>(std::ceil(iterationCycles));
  formula.rowCycles = static_cast<int32_t>(std::ceil(rowCycles));
  formula.fillCycles = static_cast<int32_t>(std::ceil(fillCycles));
}

namespace {

/// What is known of one row function on one core: a cost, or why there is none.
struct TimedRow {
  VectorCost cost;
  std::string problem;
};

/// Everything that was timed in this process. Nobody waits for another thread
/// that times the same: what that takes is short, and it may end in its middle.
class TimedRows {
public:
  std::optional<TimedRow> find(llvm::StringRef key) {
    std::lock_guard<std::mutex> lock(mutex);
    auto row = rows.find(key);
    return row == rows.end() ? std::nullopt : std::optional(row->second);
  }

  void add(llvm::StringRef key, const TimedRow &row) {
    std::lock_guard<std::mutex> lock(mutex);
    rows.try_emplace(key, row);
  }

  unsigned count() {
    std::lock_guard<std::mutex> lock(mutex);
    return rows.size();
  }

private:
  std::mutex mutex;
  llvm::StringMap<TimedRow> rows;
};

} // namespace

static TimedRows &getTimedRows() {
  static TimedRows rows;
  return rows;
}

unsigned tegula::countTimedRegions() { return getTimedRows().count(); }

static Expected<VectorCost> timeRow(ModuleOp row, const VectorCore &core) {
  Expected<RegionCode> code = RegionCode::make(row, core);
  if (!code)
    return code.takeError();
  Expected<std::string> text = code->emit(llvm::CodeGenFileType::AssemblyFile);
  if (!text)
    return text.takeError();
  llvm::SmallVector<std::string> functions =
      llvm::map_to_vector(code->getChoices(), RegionCode::getFunctionName);
  CoreTables tables(core);
  Expected<std::vector<LoopCode>> loops =
      findLoops(*text, functions, core, tables);
  if (!loops)
    return loops.takeError();
  const LoopCode *best = nullptr;
  VectorCost cost = {};
  for (auto [lmul, loop] : llvm::zip(code->getChoices(), *loops)) {
    Expected<double> cycles = timeIteration(loop, core, tables);
    if (!cycles)
      return cycles.takeError();
    bool isBetter = !best || *cycles * cost.iterationElements <
                                 cost.iterationCycles * loop.iterationElements;
    if (!isBetter)
      continue;
    cost = {lmul, loop.iterationElements, *cycles, 0, 0};
    best = &loop;
  }
  Expected<LoopTime> time = timeRows(*best, cost.iterationCycles, core, tables);
  if (!time)
    return time.takeError();
  cost.rowCycles = time->rowCycles;
  cost.fillCycles = time->fillCycles;
  return cost;
}

static Expected<std::shared_ptr<const VectorCore>>
findCore(const sim::Machine &machine) {
  if (machine.vectorCore.empty())
    return makeError("the machine {0} has lanes and no vector_core",
                     machine.name);
  Expected<std::shared_ptr<const VectorCore>> core =
      VectorCore::find(machine.vectorCore);
  if (core && (*core)->getRegisterBits() != machine.vectorRegisterBits)
    return makeError("vector_register_bits is {0}, but {1} is timed with "
                     "registers of {2} bits",
                     machine.vectorRegisterBits, machine.vectorCore,
                     (*core)->getRegisterBits());
  return core;
}

Error tegula::checkVectorCore(const sim::Machine &machine) {
  if (machine.vectorCore.empty())
    return Error::success();
  return findCore(machine).takeError();
}

Expected<VectorCost> tegula::timeRegion(linalg::GenericOp region,
                                        const sim::Machine &machine) {
  Expected<std::shared_ptr<const VectorCore>> core = findCore(machine);
  if (!core)
    return core.takeError();
  Expected<OwningOpRef<ModuleOp>> row = makeRowFunction(region);
  if (!row)
    return makeError("the region is not timed: {0}",
                     llvm::toString(row.takeError()));
  std::string key = (*core)->getName() + "\n";
  llvm::raw_string_ostream stream(key);
  (*row)->print(stream);
  std::optional<TimedRow> known = getTimedRows().find(key);
  if (!known) {
    known.emplace();
    Expected<VectorCost> cost = timeRow(**row, **core);
    if (cost)
      known->cost = *cost;
    else
      known->problem = llvm::toString(cost.takeError());
    getTimedRows().add(key, *known);
  }
  if (!known->problem.empty())
    return makeError("the region is not timed: {0}", known->problem);
  return known->cost;
}
