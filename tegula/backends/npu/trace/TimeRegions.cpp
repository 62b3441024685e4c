// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/TimeRegions.h"

#include "tegula/backends/npu/NpuDialect.h"
#include "tegula/backends/npu/vector/RegionCode.h"
#include "tegula/backends/npu/vector/RowFunction.h"
#include "tegula/backends/npu/vector/VectorCost.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tegula;

/// The loop over elements that does the work: the last one, before which there
/// may be one that sets accumulators to zero.
static linalg::GenericOp findLoop(npu::VectorOp region) {
  linalg::GenericOp last;
  region.getBody().walk([&](linalg::GenericOp loop) { last = loop; });
  return last;
}

void tegula::timeRegions(ModuleOp module, const sim::Machine &machine) {
  if (machine.vectorCore.empty())
    return;
  module.walk([&](npu::VectorOp region) {
    linalg::GenericOp loop = findLoop(region);
    Expected<VectorCost> cost =
        loop ? timeRegion(loop, machine)
             : Expected<VectorCost>(makeError("it is no loop over elements"));
    if (!cost) {
      llvm::consumeError(cost.takeError());
      region.setName((region.getName() + ", not timed").str());
      return;
    }
    TegulaTraceFormula formula{};
    cost->fillIn(formula);
    region.setRowCycles(formula.rowCycles);
    region.setFillCycles(formula.fillCycles);
    region.setIterationElements(formula.iterationElements);
    region.setIterationCycles(formula.iterationCycles);
  });
}

/// "silu.py:12: exp, 32 elements in 135 cycles"
static std::string describe(npu::VectorOp region, const VectorCost &cost) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto fileLoc = region.getLoc()->findInstanceOf<FileLineColLoc>())
    stream << fileLoc.getFilename().getValue() << ":" << fileLoc.getLine()
           << ": ";
  stream << region.getName() << ", " << cost.iterationElements
         << " elements in " << llvm::formatv("{0:F1}", cost.iterationCycles)
         << " cycles, " << cost.lmul
         << (cost.lmul == 1 ? " register" : " registers") << " to a vector";
  return text;
}

static Expected<std::string> printRegion(npu::VectorOp region,
                                         const sim::Machine &machine) {
  linalg::GenericOp loop = findLoop(region);
  if (!loop)
    return makeError("it is no loop over elements");
  Expected<VectorCost> cost = timeRegion(loop, machine);
  if (!cost)
    return cost.takeError();
  Expected<std::shared_ptr<const VectorCore>> core =
      VectorCore::find(machine.vectorCore);
  if (!core)
    return core.takeError();
  Expected<OwningOpRef<ModuleOp>> row = makeRowFunction(loop);
  if (!row)
    return row.takeError();
  Expected<RegionCode> code = RegionCode::make(**row, **core);
  if (!code)
    return code.takeError();
  Expected<std::string> assembly =
      code->emit(llvm::CodeGenFileType::AssemblyFile);
  if (!assembly)
    return assembly.takeError();
  return "# " + describe(region, *cost) + "\n" + *assembly;
}

Expected<std::string> tegula::printRegions(ModuleOp module,
                                           const sim::Machine &machine) {
  if (machine.vectorCore.empty())
    return makeError("the vector units of '{0}' are lanes, which run no code; "
                     "a machine with code has a 'vector_core'",
                     machine.name);
  std::string text;
  llvm::StringSet<> seen;
  module.walk([&](npu::VectorOp region) {
    Expected<std::string> code = printRegion(region, machine);
    std::string part =
        code ? *code
             : "# " + region.getName().str() +
                   " is not timed: " + llvm::toString(code.takeError()) + "\n";
    if (seen.insert(part).second)
      text += part + "\n";
  });
  return text;
}
