// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteChips.h"

#include "tegula/sim/report/FormatNumbers.h"
#include "tegula/sim/report/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;

/// In the order of Activity.
static constexpr llvm::StringLiteral activityNames[numActivities] = {
    "compute", "communication", "waiting", "other"};

/// Tables with more columns are for programs to read.
static constexpr int64_t mostColumns = 8;
static constexpr size_t mostLinks = 4;

static void writeActivities(const Result &result, llvm::raw_ostream &out) {
  out << "\nchip           cycles  compute %  communication %  waiting %  "
         "other %       sent   received\n";
  int64_t count = result.getNumChips();
  for (auto [index, chip] : llvm::enumerate(result.chips)) {
    std::vector<int64_t> tenths = toTenthsOfPercent(chip.activities);
    int64_t sent = 0, received = 0;
    for (int64_t other = 0; other < count; ++other) {
      sent += result.pairBytes[index * count + other];
      received += result.pairBytes[other * count + index];
    }
    out << format("%-9zu %11lld  %9.1f  %15.1f  %9.1f  %7.1f", index,
                  (long long)toCycles(chip.end), double(tenths[0]) / 10,
                  double(tenths[1]) / 10, double(tenths[2]) / 10,
                  double(tenths[3]) / 10)
        << llvm::right_justify(formatBytes(sent), 11)
        << llvm::right_justify(formatBytes(received), 11) << "\n";
  }
}

static void writePairs(const Result &result, llvm::raw_ostream &out) {
  int64_t count = result.getNumChips();
  if (count > mostColumns)
    return;
  out << "\nfrom\\to  ";
  for (int64_t to = 0; to < count; ++to)
    out << format("%11lld", (long long)to);
  out << "\n";
  for (int64_t from = 0; from < count; ++from) {
    out << format("%-9lld", (long long)from);
    for (int64_t to = 0; to < count; ++to) {
      int64_t bytes = result.pairBytes[from * count + to];
      out << llvm::right_justify(bytes ? formatBytes(bytes) : "-", 11);
    }
    out << "\n";
  }
  out << "\n";
}

static void writeLinks(const ReportedRun &run, llvm::raw_ostream &out) {
  std::vector<LinkTraffic> links = run.result.links;
  llvm::stable_sort(links, [](const LinkTraffic &lhs, const LinkTraffic &rhs) {
    return lhs.busy > rhs.busy;
  });
  for (const LinkTraffic &link : llvm::ArrayRef(links).take_front(mostLinks))
    out << format("link       %lld to %lld: ", (long long)link.from,
                  (long long)link.to)
        << formatBytes(link.bytes)
        << format(", busy %.1f %% of the time\n",
                  100 * double(link.busy) / double(run.result.total));
  if (links.size() > mostLinks)
    out << "           and " << links.size() - mostLinks << " less busy\n";
}

void sim::writeChips(const ReportedRun &run, llvm::raw_ostream &out) {
  if (run.result.chips.empty())
    return;
  writeActivities(run.result, out);
  writePairs(run.result, out);
  writeLinks(run, out);
}

void sim::writeChips(const Result &result, llvm::json::OStream &json) {
  if (result.chips.empty())
    return;
  auto inCycles = [](Time time) { return double(time) / ticksPerCycle; };
  json.attributeArray("chips", [&] {
    for (const ChipResult &chip : result.chips)
      json.object([&] {
        json.attribute("cycles", toCycles(chip.end));
        for (auto [name, time] : llvm::zip(activityNames, chip.activities))
          json.attribute(name, inCycles(time));
      });
  });
  json.attributeArray("links", [&] {
    for (const LinkTraffic &link : result.links)
      json.object([&] {
        json.attribute("from", link.from);
        json.attribute("to", link.to);
        json.attribute("bytes", link.bytes);
        json.attribute("busy", inCycles(link.busy));
        json.attribute("share", double(link.busy) / double(result.total));
      });
  });
  json.attributeArray("pair_bytes", [&] {
    int64_t count = result.getNumChips();
    for (int64_t from = 0; from < count; ++from)
      json.array([&] {
        for (int64_t to = 0; to < count; ++to)
          json.value(result.pairBytes[from * count + to]);
      });
  });
}
