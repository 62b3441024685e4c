// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Configuration.h"

#include "tegula/backends/npu/NpuTarget.h"
#include "tegula/sim/machine/MachineFile.h"
#include "test/backends/MadeUpMachine.h"

#include <array>
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

/// Matmuls decide by their sizes how they are computed, or it is decided here.
static std::string decide(MatmulTuning &options, uint64_t number) {
  auto take = [&](Decision &decision, const char *name) -> std::string {
    decision = std::array{Decision::BySize, Decision::Always,
                          Decision::Never}[number % 3];
    number /= 3;
    return decision == Decision::BySize   ? ""
           : decision == Decision::Always ? std::string(", ") + name
                                          : std::string(", not ") + name;
  };
  std::string name = take(options.narrow, "narrow");
  name += take(options.packs, "packed");
  name += take(options.copies, "copied");
  if (number % 2 == 1) {
    name += ", one by one";
    options.hasPairs = options.hasFours = false;
  }
  return name;
}

static std::optional<uint64_t> always;

void differential::useConfiguration(std::optional<uint64_t> number) {
  always = number;
}

Configuration::Configuration(uint64_t seed) : name("this machine") {
  uint64_t number =
      always ? *always % (memoryConfiguration + 1) : seed % numConfigurations;
  if (number == 8) {
    name = "interpreter:outlined";
    target = llvm::cantFail(findTarget(name));
    return;
  }
  if (number == 11) {
    // Blocks of two warps are quicker, and see ends of rows more often.
    name = std::array{"cuda:emulate,whole-blocks", "cuda:emulate",
                      "cuda:emulate-sm_80",
                      "cuda:emulate,general"}[seed / numConfigurations % 4];
    target = llvm::cantFail(findTarget(name));
    return;
  }
  if (number == memoryConfiguration) {
    name = std::array{
        "cuda:emulate,memory", "cuda:emulate-sm_70",
        "cuda:emulate,whole-blocks,memory"}[seed / numConfigurations % 3];
    target = llvm::cantFail(findTarget(name));
    return;
  }
  if (number > 8) {
    name = number == 9 ? "npu" : "npu with memories for matmuls";
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
  name += decide(options.tuning, seed / numConfigurations);
  if (number / 2 % 2 == 1) {
    // In tiny pieces nothing that belongs together stays so.
    bool isTiny = seed / numConfigurations % 2 == 1;
    name += isTiny ? ", cut finely" : ", cut";
    options.large = {/*leastShared=*/100, /*mostPerFunction=*/isTiny ? 40 : 300,
                     /*piece=*/isTiny ? 6 : 100};
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
