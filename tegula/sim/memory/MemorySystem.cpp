// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/MemorySystem.h"

#include "tegula/sim/memory/BankDram.h"
#include "tegula/sim/memory/ChannelDram.h"
#include "tegula/sim/memory/RooflineDram.h"

using namespace tegula;
using namespace tegula::sim;

std::unique_ptr<Dram> sim::makeDram(const Machine &machine) {
  switch (machine.dramLevel) {
  case DramLevel::Roofline:
    return std::make_unique<RooflineDram>(machine);
  case DramLevel::Channel:
    return std::make_unique<ChannelDram>(machine);
  case DramLevel::Bank:
    return std::make_unique<BankDram>(machine);
  }
  return nullptr;
}

MemorySystem::MemorySystem(const Machine &machine)
    : dram(makeDram(machine)), noc(machine) {
  if (machine.l2Bytes > 0)
    cache.emplace(machine, *dram);
}

Time MemorySystem::access(const MemoryWindow &window, Time time, bool isWrite) {
  std::vector<ChannelShare> *wanted = noc.needsShares() ? &shares : nullptr;
  return cache ? cache->serve(window, time, isWrite, wanted)
               : dram->serve(window, time, isWrite, wanted);
}

Time MemorySystem::serve(int64_t core, const MemoryWindow &window, Time time,
                         bool isWrite) {
  Time ready = access(window, time, isWrite);
  return noc.carry(core, window.getBytes(), time, ready, shares);
}

Time MemorySystem::carry(int64_t core, int64_t bytes, Time time, Time ready) {
  shares.assign(1, {0, bytes, ready});
  return noc.carry(core, bytes, time, ready, shares);
}
