// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/machine/MachineKeys.h"

#include "tegula/support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace tegula;
using namespace tegula::sim;

static constexpr double large = 1e15;

// clang-format off
static const MachineKey keys[] = {
    {"name", &Machine::name, "what reports call the machine"},
    {"description", &Machine::description, "one line about it"},

    {"cores", &Machine::cores, "cores, each with units and a scratchpad of its own", 1, 4096},
    {"core_clock_mhz", &Machine::coreClockMhz, "the clock of cores and NoC; the unit of every `_cycles` key", 1, 100000},
    {"launch_cycles", &Machine::launchCycles, "from the end of one kernel, or the start of the run, to the first work item of the next", 0, large},
    {"dispatch_cycles", &Machine::dispatchCycles, "scalar work before the first operation of a work item", 0, large},
    {"work_items_in_flight", &Machine::workItemsInFlight, "work items a core takes operations from before the first of them is done", 1, 1024},
    {"window_ops", &Machine::windowOps, "operations a core looks at beyond the oldest unfinished one", 4, 65536},

    {"arrays_per_core", &Machine::arraysPerCore, "matrix arrays that share the folds of a matmul; 0: the vector units multiply", 0, 1024},
    {"array_rows", &Machine::arrayRows, "rows of an array: the depth of a fold when weights stay", 1, 4096},
    {"array_columns", &Machine::arrayColumns, "columns of an array", 1, 4096},
    {"array_dataflow", &Machine::arrayDataflow, "the operand that stays in the cells"},
    {"weight_slots_per_array", &Machine::weightSlotsPerArray, "1: a fold loads, streams and drains by itself; 2 or more: the next fold's weights load under this one", 1, 64},
    {"array_efficiency", &Machine::arrayEfficiency, "share of cycles in which a streaming array takes a row", 0.01, 1},
    {"readout_elements_per_cycle", &Machine::readoutElementsPerCycle, "results that leave the accumulators in a cycle", 1, large},

    {"vector_units_per_core", &Machine::vectorUnitsPerCore, "vector units that share the elements of a region", 1, 64},
    {"vector_units_are_cores", &Machine::vectorUnitsAreCores, "whether they have DMA of their own and see no memory but their own: what goes between them and the arrays goes through memory"},
    {"vector_elements_per_cycle", &Machine::vectorElementsPerCycle, "elements one vector unit takes in a cycle and operation", 1, large},
    {"vector_latency_cycles", &Machine::vectorLatencyCycles, "from the last element in to the last result out", 0, large},
    {"vector_special_cycles", &Machine::vectorSpecialCycles, "cycles for which exp, division and the like hold the lanes", 1, 10000},
    {"vector_core", &Machine::vectorCore, "the RISC-V core, as LLVM calls it, that vector regions are compiled for and timed on; empty: lanes take them, as the keys above say"},
    {"vector_register_bits", &Machine::vectorRegisterBits, "bits of a vector register of that core; 0 without one", 0, 65536},

    {"scratchpad_bytes_per_core", &Machine::scratchpadBytesPerCore, "the scratchpad operations address", 1, large},
    {"accumulator_bytes_per_core", &Machine::accumulatorBytesPerCore, "a memory of its own for accumulators; 0: they lie in the scratchpad", 0, large},
    {"vector_scratchpad_bytes_per_core", &Machine::vectorScratchpadBytesPerCore, "a memory of their own for the vector units; 0: they share the scratchpad", 0, large},
    {"scratchpad_bytes_per_cycle", &Machine::scratchpadBytesPerCycle, "what vector regions can read and write in a cycle", 1, large},

    {"dma_setup_cycles", &Machine::dmaSetupCycles, "before the first byte of a transfer is asked for", 0, large},
    {"dma_bytes_in_flight", &Machine::dmaBytesInFlight, "bytes an engine asks for before the first have come", 64, large},
    {"dma_bytes_per_cycle", &Machine::dmaBytesPerCycle, "bytes an engine asks for in a cycle", 1, large},
    {"dma_loads_first", &Machine::dmaLoadsFirst, "whether a core's stores wait while its loads have something to ask for"},

    {"noc", &Machine::noc, "how cores and channels are connected"},
    {"noc_port_bytes_per_cycle", &Machine::nocPortBytesPerCycle, "bytes through a core's port, or over a link of a mesh, in a cycle", 1, large},
    {"noc_hop_cycles", &Machine::nocHopCycles, "latency of a crossbar, or of each hop of a mesh", 0, large},
    {"noc_mesh_columns", &Machine::nocMeshColumns, "columns of a mesh; channels lie along its left edge", 1, 4096},

    {"l2_bytes", &Machine::l2Bytes, "a cache all cores share; 0: none", 0, large},
    {"l2_block_bytes", &Machine::l2BlockBytes, "what is kept, found and thrown out as a whole", 32, 1 << 20},
    {"l2_ways", &Machine::l2Ways, "blocks in a set", 1, 1024},
    {"l2_bandwidth_gb_per_s", &Machine::l2BandwidthGbPerS, "what the cache delivers to all cores together", 0.001, large},
    {"l2_latency_ns", &Machine::l2LatencyNs, "from the request to the first byte", 0, large},

    {"dram_level", &Machine::dramLevel, "how closely DRAM is followed"},
    {"dram_channels", &Machine::dramChannels, "channels; a power of two", 1, 1024},
    {"dram_bandwidth_gb_per_s", &Machine::dramBandwidthGbPerS, "all channels together, as data sheets have it", 0.001, large},
    {"dram_efficiency", &Machine::dramEfficiency, "share of that which streams reach at levels `roofline` and `channel`; banks show their losses themselves", 0.01, 1},
    {"dram_latency_ns", &Machine::dramLatencyNs, "from the request to the first byte when nothing is in the way", 0, large},
    {"dram_interleave_bytes", &Machine::dramInterleaveBytes, "bytes after which the next channel comes; a power of two", 32, 1 << 20},
    {"dram_hash_shifts", &Machine::dramHashShifts, "channel = (b ^ b >> s0 ^ b >> s1 ...) mod channels for block b of interleave size", 1, 48},
    {"dram_line_bytes", &Machine::dramLineBytes, "the least that is transferred", 8, 4096},
    {"dram_row_bytes", &Machine::dramRowBytes, "a row of one bank", 64, 1 << 20},
    {"dram_banks_per_channel", &Machine::dramBanksPerChannel, "banks; a power of two", 1, 1024},
    {"dram_rcd_ns", &Machine::dramRcdNs, "activate to read or write", 0, 1e6},
    {"dram_rp_ns", &Machine::dramRpNs, "precharge to activate", 0, 1e6},
    {"dram_ras_ns", &Machine::dramRasNs, "activate to precharge of the same bank", 0, 1e6},
    {"dram_rrd_ns", &Machine::dramRrdNs, "activate to activate of another bank", 0, 1e6},
    {"dram_faw_ns", &Machine::dramFawNs, "window that holds at most four activates", 0, 1e6},
    {"dram_cl_ns", &Machine::dramClNs, "read to data", 0, 1e6},
    {"dram_turnaround_ns", &Machine::dramTurnaroundNs, "when the bus changes between reads and writes", 0, 1e6},
    {"dram_refresh_interval_ns", &Machine::dramRefreshIntervalNs, "between refreshes of a channel", 100, 1e9},
    {"dram_refresh_ns", &Machine::dramRefreshNs, "for which a refresh holds its channel; all rows are closed", 0, 1e6},

    {"link_topology", &Machine::linkTopology, "how the chips of several ranks are connected: each with two neighbours, with four in a plane without (`mesh`) or with links around its edges (`torus`), or with every other (`full`)"},
    {"link_mesh_columns", &Machine::linkMeshColumns, "columns of such a plane; ranks fill its rows one after the other", 1, 4096},
    {"link_bandwidth_gb_per_s", &Machine::linkBandwidthGbPerS, "one link, one way", 0.001, large},
    {"link_latency_ns", &Machine::linkLatencyNs, "from chip to neighbouring chip", 0, large},

    {"energy_origin", &Machine::energyOrigin, "where the energies come from"},
    {"energy_pj_per_mac", &Machine::energyPjPerMac, "a multiply-add", 0, 1e6},
    {"energy_pj_per_vector_element", &Machine::energyPjPerVectorElement, "a vector operation on one element", 0, 1e6},
    {"energy_pj_per_scratchpad_byte", &Machine::energyPjPerScratchpadByte, "a byte read from or written to the scratchpad", 0, 1e6},
    {"energy_pj_per_noc_byte_hop", &Machine::energyPjPerNocByteHop, "a byte over a link or through the crossbar", 0, 1e6},
    {"energy_pj_per_l2_byte", &Machine::energyPjPerL2Byte, "a byte read from or written to the shared cache", 0, 1e6},
    {"energy_pj_per_dram_byte", &Machine::energyPjPerDramByte, "a byte over the DRAM bus", 0, 1e6},
    {"energy_pj_per_dram_activation", &Machine::energyPjPerDramActivation, "opening a row; counted at level `bank` only", 0, 1e6},
    {"energy_leakage_watts", &Machine::energyLeakageWatts, "what the chip takes when it does nothing", 0, 1e6},
};
// clang-format on

llvm::ArrayRef<MachineKey> sim::getMachineKeys() { return keys; }

llvm::ArrayRef<llvm::StringLiteral> sim::getChoices(const MachineKey &key) {
  static constexpr llvm::StringLiteral dataflows[] = {
      "weight_stationary", "output_stationary", "input_stationary"};
  static constexpr llvm::StringLiteral nocs[] = {"crossbar", "mesh"};
  static constexpr llvm::StringLiteral levels[] = {"roofline", "channel",
                                                   "bank"};
  static constexpr llvm::StringLiteral topologies[] = {"ring", "mesh", "torus",
                                                       "full"};
  if (std::holds_alternative<LinkTopology Machine::*>(key.field))
    return topologies;
  if (std::holds_alternative<Dataflow Machine::*>(key.field))
    return dataflows;
  if (std::holds_alternative<NocKind Machine::*>(key.field))
    return nocs;
  if (std::holds_alternative<DramLevel Machine::*>(key.field))
    return levels;
  return {};
}

static std::string quote(llvm::StringRef text) {
  std::string quoted = "\"";
  for (char letter : text) {
    if (letter == '"' || letter == '\\')
      quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

std::string sim::printValue(const Machine &machine, const MachineKey &key) {
  return std::visit(
      [&](auto field) -> std::string {
        const auto &value = machine.*field;
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_enum_v<Value>) {
          return quote(getChoices(key)[static_cast<size_t>(value)]);
        } else if constexpr (std::is_same_v<Value, std::string>) {
          return quote(value);
        } else if constexpr (std::is_same_v<Value, bool>) {
          return value ? "true" : "false";
        } else if constexpr (std::is_same_v<Value, double>) {
          return formatNumber(value);
        } else if constexpr (std::is_same_v<Value, int64_t>) {
          return std::to_string(value);
        } else {
          return formatShape(value);
        }
      },
      key.field);
}

/// How far `name` is from the nearest run of the words of `key`; a word that is
/// left out counts as much as a wrong letter.
static unsigned getDistance(llvm::StringRef name, llvm::StringRef key) {
  llvm::SmallVector<llvm::StringRef> words;
  key.split(words, '_');
  unsigned least = ~0u;
  for (size_t begin = 0; begin < words.size(); ++begin)
    for (size_t end = begin + 1; end <= words.size(); ++end) {
      llvm::StringRef run(words[begin].data(),
                          words[end - 1].end() - words[begin].data());
      unsigned left = words.size() - (end - begin);
      least = std::min(least, name.edit_distance(run) + left);
    }
  return least;
}

const MachineKey &sim::findNearestKey(llvm::StringRef name) {
  return *llvm::min_element(
      keys, [&](const MachineKey &lhs, const MachineKey &rhs) {
        return getDistance(name, lhs.name) < getDistance(name, rhs.name);
      });
}

static bool isPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

Error sim::checkMachine(const Machine &machine) {
  for (auto [name, value] :
       {std::pair("dram_channels", machine.dramChannels),
        std::pair("dram_interleave_bytes", machine.dramInterleaveBytes),
        std::pair("dram_line_bytes", machine.dramLineBytes),
        std::pair("dram_row_bytes", machine.dramRowBytes),
        std::pair("dram_banks_per_channel", machine.dramBanksPerChannel)})
    if (!isPowerOfTwo(value))
      return makeError("{0} is {1}, but must be a power of two", name, value);
  if (machine.vectorCore.empty() != (machine.vectorRegisterBits == 0))
    return makeError("vector_core is \"{0}\" and vector_register_bits is {1}, "
                     "but a core has registers and lanes have none",
                     machine.vectorCore, machine.vectorRegisterBits);
  if (machine.vectorUnitsAreCores && machine.vectorScratchpadBytesPerCore == 0)
    return makeError("vector_units_are_cores is true, but "
                     "vector_scratchpad_bytes_per_core is 0, and cores have a "
                     "memory of their own");
  for (int64_t shift : machine.dramHashShifts)
    if (int64_t(1) << shift < machine.dramChannels)
      return makeError("dram_hash_shifts has {0}, which mixes the bits of one "
                       "of {1} channels with each other",
                       shift, machine.dramChannels);
  if (machine.dramInterleaveBytes % machine.dramLineBytes != 0 ||
      machine.dramRowBytes % machine.dramLineBytes != 0)
    return makeError("dram_line_bytes is {0}, but must divide "
                     "dram_interleave_bytes and dram_row_bytes",
                     machine.dramLineBytes);
  if (machine.l2Bytes % (machine.l2BlockBytes * machine.l2Ways) != 0)
    return makeError("l2_bytes is {0}, but must be a multiple of l2_ways "
                     "blocks of {1} bytes",
                     machine.l2Bytes, machine.l2BlockBytes);
  if (machine.dramRefreshNs >= machine.dramRefreshIntervalNs)
    return makeError("dram_refresh_ns is {0}, which leaves nothing of "
                     "dram_refresh_interval_ns",
                     machine.dramRefreshNs);
  return Error::success();
}
