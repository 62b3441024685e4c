// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteTrace.h"

#include "tegula/sim/report/Bandwidth.h"
#include "tegula/sim/report/DescribeOp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace tegula;
using namespace tegula::sim;
using llvm::format;

/// Viewers count whole nanoseconds. Rounding moments, not durations, keeps
/// neighbours apart.
static int64_t toNanoseconds(Time time) { return time * 1000 / ticksPerCycle; }

namespace {

/// Writes one timeline.
class TraceWriter {
public:
  TraceWriter(const ReportedRun &run, const OpLog &log, llvm::raw_ostream &out)
      : run(run), ops(log.getOps()), linkUses(log.getLinkUses()), out(out) {}

  void write();

private:
  using Track = std::pair<int32_t, Unit>;

  void writeNames();
  void writeSlice(const LoggedOp &logged);
  void writeArrows();
  void writeBandwidth(int32_t core, Unit unit, const char *name);
  void writeLiveBytes();
  void writeLinks();
  std::string getCoreName(int32_t core) const;
  void beginEvent(const char *phase, Track track, Time time);
  void writeMicroseconds(const char *name, int64_t nanoseconds);
  /// Viewers keep process and thread 0 for themselves.
  static int getProcess(int32_t core) { return core + 1; }
  static int getThread(Track track) {
    return getProcess(track.first) * 16 + int(track.second);
  }

  const ReportedRun &run;
  llvm::ArrayRef<LoggedOp> ops;
  llvm::ArrayRef<LinkUse> linkUses;
  llvm::raw_ostream &out;
  /// Operations of each track, by their start.
  std::map<Track, std::vector<const LoggedOp *>> tracks;
  const char *separator = "\n";
};

} // namespace

void TraceWriter::writeMicroseconds(const char *name, int64_t nanoseconds) {
  out << format(",\"%s\":%lld.%03lld", name, (long long)(nanoseconds / 1000),
                (long long)(nanoseconds % 1000));
}

void TraceWriter::beginEvent(const char *phase, Track track, Time time) {
  out << separator
      << format("{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", phase,
                getProcess(track.first), getThread(track));
  writeMicroseconds("ts", toNanoseconds(time));
  separator = ",\n";
}

std::string TraceWriter::getCoreName(int32_t core) const {
  int64_t perChip = run.machine.cores;
  std::string name = "core " + std::to_string(core % perChip);
  return run.result.chips.empty()
             ? name
             : "chip " + std::to_string(core / perChip) + " " + name;
}

void TraceWriter::writeNames() {
  auto writeName = [&](const char *kind, Track track, llvm::StringRef name) {
    beginEvent("M", track, 0);
    out << format(",\"name\":\"%s\",\"args\":{\"name\":", kind)
        << llvm::json::Value(name) << "}}";
  };
  int32_t last = -1;
  for (const auto &[track, slices] : tracks) {
    if (track.first != last)
      writeName("process_name", track, getCoreName(track.first));
    last = track.first;
    writeName("thread_name", track, getName(track.second));
    beginEvent("M", track, 0);
    out << format(",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d"
                  "}}",
                  getThread(track));
  }
}

void TraceWriter::writeSlice(const LoggedOp &logged) {
  const TegulaTraceOp &op = logged.op;
  int64_t start = toNanoseconds(logged.started);
  beginEvent("X", {logged.core, logged.unit}, logged.started);
  writeMicroseconds("dur", toNanoseconds(logged.freed) - start);
  out << ",\"name\":" << llvm::json::Value(logged.name)
      << format(",\"args\":{\"source line\":%d,\"tile\":\"%d, %d, %d\",\"work "
                "item\":%lld",
                op.line, op.tile[0], op.tile[1], op.tile[2],
                (long long)logged.item);
  writeMicroseconds("result after",
                    toNanoseconds(logged.ready) - toNanoseconds(logged.freed));
  if (int64_t bytes = getTransferBytes(op))
    out << format(",\"bytes\":%lld", (long long)bytes);
  if (logged.waitedFor >= 0)
    out << ",\"waited for\":" << llvm::json::Value(getName(logged.cause));
  out << "}}";
}

/// An arrow begins in the last tick of a slice, so that viewers find it there.
void TraceWriter::writeArrows() {
  std::map<std::pair<int32_t, int64_t>, const LoggedOp *> known;
  for (const LoggedOp &logged : ops)
    known[{logged.core, logged.id}] = &logged;
  long long arrow = 0;
  for (const auto &[track, slices] : tracks)
    for (const LoggedOp *logged : slices) {
      auto source = known.find({logged->core, logged->waitedFor});
      if (logged->waitedFor < 0 || source == known.end())
        continue;
      const LoggedOp &from = *source->second;
      ++arrow;
      beginEvent("s", {from.core, from.unit},
                 std::max(from.started, from.freed - 1));
      out << format(",\"id\":%lld,\"name\":\"wait\",\"cat\":\"wait\"}", arrow);
      beginEvent("f", track, logged->started);
      out << format(",\"id\":%lld,\"name\":\"wait\",\"cat\":\"wait\",\"bp\":"
                    "\"e\"}",
                    arrow);
    }
}

void TraceWriter::writeBandwidth(int32_t core, Unit unit, const char *name) {
  if (!tracks.count({core, unit}))
    return;
  Bandwidth bandwidth = getBandwidth(ops, run.machine, core, unit,
                                     ops.back().ready, /*numSpans=*/1000);
  std::vector<double> &rates = bandwidth.gigabytesPerSecond;
  rates.push_back(0);
  for (size_t span = 0; span < rates.size(); ++span) {
    if (span > 0 && rates[span] == rates[span - 1])
      continue;
    beginEvent("C", {core, unit}, Time(span) * bandwidth.span);
    out << format(",\"name\":\"%s\",\"args\":{\"GB/s\":%.3f}}", name,
                  rates[span]);
  }
}

void TraceWriter::writeLiveBytes() {
  for (const LoggedOp &logged : ops) {
    beginEvent("C", {logged.core, logged.unit}, logged.ready);
    out << format(",\"name\":\"bytes held\",\"args\":{\"bytes\":%lld}}",
                  (long long)logged.liveBytes);
  }
}

/// After the cores there is a process for each chip, with a track for each link
/// that leaves it.
void TraceWriter::writeLinks() {
  auto numCores = int64_t(run.result.cores.size());
  auto begin = [&](const char *phase, int64_t from, int64_t thread, Time time) {
    out << separator
        << format("{\"ph\":\"%s\",\"pid\":%lld,\"tid\":%lld", phase,
                  (long long)(numCores + from + 1), (long long)thread);
    writeMicroseconds("ts", toNanoseconds(time));
    separator = ",\n";
  };
  std::map<std::pair<int64_t, int64_t>, int64_t> threads;
  for (const LinkTraffic &link : run.result.links) {
    auto thread = int64_t((numCores + 1) * 16 + int64_t(threads.size()));
    threads[{link.from, link.to}] = thread;
    begin("M", link.from, thread, 0);
    out << format(",\"name\":\"process_name\",\"args\":{\"name\":\"chip %lld "
                  "links\"}}",
                  (long long)link.from);
    begin("M", link.from, thread, 0);
    out << format(",\"name\":\"thread_name\",\"args\":{\"name\":\"to chip "
                  "%lld\"}}",
                  (long long)link.to);
  }
  for (const LinkUse &use : linkUses) {
    begin("X", use.from, threads[{use.from, use.to}], use.start);
    writeMicroseconds("dur", toNanoseconds(use.end) - toNanoseconds(use.start));
    out << format(",\"name\":\"%lld B\"}", (long long)use.bytes);
  }
}

void TraceWriter::write() {
  for (const LoggedOp &logged : ops)
    tracks[{logged.core, logged.unit}].push_back(&logged);
  for (auto &[track, slices] : tracks)
    llvm::sort(slices, [](const LoggedOp *lhs, const LoggedOp *rhs) {
      return std::pair(lhs->started, lhs->id) <
             std::pair(rhs->started, rhs->id);
    });
  out << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kernel\":"
      << llvm::json::Value(getTitle(run))
      << ",\"machine\":" << llvm::json::Value(run.machine.name)
      << ",\"unit\":\"a microsecond is a cycle\"},\"traceEvents\":[";
  writeNames();
  for (const auto &[track, slices] : tracks)
    for (const LoggedOp *logged : slices)
      writeSlice(*logged);
  writeArrows();
  for (int32_t core = 0; core < int32_t(run.result.cores.size()); ++core) {
    writeBandwidth(core, Unit::DmaIn, "read bandwidth");
    writeBandwidth(core, Unit::DmaOut, "write bandwidth");
    writeBandwidth(core, Unit::VectorIn, "vector read bandwidth");
    writeBandwidth(core, Unit::VectorOut, "vector write bandwidth");
  }
  writeLiveBytes();
  writeLinks();
  out << "\n]}\n";
}

void sim::writeTrace(const ReportedRun &run, const OpLog &log,
                     llvm::raw_ostream &out) {
  TraceWriter(run, log, out).write();
}
