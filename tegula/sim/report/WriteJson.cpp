// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteJson.h"

#include "tegula/sim/machine/MachineKeys.h"
#include "tegula/sim/report/Summary.h"
#include "llvm/Support/JSON.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::json::OStream;

static double inCycles(Time time) { return double(time) / ticksPerCycle; }

static void writeMachine(const Machine &machine, OStream &json) {
  json.attributeObject("machine", [&] {
    for (const MachineKey &key : getMachineKeys())
      std::visit(
          [&](auto field) {
            const auto &value = machine.*field;
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_enum_v<Value>)
              json.attribute(key.name, getChoices(key)[size_t(value)]);
            else if constexpr (std::is_same_v<Value, std::vector<int64_t>>)
              json.attributeArray(key.name, [&] {
                for (int64_t element : value)
                  json.value(element);
              });
            else
              json.attribute(key.name, value);
          },
          key.field);
  });
}

static void writeSummary(const Machine &machine, const Result &result,
                         OStream &json) {
  Summary summary = summarise(machine, result);
  json.attributeObject("summary", [&] {
    json.attribute("cycles", summary.cycles);
    json.attribute("microseconds", summary.microseconds);
    json.attribute("teraflops", summary.teraflops);
    json.attribute("compute_share", summary.computeShare);
    json.attribute("gigabytes_per_second", summary.gigabytesPerSecond);
    json.attribute("bandwidth_share", summary.bandwidthShare);
    json.attribute("flops_per_byte", summary.intensity);
    json.attribute("bound", getName(summary.bound));
    json.attribute("bound_share", summary.boundShare);
    json.attribute("channel_imbalance", summary.channelImbalance);
    json.attribute("ops", result.numOps);
    json.attribute("events", result.numEvents);
    json.attribute("simulated_items", result.extrapolation.simulatedItems);
    json.attribute("all_items", result.extrapolation.allItems);
    json.attribute("residual", result.extrapolation.residual);
  });
}

static void writeCore(const CoreResult &core, OStream &json) {
  json.object([&] {
    json.attribute("items", core.numItems);
    json.attribute("macs", core.macs);
    json.attribute("vector_elements", core.vectorElements);
    json.attribute("scratchpad_bytes", core.scratchpadBytes);
    json.attribute("scratchpad_high_water_bytes", core.scratchpadHighWater);
    json.attributeObject("units", [&] {
      for (unsigned unit = 0; unit < numUnits; ++unit)
        json.attributeObject(getName(Unit(unit)), [&] {
          const UnitTime &time = core.units[unit];
          json.attribute("ops", time.numOps);
          json.attribute("busy", inCycles(time.busy));
          for (unsigned stall = 0; stall < numStalls; ++stall)
            if (time.stalls[stall] > 0)
              json.attribute(getName(Stall(stall)),
                             inCycles(time.stalls[stall]));
        });
    });
  });
}

static void writeNumbers(OStream &json, llvm::StringRef name,
                         const std::vector<int64_t> &numbers) {
  json.attributeArray(name, [&] {
    for (int64_t number : numbers)
      json.value(number);
  });
}

static void writeMemory(const Result &result, OStream &json) {
  const DramCounters &dram = result.dram;
  json.attributeObject("dram", [&] {
    json.attribute("bytes_read", dram.bytesRead);
    json.attribute("bytes_written", dram.bytesWritten);
    json.attribute("partial_line_bytes", dram.partialLineBytes);
    json.attribute("row_hits", dram.rowHits);
    json.attribute("row_misses", dram.rowMisses);
    json.attribute("row_conflicts", dram.rowConflicts);
    json.attribute("refreshes", dram.refreshes);
    json.attribute("bus", inCycles(dram.busTime));
    json.attribute("activate", inCycles(dram.activateTime));
    json.attribute("refresh", inCycles(dram.refreshTime));
    json.attribute("turnaround", inCycles(dram.turnaroundTime));
    writeNumbers(json, "channel_bytes", dram.channelBytes);
  });
  json.attributeObject("noc", [&] {
    json.attribute("bytes", result.noc.bytes);
    json.attribute("byte_hops", result.noc.byteHops);
    writeNumbers(json, "link_bytes", result.noc.linkBytes);
  });
  json.attributeObject("l2", [&] {
    json.attribute("hit_bytes", result.cache.hitBytes);
    json.attribute("miss_bytes", result.cache.missBytes);
    json.attribute("written_back_bytes", result.cache.writtenBackBytes);
  });
  json.attributeArray("tensors", [&] {
    for (const TensorTraffic &tensor : result.tensors)
      json.object([&] {
        json.attribute("name", tensor.name);
        json.attribute("bytes_loaded", tensor.bytesLoaded);
        json.attribute("bytes_stored", tensor.bytesStored);
      });
  });
}

void sim::writeJson(const Machine &machine, const Result &result,
                    llvm::raw_ostream &out) {
  OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("tegula_simulation", jsonVersion);
    writeSummary(machine, result, json);
    json.attributeArray("cores", [&] {
      for (const CoreResult &core : result.cores)
        writeCore(core, json);
    });
    writeMemory(result, json);
    const Energy &energy = result.energy;
    json.attributeObject("energy_joules", [&] {
      json.attribute("macs", energy.macs);
      json.attribute("vector", energy.vector);
      json.attribute("scratchpad", energy.scratchpad);
      json.attribute("noc", energy.noc);
      json.attribute("l2", energy.l2);
      json.attribute("dram", energy.dram);
      json.attribute("leakage", energy.leakage);
    });
    json.attributeArray("tenants", [&] {
      for (const TenantResult &tenant : result.tenants)
        json.object([&] {
          json.attribute("name", tenant.name);
          json.attribute("start", inCycles(tenant.start));
          json.attribute("end", inCycles(tenant.end));
        });
    });
    writeMachine(machine, json);
  });
  out << "\n";
}
