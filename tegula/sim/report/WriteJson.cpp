// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteJson.h"

#include "tegula/sim/machine/MachineJson.h"
#include "tegula/sim/report/Summary.h"
#include "tegula/sim/report/WriteChips.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::json::OStream;

static double inCycles(Time time) { return double(time) / ticksPerCycle; }

static void writeShares(llvm::StringRef name,
                        const std::array<double, numUnits> &shares,
                        OStream &json) {
  json.attributeObject(name, [&] {
    for (unsigned unit = 0; unit < numUnits; ++unit)
      json.attribute(getName(Unit(unit)), shares[unit]);
  });
}

static void writeSummary(llvm::StringRef name, const Summary &summary,
                         OStream &json) {
  json.attributeObject(name, [&] {
    json.attribute("cycles", summary.cycles);
    json.attribute("microseconds", summary.microseconds);
    json.attribute("teraflops", summary.teraflops);
    json.attribute("peak_teraflops", summary.peakTeraflops);
    json.attribute("compute_share", summary.computeShare);
    json.attribute("gigabytes_per_second", summary.gigabytesPerSecond);
    json.attribute("peak_gigabytes_per_second", summary.peakGigabytesPerSecond);
    json.attribute("bandwidth_share", summary.bandwidthShare);
    json.attribute("flops_per_byte", summary.intensity);
    json.attribute("bound", getName(summary.bound));
    json.attribute("bound_share", summary.boundShare);
    json.attribute("channel_imbalance", summary.channelImbalance);
    json.attribute("millijoules", summary.millijoules);
    writeShares("busy_shares", summary.busyShares, json);
    writeShares("useful_shares", summary.usefulShares, json);
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
          json.attribute("useful", inCycles(time.useful));
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

static void writeEnergy(const Energy &energy, OStream &json) {
  json.attributeObject("energy_joules", [&] {
    json.attribute("macs", energy.macs);
    json.attribute("vector", energy.vector);
    json.attribute("scratchpad", energy.scratchpad);
    json.attribute("noc", energy.noc);
    json.attribute("l2", energy.l2);
    json.attribute("dram", energy.dram);
    json.attribute("leakage", energy.leakage);
  });
}

/// What a run found, into the object that is open.
static void writeResult(const ReportedRun &run, OStream &json) {
  const Result &result = run.result;
  writeSummary("summary", summarise(run.machine, result), json);
  json.attribute("ops", result.numOps);
  json.attribute("events", result.numEvents);
  json.attributeObject("extrapolation", [&] {
    json.attribute("simulated_items", result.extrapolation.simulatedItems);
    json.attribute("all_items", result.extrapolation.allItems);
    json.attribute("residual", result.extrapolation.residual);
  });
  json.attributeArray("cores", [&] {
    for (const CoreResult &core : result.cores)
      writeCore(core, json);
  });
  writeMemory(result, json);
  writeEnergy(result.energy, json);
  writeChips(result, json);
  json.attributeArray("tenants", [&] {
    for (const TenantResult &tenant : result.tenants)
      json.object([&] {
        json.attribute("name", tenant.name);
        json.attribute("start", inCycles(tenant.start));
        json.attribute("end", inCycles(tenant.end));
        json.attribute("first_core", tenant.firstCore);
        json.attribute("cores", tenant.numCores);
        if (tenant.alone > 0)
          json.attribute("alone", inCycles(tenant.alone));
      });
  });
}

static void writeExtents(llvm::ArrayRef<std::string> symbols,
                         llvm::ArrayRef<int64_t> extents, OStream &json) {
  json.attributeObject("extents", [&] {
    for (auto [symbol, extent] : llvm::zip(symbols, extents))
      json.attribute(symbol, extent);
  });
}

static void writeHead(llvm::StringRef kernel, llvm::StringRef whatIf,
                      llvm::ArrayRef<std::string> notes, OStream &json) {
  json.attribute("tegula_simulation", jsonVersion);
  json.attribute("kernel", kernel);
  if (!whatIf.empty())
    json.attribute("what_if", whatIf);
  json.attributeArray("notes", [&] {
    for (const std::string &note : notes)
      json.value(note);
  });
}

void sim::writeJson(const ReportedRun &run, const ReportedRun *changed,
                    llvm::StringRef whatIf, llvm::raw_ostream &out) {
  OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    writeHead(run.kernel, whatIf, run.notes, json);
    json.attributeArray("runs", [&] {
      json.object([&] {
        writeExtents(run.symbols, run.extents, json);
        writeResult(run, json);
        if (changed)
          json.attributeObject("changed", [&] { writeResult(*changed, json); });
      });
    });
    writeMachine("machine", run.machine, json);
    if (changed)
      writeMachine("changed_machine", changed->machine, json);
  });
  out << "\n";
}

void sim::writeJson(const Sweep &sweep, llvm::ArrayRef<std::string> notes,
                    const Machine &machine, const Machine *changed,
                    llvm::raw_ostream &out) {
  OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    writeHead(sweep.kernel, sweep.whatIf, notes, json);
    json.attributeArray("runs", [&] {
      for (const SweepPoint &point : sweep.points)
        json.object([&] {
          writeExtents(sweep.symbols, point.extents, json);
          writeSummary("summary", point.summary, json);
          if (point.changed)
            json.attributeObject("changed", [&] {
              writeSummary("summary", *point.changed, json);
            });
        });
    });
    writeMachine("machine", machine, json);
    if (changed)
      writeMachine("changed_machine", *changed, json);
  });
  out << "\n";
}
