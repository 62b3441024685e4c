// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/simulation/SimulatedTarget.h"

#include "tegula/backends/Backend.h"
#include "tegula/runtime/Compilation.h"

using namespace tegula;

static Expected<std::optional<sim::Machine>>
machineOf(Expected<std::shared_ptr<const Target>> target) {
  if (!target)
    return target.takeError();
  const sim::Machine *machine = (*target)->getSimulatedMachine();
  return machine ? std::optional(*machine) : std::nullopt;
}

Expected<std::optional<sim::Machine>>
tegula::findSimulatedMachine(llvm::StringRef target) {
  return machineOf(findTarget(target));
}

Expected<std::optional<sim::Machine>>
tegula::findSimulatedMachine(const KernelSource &source) {
  return machineOf(findTargetOf(source));
}

std::string tegula::nameSimulatedTarget(llvm::StringRef machine) {
  for (const Backend *backend : listBackends())
    if (std::string text = backend->nameSimulated(machine); !text.empty())
      return text;
  llvm_unreachable("one of the back ends simulates");
}
