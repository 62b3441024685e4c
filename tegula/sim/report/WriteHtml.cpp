// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteHtml.h"

#include "tegula/sim/report/HtmlPage.h"
#include "tegula/sim/report/Summary.h"
#include "tegula/sim/report/WriteText.h"
#include "llvm/Support/JSON.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::json::OStream;

static double inCycles(Time time) { return double(time) / ticksPerCycle; }

static void writeTimeline(const TimelineRecorder &timeline, OStream &json) {
  json.attribute("isCut", timeline.isCut());
  json.attributeArray("units", [&] {
    for (unsigned unit = 0; unit < numUnits; ++unit)
      json.value(getName(Unit(unit)));
  });
  json.attributeArray("ops", [&] {
    for (const TimelineOp &op : timeline.getOps())
      json.object([&] {
        json.attribute("name", op.name);
        json.attribute("core", op.core);
        json.attribute("unit", int(op.unit));
        json.attribute("start", inCycles(op.started));
        json.attribute("end", inCycles(op.freed));
        json.attribute("line", op.line);
        json.attribute("item", op.item);
        if (op.hasWaited)
          json.attribute("cause", getName(op.cause));
      });
  });
  json.attributeArray("lives", [&] {
    for (const Lifetime &life : timeline.getLifetimes())
      json.object([&] {
        json.attribute("core", life.core);
        json.attribute("space", int(life.space));
        json.attribute("begin", life.begin);
        json.attribute("size", life.size);
        json.attribute("from", inCycles(life.from));
        json.attribute("to", inCycles(life.to));
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
        json.attributeArray("shares", [&] {
          json.value(double(time.busy) / total);
          for (Time stall : time.stalls)
            json.value(double(stall) / total);
        });
      });
    }
  });
}

static void writeRoofline(const Machine &machine, const Summary &summary,
                          OStream &json) {
  double share = summary.computeShare;
  json.attributeObject("roofline", [&] {
    json.attribute("peak", share > 0 ? summary.teraflops / share : 1);
    json.attribute("bandwidth", machine.dramBandwidthGbPerS);
    json.attribute("flops", summary.teraflops);
    json.attribute("intensity", summary.intensity);
  });
}

void sim::writeHtml(const Machine &machine, const Result &result,
                    const TimelineRecorder &timeline,
                    llvm::ArrayRef<SweepPoint> sweep, llvm::raw_ostream &out) {
  std::string text;
  llvm::raw_string_ostream textOut(text);
  writeText(machine, result, textOut);
  std::string dataText;
  llvm::raw_string_ostream dataOut(dataText);
  OStream json(dataOut);
  json.object([&] {
    json.attribute("summary", text);
    writeTimeline(timeline, json);
    writeStalls(result, json);
    writeRoofline(machine, summarise(machine, result), json);
    json.attributeArray("tensors", [&] {
      for (const TensorTraffic &tensor : result.tensors)
        json.object([&] {
          json.attribute("name", tensor.name);
          json.attribute("loaded", tensor.bytesLoaded);
          json.attribute("stored", tensor.bytesStored);
        });
    });
    json.attributeArray("sweep", [&] {
      for (const SweepPoint &point : sweep)
        json.object([&] {
          json.attribute("extent", point.extent);
          json.attribute("cycles", point.cycles);
          json.attribute("share", point.computeShare);
        });
    });
  });
  out << htmlHead;
  // Nothing in the data may end the script it stands in.
  for (char letter : dataText) {
    if (letter == '<')
      out << "\\u003c";
    else
      out << letter;
  }
  out << htmlTail;
}
