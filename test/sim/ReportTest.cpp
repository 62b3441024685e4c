// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpList.h"
#include "tegula/sim/programs/Gemm.h"
#include "tegula/sim/report/Summary.h"
#include "tegula/sim/report/TraceWriter.h"
#include "tegula/sim/report/WriteHtml.h"
#include "tegula/sim/report/WriteJson.h"
#include "tegula/sim/report/WriteText.h"
#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <regex>

using namespace tegula;
using namespace tegula::sim;
using testing::HasSubstr;

static Machine makeReportMachine() {
  Machine machine = makeBareMachine();
  machine.name = "small";
  machine.cores = 2;
  machine.weightSlotsPerArray = 2;
  machine.launchCycles = 100;
  machine.energyPjPerMac = 1;
  machine.energyPjPerDramByte = 10;
  return machine;
}

static std::string writeAsText(const Machine &machine, const Result &result) {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeText(machine, result, out);
  return text;
}

TEST(WriteText, EveryUnitAddsUpToAHundred) {
  Machine machine = makeReportMachine();
  Result result = simulateWell(machine, Gemm({512, 512, 512}, {256, 256, 128}));
  std::string text = writeAsText(machine, result);
  std::regex unitLine("\n  [a-z ]{9} +([0-9.]+) busy([^\n]*)");
  int units = 0;
  for (std::sregex_iterator line(text.begin(), text.end(), unitLine), end;
       line != end; ++line, ++units) {
    double sum = std::stod((*line)[1]);
    std::string causes = (*line)[2];
    std::regex number(", ([0-9.]+)");
    for (std::sregex_iterator at(causes.begin(), causes.end(), number), last;
         at != last; ++at)
      sum += std::stod((*at)[1]);
    EXPECT_NEAR(sum, 100, 0.5) << (*line)[0];
  }
  EXPECT_EQ(units, 4);
  EXPECT_THAT(text, HasSubstr("bound by   dram"));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40);
}

TEST(Summary, AgreesWithTheShapeOfTheProduct) {
  Machine machine = makeReportMachine();
  Result result = simulateWell(machine, Gemm({512, 512, 512}, {512, 512, 512}));
  Summary summary = summarise(machine, result);
  EXPECT_EQ(result.getMacs(), 512 * 512 * 512);
  EXPECT_DOUBLE_EQ(summary.intensity, 2.0 * 512 / (3 * 4));
  EXPECT_NEAR(summary.microseconds, double(summary.cycles) / 1000, 0.01);
  EXPECT_LE(summary.boundShare, 1);
  EXPECT_NEAR(result.energy.macs, 512.0 * 512 * 512 * 1e-12, 1e-12);
  EXPECT_NEAR(result.energy.dram, 3 * 512.0 * 512 * 4 * 10e-12, 1e-12);
}

TEST(WriteJson, ParsesAndRepeatsByteByByte) {
  Machine machine = makeReportMachine();
  auto write = [&] {
    std::string text;
    llvm::raw_string_ostream out(text);
    writeJson(machine,
              simulateWell(machine, Gemm({512, 512, 512}, {256, 256, 128})),
              out);
    return text;
  };
  std::string text = write();
  EXPECT_EQ(text, write());
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &root = *json->getAsObject();
  EXPECT_EQ(root.getInteger("tegula_simulation"), jsonVersion);
  EXPECT_EQ(root.getArray("cores")->size(), 2u);
  EXPECT_EQ(root.getObject("machine")->getString("noc"), "crossbar");
  EXPECT_EQ(root.getObject("summary")->getString("bound"), "dram");
}

/// The events of the timeline of a product.
static llvm::json::Array traceOf(const TraceOptions &options) {
  Machine machine = makeReportMachine();
  std::string text;
  llvm::raw_string_ostream out(text);
  {
    TraceWriter writer(machine, out, options);
    SimulateOptions simulateOptions;
    simulateOptions.observer = &writer;
    simulateWell(machine, Gemm({512, 512, 512}, {256, 256, 128}),
                 simulateOptions);
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json) {
    ADD_FAILURE() << llvm::toString(json.takeError());
    return {};
  }
  return std::move(*json->getAsObject()->getArray("traceEvents"));
}

static int count(const llvm::json::Array &events, llvm::StringRef phase) {
  int found = 0;
  for (const llvm::json::Value &event : events)
    found += event.getAsObject()->getString("ph") == phase;
  return found;
}

TEST(TraceWriter, HasASlicePerOperationAndPairsOfArrowEnds) {
  llvm::json::Array events = traceOf({});
  // Four tiles of four steps with two loads and a product, and a store.
  EXPECT_EQ(count(events, "X"), 4 * (4 * 3 + 1));
  EXPECT_EQ(count(events, "M"), 2 * (1 + int(numUnits)));
  EXPECT_GT(count(events, "s"), 10);
  EXPECT_EQ(count(events, "s"), count(events, "f"));
  EXPECT_GT(count(events, "C"), 4 * 13);
}

TEST(TraceWriter, SlicesOfAUnitDoNotOverlap) {
  llvm::json::Array events = traceOf({});
  std::map<std::pair<int64_t, int64_t>, std::map<double, double>> tracks;
  for (const llvm::json::Value &value : events) {
    const llvm::json::Object &event = *value.getAsObject();
    if (event.getString("ph") == "X")
      tracks[{*event.getInteger("pid"), *event.getInteger("tid")}]
            [*event.getNumber("ts")] = *event.getNumber("dur");
  }
  for (const auto &[track, slices] : tracks) {
    double end = 0;
    for (auto [start, duration] : slices) {
      EXPECT_GE(start, end - 0.01);
      end = start + duration;
    }
  }
}

TEST(TraceWriter, LeavesOutWhatIsOutsideItsTimes) {
  TraceOptions options;
  options.maxOps = 5;
  EXPECT_EQ(count(traceOf(options), "X"), 5);
  options = {};
  options.from = fromCycles(int64_t(4000));
  int some = count(traceOf(options), "X");
  EXPECT_GT(some, 0);
  EXPECT_LT(some, 4 * 13);
}

TEST(WriteHtml, StandsAloneAndItsDataParses) {
  Machine machine = makeReportMachine();
  machine.name = "</script>";
  TimelineRecorder timeline(30);
  SimulateOptions options;
  options.observer = &timeline;
  Result result =
      simulateWell(machine, Gemm({512, 512, 512}, {256, 256, 128}), options);
  std::string html;
  llvm::raw_string_ostream out(html);
  writeHtml(machine, result, timeline, {{128, 1000, 0.5}}, out);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(html.find("href="), std::string::npos);
  // The name of the machine does not end the script.
  EXPECT_EQ(html.find("</script>"), html.rfind("</script>"));
  size_t begin = html.find("const data = ") + 13;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(
      llvm::StringRef(html).slice(begin, html.find(";\nconst colours")));
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &data = *json->getAsObject();
  EXPECT_EQ(data.getArray("ops")->size(), 30u);
  EXPECT_EQ(data.getBoolean("isCut"), true);
  EXPECT_EQ(data.getArray("sweep")->size(), 1u);
  for (const llvm::json::Value &unit : *data.getArray("stalls")) {
    double sum = 0;
    for (const llvm::json::Value &share :
         *unit.getAsObject()->getArray("shares"))
      sum += *share.getAsNumber();
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(TimelineRecorder, BuffersLiveFromTheirWriteToTheirLastRead) {
  Machine machine = makeBareMachine();
  TegulaTraceOp add = makeVector(100, 1024);
  addRead(add, makeRange(0, 1000), 1000, /*isLast=*/true);
  addWrite(add, makeRange(2000, 100), 100);
  OpList list({{makeTransfer(TegulaTraceLoad, 0, 1000, 0), add}});
  TimelineRecorder timeline;
  SimulateOptions options;
  options.observer = &timeline;
  Result result = simulateWell(machine, list, options);
  std::vector<Lifetime> lives = timeline.getLifetimes();
  ASSERT_EQ(lives.size(), 2u);
  EXPECT_EQ(lives[0].from, 0);
  EXPECT_EQ(lives[0].to, result.total);
  EXPECT_EQ(lives[1].to - lives[1].from, fromCycles(int64_t(100)));
}
