// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpList.h"
#include "tegula/sim/programs/Gemm.h"
#include "tegula/sim/report/Lifetimes.h"
#include "tegula/sim/report/Summary.h"
#include "tegula/sim/report/WriteComparison.h"
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

static ReportedRun makeRun(const Machine &machine,
                           const SimulateOptions &options = {}) {
  return {
      "gemm",
      {"M", "N", "K"},
      {512, 512, 512},
      machine,
      simulateWell(machine, Gemm({512, 512, 512}, {256, 256, 128}), options),
      {"written by hand"}};
}

/// What `write` writes.
template <typename Write> static std::string collect(Write write) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out);
  return text;
}

TEST(WriteText, EveryUnitAddsUpToAHundred) {
  ReportedRun run = makeRun(makeReportMachine());
  std::string text =
      collect([&](llvm::raw_ostream &out) { writeText(run, out); });
  std::regex unitLine("\n[a-z ]{9} +([0-9.]+) +[0-9.]+  ([^\n]*[0-9])(?=\n)");
  int units = 0;
  for (std::sregex_iterator line(text.begin(), text.end(), unitLine), end;
       line != end; ++line, ++units) {
    double sum = std::stod((*line)[1]);
    std::string causes = (*line)[2];
    std::regex number("[a-z] ([0-9.]+)");
    for (std::sregex_iterator at(causes.begin(), causes.end(), number), last;
         at != last; ++at)
      sum += std::stod((*at)[1]);
    EXPECT_NEAR(sum, 100, 1e-9) << (*line)[0];
  }
  EXPECT_EQ(units, 4);
  EXPECT_THAT(text, HasSubstr("gemm M=512 N=512 K=512 on small"));
  EXPECT_THAT(text, HasSubstr("bound by   dram"));
  EXPECT_THAT(text, HasSubstr("note       written by hand"));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24);
}

TEST(Summary, RoundedPartsAddUp) {
  EXPECT_EQ(toTenthsOfPercent({1, 1, 1}),
            (std::vector<int64_t>{334, 333, 333}));
  EXPECT_EQ(toTenthsOfPercent({0, 7}), (std::vector<int64_t>{0, 1000}));
  EXPECT_EQ(toTenthsOfPercent({0, 0}), (std::vector<int64_t>{0, 0}));
}

TEST(Summary, UsefulTimeIsWorkAtTheFullRate) {
  // Of the cells of an array a quarter is used, and of the lanes a half.
  Machine machine = makeBareMachine();
  OpList list({{makeMatmul(1000, 64, 64), makeVector(1, 512)}});
  Result result = simulateWell(machine, list);
  EXPECT_EQ(result.cores[0][Unit::Matrix].useful, fromCycles(int64_t(250)));
  EXPECT_EQ(result.cores[0][Unit::Vector].useful, ticksPerCycle / 2);
  EXPECT_EQ(result.cores[0][Unit::Vector].busy, ticksPerCycle);
}

TEST(Summary, ShortKernelsAreBoundByTheirLaunch) {
  Machine machine = makeBareMachine();
  machine.launchCycles = 1000;
  OpList list({{makeVector(10, 1024)}});
  Summary summary = summarise(machine, simulateWell(machine, list));
  EXPECT_EQ(summary.bound, Bound::Launch);
  EXPECT_NEAR(summary.boundShare, 1000.0 / 1010, 1e-9);
}

TEST(WriteComparison, HasTheRatio) {
  Machine machine = makeReportMachine();
  Machine fast = machine;
  fast.coreClockMhz *= 2;
  ReportedRun run = makeRun(machine), changed = makeRun(fast);
  changed.result.total = run.result.total / 2;
  std::string text = collect([&](llvm::raw_ostream &out) {
    writeComparison(run, changed, "core_clock=x2", out);
  });
  EXPECT_THAT(text, HasSubstr("what if core_clock=x2"));
  EXPECT_TRUE(std::regex_search(text, std::regex("cycles +\\d+ +\\d+ +x0.500")))
      << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("time .*x0.250"))) << text;
}

TEST(Summary, AgreesWithTheShapeOfTheMatmul) {
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
    ReportedRun run = makeRun(machine);
    return collect(
        [&](llvm::raw_ostream &out) { writeJson(run, &run, "cores=2", out); });
  };
  std::string text = write();
  EXPECT_EQ(text, write());
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &root = *json->getAsObject();
  EXPECT_EQ(root.getInteger("tegula_simulation"), jsonVersion);
  EXPECT_EQ(root.getString("what_if"), "cores=2");
  EXPECT_EQ(root.getObject("machine")->getString("noc"), "crossbar");
  const llvm::json::Object &run = *(*root.getArray("runs"))[0].getAsObject();
  EXPECT_EQ(run.getObject("extents")->getInteger("N"), 512);
  EXPECT_EQ(run.getArray("cores")->size(), 2u);
  EXPECT_EQ(run.getObject("summary")->getString("bound"), "dram");
  EXPECT_EQ(*run.getObject("changed")->getObject("summary"),
            *run.getObject("summary"));
}

TEST(WriteHtml, StandsAloneAndItsDataParses) {
  Machine machine = makeReportMachine();
  machine.name = "</script>";
  OpLog log(30);
  SimulateOptions options;
  options.observer = &log;
  ReportedRun run = makeRun(machine, options);
  std::string html = collect(
      [&](llvm::raw_ostream &out) { writeHtml(run, log, nullptr, out); });
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
  for (const llvm::json::Value &unit : *data.getArray("stalls")) {
    double sum = 0;
    for (const llvm::json::Value &share :
         *unit.getAsObject()->getArray("shares"))
      sum += *share.getAsNumber();
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(Lifetimes, BuffersLiveFromTheirWriteToTheirLastRead) {
  Machine machine = makeBareMachine();
  TegulaTraceOp add = makeVector(100, 1024);
  addRead(add, makeRange(0, 1000), 1000, /*isLast=*/true);
  addWrite(add, makeRange(2000, 100), 100);
  OpList list({{makeTransfer(TegulaTraceLoad, 0, 1000, 0), add}});
  OpLog log(10);
  SimulateOptions options;
  options.observer = &log;
  Result result = simulateWell(machine, list, options);
  EXPECT_FALSE(log.isCut());
  std::vector<Lifetime> lives = getLifetimes(log.getOps());
  ASSERT_EQ(lives.size(), 2u);
  EXPECT_EQ(lives[0].from, 0);
  EXPECT_EQ(lives[0].to, result.total);
  EXPECT_EQ(lives[0].writer, 0u);
  EXPECT_EQ(lives[1].to - lives[1].from, fromCycles(int64_t(100)));
}
