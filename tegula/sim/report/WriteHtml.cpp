// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteHtml.h"

#include "tegula/sim/report/FormatNumbers.h"
#include "tegula/sim/report/HtmlChips.h"
#include "tegula/sim/report/HtmlPage.h"
#include "tegula/sim/report/Lifetimes.h"
#include "tegula/sim/report/WriteSvg.h"
#include "tegula/sim/report/WriteText.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::json::OStream;

static double inCycles(Time time) { return double(time) / ticksPerCycle; }

/// Names stand once, and operations say which.
static void writeOps(llvm::ArrayRef<LoggedOp> ops, OStream &json) {
  llvm::StringMap<int64_t> known;
  std::vector<llvm::StringRef> names;
  json.attributeArray("ops", [&] {
    for (const LoggedOp &logged : ops)
      json.array([&] {
        auto [entry, isNew] =
            known.try_emplace(logged.name, int64_t(names.size()));
        if (isNew)
          names.push_back(logged.name);
        json.value(entry->second);
        json.value(logged.core);
        json.value(int(logged.unit));
        for (Time time : {logged.started, logged.freed, logged.ready})
          json.value(inCycles(time));
        json.value(logged.op.line);
        json.value(logged.item);
        json.value(logged.waitedFor >= 0 ? int(logged.cause) : -1);
        json.array([&] {
          for (int32_t coordinate : logged.op.tile)
            json.value(coordinate);
        });
      });
  });
  json.attributeArray("names", [&] {
    for (llvm::StringRef name : names)
      json.value(name);
  });
}

static void writeLifetimes(llvm::ArrayRef<LoggedOp> ops, const Machine &machine,
                           OStream &json) {
  json.attributeArray("spaces", [&] {
    for (const char *space : {"scratchpad", "accumulators", "vector memory"})
      json.value(space);
  });
  json.attributeArray("spaceBytes", [&] {
    json.value(machine.scratchpadBytesPerCore);
    json.value(machine.accumulatorBytesPerCore);
    json.value(machine.vectorScratchpadBytesPerCore);
  });
  json.attributeArray("lives", [&] {
    for (const Lifetime &life : getLifetimes(ops))
      json.array([&] {
        json.value(int64_t(life.writer));
        json.value(int(life.space));
        json.value(life.begin);
        json.value(life.size);
        json.value(inCycles(life.from));
        json.value(inCycles(life.to));
      });
  });
}

/// Busy is the first cause.
static void writeStalls(const Result &result, OStream &json) {
  json.attributeArray("causes", [&] {
    json.value("busy");
    for (unsigned stall = 0; stall < numStalls; ++stall)
      json.value(getName(Stall(stall)));
  });
  json.attributeArray("stalls", [&] {
    for (unsigned unit = 0; unit < numUnits; ++unit) {
      UnitTime time = addUnits(result, Unit(unit));
      if (time.numOps == 0)
        continue;
      double total = double(time.getTotal());
      json.object([&] {
        json.attribute("name", getName(Unit(unit)));
        json.attribute("useful", double(time.useful) / total);
        json.attributeArray("shares", [&] {
          json.value(double(time.busy) / total);
          for (Time stall : time.stalls)
            json.value(double(stall) / total);
        });
      });
    }
  });
}

static std::string formatShare(double share) {
  return llvm::formatv("{0:f1} %", 100 * share);
}

static void writeCards(const Summary &summary, OStream &json) {
  json.attributeArray("cards", [&] {
    auto writeCard = [&](llvm::StringRef label, const std::string &value,
                         const std::string &detail) {
      json.array([&] {
        json.value(label);
        json.value(value);
        json.value(detail);
      });
    };
    writeCard("time", formatMicroseconds(summary.microseconds),
              std::to_string(summary.cycles) + " cycles");
    if (summary.teraflops > 0)
      writeCard("compute", formatRate(summary.teraflops) + " TFLOP/s",
                formatShare(summary.computeShare) + " of " +
                    formatRate(summary.peakTeraflops));
    writeCard("memory", formatRate(summary.gigabytesPerSecond) + " GB/s",
              formatShare(summary.bandwidthShare) + " of " +
                  formatRate(summary.peakGigabytesPerSecond));
    writeCard("bound by", getName(summary.bound).str(),
              formatShare(summary.boundShare) + " of the time" +
                  (summary.bound == Bound::Launch ? "" : ", at its peak"));
    if (summary.millijoules > 0)
      writeCard("energy", formatRate(summary.millijoules) + " mJ",
                "an estimate");
  });
}

static void writeWords(const ReportedRun &run, OStream &json) {
  std::string words;
  llvm::raw_string_ostream wordsOut(words);
  writeText(run, wordsOut);
  json.attribute("title", getTitle(run));
  json.attribute("machine", run.machine.name);
  json.attribute("description", run.machine.description);
  json.attribute("words", words);
}

static void writeMemory(const Summary &summary, const Result &result,
                        OStream &json) {
  json.attributeObject("roofline", [&] {
    json.attribute("peak", summary.peakTeraflops);
    json.attribute("bandwidth", summary.peakGigabytesPerSecond);
    json.attribute("flops", summary.teraflops);
    json.attribute("intensity", summary.intensity);
  });
  json.attributeArray("tensors", [&] {
    for (const TensorTraffic &tensor : result.tensors) {
      if (!tensor.isMoved())
        continue;
      json.object([&] {
        json.attribute("name", tensor.name);
        json.attribute("loaded", tensor.bytesLoaded);
        json.attribute("stored", tensor.bytesStored);
      });
    }
  });
}

static std::string makeData(const ReportedRun &run, const OpLog &log) {
  llvm::ArrayRef<LoggedOp> ops = log.getOps();
  bool isCut = log.isCut() || ops.size() > maxHtmlOps;
  ops = ops.take_front(maxHtmlOps);
  Time end = run.result.total;
  if (isCut) {
    end = 0;
    for (const LoggedOp &logged : ops)
      end = std::max(end, logged.ready);
  }
  Summary summary = summarise(run.machine, run.result);
  std::string text;
  llvm::raw_string_ostream out(text);
  OStream json(out);
  json.object([&] {
    writeWords(run, json);
    writeCards(summary, json);
    json.attribute("isCut", isCut);
    json.attribute("end", std::max(1.0, inCycles(end)));
    json.attributeArray("units", [&] {
      for (unsigned unit = 0; unit < numUnits; ++unit)
        json.value(getName(Unit(unit)));
    });
    writeOps(ops, json);
    writeLifetimes(ops, run.machine, json);
    writeStalls(run.result, json);
    writeMemory(summary, run.result, json);
  });
  return text;
}

void sim::writeHtml(const ReportedRun &run, const OpLog &log,
                    const Sweep *sweep, llvm::raw_ostream &out) {
  out << htmlHead;
  writeChipSection(run.result, out);
  if (sweep) {
    out << "<h2>Over " << sweep->symbols[sweep->swept.front()]
        << "</h2><div id=\"sweep\">\n";
    writeSvg(*sweep, out);
    out << "</div>\n";
  }
  out << htmlBeforeData;
  // Nothing in the data may end the script it stands in.
  for (char letter : makeData(run, log)) {
    if (letter == '<')
      out << "\\u003c";
    else
      out << letter;
  }
  out << htmlTimeline << htmlCharts;
}
