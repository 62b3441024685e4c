// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A machine as the simulator sees it: plain data, one field per key of a
/// machine file. MachineKeys.h says what each key means and may be; units
/// stand in the names.

#ifndef TEGULA_SIM_MACHINE_MACHINE_H
#define TEGULA_SIM_MACHINE_MACHINE_H

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::sim {

/// Which operand stays in the cells of a matrix array.
enum class Dataflow : uint8_t {
  WeightStationary,
  OutputStationary,
  InputStationary
};

/// How cores and memory channels are connected.
enum class NocKind : uint8_t { Crossbar, Mesh };

/// How closely DRAM is followed: one pipe for all, one per channel, or the
/// state of every bank.
enum class DramLevel : uint8_t { Roofline, Channel, Bank };

/// How chips are connected, if there are several: each with its two
/// neighbours, or its four in a plane without and with links around its edges,
/// or with every other.
enum class LinkTopology : uint8_t { Ring, Mesh, Torus, Full };

/// A machine description; every field has a key of the same words.
struct Machine {
  std::string name;
  std::string description;

  int64_t cores = 1;
  double coreClockMhz = 1000;
  int64_t launchCycles = 0;
  int64_t dispatchCycles = 0;
  int64_t workItemsInFlight = 2;
  int64_t windowOps = 64;

  int64_t arraysPerCore = 1;
  int64_t arrayRows = 128;
  int64_t arrayColumns = 128;
  Dataflow arrayDataflow = Dataflow::WeightStationary;
  int64_t weightSlotsPerArray = 2;
  double arrayEfficiency = 1;
  int64_t readoutElementsPerCycle = 1024;

  int64_t vectorUnitsPerCore = 1;
  bool vectorUnitsAreCores = false;
  int64_t vectorElementsPerCycle = 1024;
  int64_t vectorLatencyCycles = 0;
  int64_t vectorSpecialCycles = 1;
  std::string vectorCore;
  int64_t vectorRegisterBits = 0;

  int64_t scratchpadBytesPerCore = 1 << 24;
  int64_t accumulatorBytesPerCore = 0;
  int64_t vectorScratchpadBytesPerCore = 0;
  int64_t scratchpadBytesPerCycle = 4096;

  int64_t dmaSetupCycles = 0;
  int64_t dmaBytesInFlight = 65536;
  int64_t dmaBytesPerCycle = 1024;
  bool dmaLoadsFirst = true;

  NocKind noc = NocKind::Crossbar;
  int64_t nocPortBytesPerCycle = 1024;
  int64_t nocHopCycles = 1;
  int64_t nocMeshColumns = 1;

  int64_t l2Bytes = 0;
  int64_t l2BlockBytes = 4096;
  int64_t l2Ways = 16;
  double l2BandwidthGbPerS = 1000;
  double l2LatencyNs = 50;

  DramLevel dramLevel = DramLevel::Channel;
  int64_t dramChannels = 16;
  double dramBandwidthGbPerS = 450;
  double dramEfficiency = 1;
  double dramLatencyNs = 100;
  int64_t dramInterleaveBytes = 256;
  std::vector<int64_t> dramHashShifts;
  int64_t dramLineBytes = 32;
  int64_t dramRowBytes = 1024;
  int64_t dramBanksPerChannel = 16;
  double dramRcdNs = 14;
  double dramRpNs = 14;
  double dramRasNs = 33;
  double dramRrdNs = 4;
  double dramFawNs = 16;
  double dramClNs = 14;
  double dramTurnaroundNs = 8;
  double dramRefreshIntervalNs = 3900;
  double dramRefreshNs = 260;

  LinkTopology linkTopology = LinkTopology::Ring;
  int64_t linkMeshColumns = 4;
  double linkBandwidthGbPerS = 50;
  double linkLatencyNs = 500;

  std::string energyOrigin;
  double energyPjPerMac = 0;
  double energyPjPerVectorElement = 0;
  double energyPjPerScratchpadByte = 0;
  double energyPjPerNocByteHop = 0;
  double energyPjPerL2Byte = 0;
  double energyPjPerDramByte = 0;
  double energyPjPerDramActivation = 0;
  double energyLeakageWatts = 0;

  /// Bytes that all channels together move in one core cycle at best.
  double getDramBytesPerCycle() const {
    return dramBandwidthGbPerS * 1e3 / coreClockMhz;
  }
  /// Bytes that one link between chips carries in a core cycle, one way.
  double getLinkBytesPerCycle() const {
    return linkBandwidthGbPerS * 1e3 / coreClockMhz;
  }
  /// Multiply-adds of the whole machine in one cycle.
  double getMacsPerCycle() const {
    return double(cores) * arraysPerCore * arrayRows * arrayColumns;
  }
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MACHINE_MACHINE_H
