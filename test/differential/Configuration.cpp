// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Configuration.h"

#include "tegula/backends/npu/NpuTarget.h"
#include "tegula/sim/machine/MachineFile.h"
#include "test/backends/MadeUpMachine.h"

#include <cstdlib>

using namespace tegula;
using namespace tegula::differential;

/// A machine with a few KB, so that tiles are small.
static sim::Machine makeSmallNpu(bool hasOwnMemories) {
  sim::Machine machine = llvm::cantFail(
      sim::loadMachine(hasOwnMemories ? "ascend910b" : "edge8x8"));
  machine.scratchpadBytesPerCore = 4096;
  machine.accumulatorBytesPerCore = hasOwnMemories ? 4096 : 0;
  machine.vectorScratchpadBytesPerCore = hasOwnMemories ? 4096 : 0;
  return machine;
}

static std::optional<uint64_t> always;

void differential::useConfiguration(uint64_t number) { always = number; }

Configuration::Configuration(uint64_t seed) : name("this machine") {
  uint64_t number = always.value_or(seed) % numConfigurations;
  if (number == 8) {
    name = "interpreter:outlined";
    target = llvm::cantFail(findTarget(name));
    return;
  }
  if (number == 11) {
    name = "cuda:emulate";
    target = llvm::cantFail(findTarget(name));
    return;
  }
  if (number > 8) {
    name = number == 9 ? "npu" : "npu with memories for products";
    machine = makeSmallNpu(/*hasOwnMemories=*/number == 10);
    target = std::make_shared<NpuTarget>(name, *machine);
    return;
  }
  CpuOptions options = CpuOptions::forHost();
  if (number % 2 == 1) {
    // Only an x86-64 knows it.
    llvm::Expected<CpuOptions> narrow = CpuOptions::forCpu("x86-64-v3");
    if (narrow) {
      name = "x86-64-v3";
      options = *narrow;
    }
    llvm::consumeError(narrow.takeError());
  }
  options.leastParallelWork = 1;
  if (number / 2 % 2 == 1) {
    name += ", cut";
    options.large = {/*leastShared=*/100, /*mostHeld=*/300, /*piece=*/100};
  }
  if (number / 2 % 2 == number / 4) {
    name += ", stored past the caches";
    options.leastStreamed = 0;
  }
  if (number / 4 == 0) {
    target = std::make_shared<CpuTarget>(name, std::move(options));
    return;
  }
  name += ", tiles of 3";
  auto machine = std::make_shared<MadeUpMachine>(2048, std::move(options));
  if (number / 2 % 2 == 1)
    machine->keepFromTensors();
  target = std::move(machine);
}

void differential::useThreads(unsigned count) {
  setenv("OMP_NUM_THREADS", std::to_string(count).c_str(), 1);
  setenv("OMP_DYNAMIC", "false", 1);
  // Threads that wait for work would keep other processes from theirs.
  setenv("KMP_BLOCKTIME", "0", 1);
}
