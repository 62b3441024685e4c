// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpList.h"
#include "tegula/sim/programs/Gemm.h"
#include "tegula/sim/report/Bandwidth.h"
#include "tegula/sim/report/WriteTrace.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"
#include <map>
#include <numeric>
#include <set>

using namespace tegula;
using namespace tegula::sim;
using llvm::json::Object;

namespace {

/// The events of the timeline of a matmul on two cores.
class Trace : public testing::Test {
protected:
  void SetUp() override {
    Machine machine = makeBareMachine();
    machine.cores = 2;
    machine.weightSlotsPerArray = 2;
    machine.launchCycles = 100;
    machine.coreClockMhz = 940;
    machine.arrayEfficiency = 0.93;
    OpLog log(1000);
    SimulateOptions options;
    options.observer = &log;
    ReportedRun run{"gemm", {"M"}, {512}, machine, {}, {}};
    run.result =
        simulateWell(machine, Gemm({512, 500, 512}, {256, 256, 128}), options);
    numOps = log.getOps().size();
    std::string text;
    llvm::raw_string_ostream out(text);
    writeTrace(run, log, out);
    llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
    ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    json = std::move(*parsed);
    for (const llvm::json::Value &event :
         *json.getAsObject()->getArray("traceEvents"))
      events[event.getAsObject()->getString("ph")->str()].push_back(
          event.getAsObject());
  }

  using Track = std::pair<int64_t, int64_t>;
  static Track getTrack(const Object &event) {
    return {*event.getInteger("pid"), *event.getInteger("tid")};
  }

  llvm::json::Value json = nullptr;
  size_t numOps = 0;
  /// By kind.
  std::map<std::string, std::vector<const Object *>> events;
};

} // namespace

TEST_F(Trace, SlicesOfATrackFollowEachOther) {
  // Four tiles of four steps with two loads and a matmul, and a store.
  EXPECT_EQ(numOps, 4u * (4 * 3 + 1));
  EXPECT_EQ(events["X"].size(), numOps);
  std::map<Track, int64_t> ends;
  for (const Object *event : events["X"]) {
    // Whole nanoseconds, so that nothing is lost in comparing.
    int64_t start = std::llround(*event->getNumber("ts") * 1000);
    int64_t duration = std::llround(*event->getNumber("dur") * 1000);
    EXPECT_GE(duration, 0);
    EXPECT_GE(start, ends[getTrack(*event)]);
    ends[getTrack(*event)] = start + duration;
    EXPECT_TRUE(event->getObject("args")->getInteger("source line"));
    EXPECT_TRUE(event->getObject("args")->getString("tile"));
  }
  EXPECT_EQ(ends.size(), 2u * 3);
}

TEST_F(Trace, EveryTrackHasANameAndIsNotTheViewersOwn) {
  std::set<Track> named, used;
  for (const Object *event : events["M"])
    if (event->getString("name") == "thread_name")
      named.insert(getTrack(*event));
  for (const Object *event : events["X"])
    used.insert(getTrack(*event));
  EXPECT_EQ(named, used);
  for (auto [process, thread] : used) {
    EXPECT_GT(process, 0);
    EXPECT_GT(thread, 0);
  }
}

TEST_F(Trace, ArrowsHaveTwoEndsInSlicesAndGoForward) {
  // Where a slice ends it is over: an arrow there is the next one's.
  auto isInSlice = [&](const Object &end) {
    double time = *end.getNumber("ts");
    for (const Object *slice : events["X"]) {
      double start = *slice->getNumber("ts"), length = *slice->getNumber("dur");
      if (getTrack(*slice) == getTrack(end) &&
          (start == time || (start < time && time < start + length)))
        return true;
    }
    return false;
  };
  ASSERT_GT(events["s"].size(), 10u);
  ASSERT_EQ(events["s"].size(), events["f"].size());
  std::map<int64_t, const Object *> starts;
  for (const Object *start : events["s"]) {
    EXPECT_TRUE(starts.insert({*start->getInteger("id"), start}).second);
    EXPECT_TRUE(isInSlice(*start));
  }
  for (const Object *end : events["f"]) {
    auto start = starts.find(*end->getInteger("id"));
    ASSERT_NE(start, starts.end());
    EXPECT_LE(*start->second->getNumber("ts"), *end->getNumber("ts"));
    EXPECT_EQ(start->second->getString("cat"), end->getString("cat"));
    EXPECT_EQ(start->second->getString("name"), end->getString("name"));
    EXPECT_EQ(end->getString("bp"), "e");
    EXPECT_TRUE(isInSlice(*end));
    starts.erase(start);
  }
}

TEST_F(Trace, CountersGoForwardAndEndAtNothing) {
  std::map<std::pair<int64_t, std::string>, std::pair<double, double>> last;
  for (const Object *event : events["C"]) {
    auto &[time, value] =
        last[{*event->getInteger("pid"), event->getString("name")->str()}];
    EXPECT_GE(*event->getNumber("ts"), time);
    time = *event->getNumber("ts");
    value = *event->getObject("args")->begin()->second.getAsNumber();
    EXPECT_GE(value, 0);
  }
  EXPECT_EQ(last.size(), 2u * 3);
  for (const auto &[counter, end] : last)
    if (counter.second != "bytes held")
      EXPECT_EQ(end.second, 0) << counter.second;
}

TEST(Bandwidth, AddsUpToTheBytes) {
  Machine machine = makeBareMachine();
  OpLog log(1000);
  SimulateOptions options;
  options.observer = &log;
  Result result =
      simulateWell(machine, Gemm({512, 512, 512}, {256, 256, 128}), options);
  Bandwidth bandwidth =
      getBandwidth(log.getOps(), machine, 0, Unit::DmaIn, result.total, 100);
  double seconds = double(bandwidth.span) / ticksPerCycle / 1e9;
  double gigabytes = std::accumulate(bandwidth.gigabytesPerSecond.begin(),
                                     bandwidth.gigabytesPerSecond.end(), 0.0) *
                     seconds;
  EXPECT_NEAR(gigabytes * 1e9, double(result.dram.bytesRead), 1);
  for (double rate : bandwidth.gigabytesPerSecond)
    EXPECT_LE(rate, 1.05 * machine.dramBandwidthGbPerS);
}
