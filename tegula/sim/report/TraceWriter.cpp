// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/TraceWriter.h"

#include "tegula/sim/report/DescribeOp.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;

TraceWriter::TraceWriter(const Machine &machine, llvm::raw_ostream &out,
                         const TraceOptions &options)
    : out(out), options(options) {
  writeHeader(machine);
}

TraceWriter::~TraceWriter() { out << "\n]}\n"; }

void TraceWriter::writeHeader(const Machine &machine) {
  out << "{\"otherData\":{\"machine\":" << llvm::json::Value(machine.name)
      << ",\"unit\":\"a microsecond is a cycle\"},\"traceEvents\":[";
  const char *separator = "\n";
  for (int32_t core = 0; core < machine.cores; ++core) {
    out << separator
        << format("{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\","
                  "\"args\":{\"name\":\"core %d\"}}",
                  core, core);
    separator = ",\n";
    for (unsigned unit = 0; unit < numUnits; ++unit)
      out << separator
          << format("{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"name\":"
                    "\"thread_name\",\"args\":{\"name\":",
                    core, unit)
          << llvm::json::Value(getName(Unit(unit))) << "}}";
  }
}

static double inCycles(Time time) { return double(time) / ticksPerCycle; }

void TraceWriter::begin(const char *phase, int32_t core, Unit unit, Time time) {
  out << ",\n"
      << format("{\"ph\":\"%s\",\"pid\":%d,\"tid\":%u,\"ts\":%.3f", phase, core,
                unsigned(unit), inCycles(time));
}

void TraceWriter::writeSlice(const OpRecord &record) {
  const TegulaTraceOp &op = record.op;
  begin("X", record.core, record.unit, record.started);
  out << format(",\"dur\":%.3f,\"name\":",
                inCycles(record.freed - record.started))
      << llvm::json::Value(describeOp(record))
      << format(",\"args\":{\"line\":%d,\"tile\":[%d,%d,%d],\"item\":%lld,"
                "\"ready\":%.3f",
                op.line, op.tile[0], op.tile[1], op.tile[2],
                (long long)record.item, inCycles(record.ready));
  if (int64_t bytes = getTransferBytes(op))
    out << format(",\"bytes\":%lld", (long long)bytes);
  if (record.waitedFor >= 0)
    out << ",\"waited for\":" << llvm::json::Value(getName(record.cause));
  out << "}}";
}

void TraceWriter::writeArrow(const OpRecord &record) {
  std::vector<End> &known = ends[record.core];
  known.resize(numEnds);
  if (record.waitedFor >= 0) {
    const End &source = known[record.waitedFor % numEnds];
    if (source.id == record.waitedFor) {
      auto id = (long long)(record.id * 4096 + record.core);
      begin("s", record.core, source.unit, source.time);
      out << format(",\"id\":%lld,\"name\":\"wait\",\"cat\":\"wait\"}", id);
      begin("f", record.core, record.unit, record.started);
      out << format(",\"id\":%lld,\"name\":\"wait\",\"cat\":\"wait\","
                    "\"bp\":\"e\"}",
                    id);
    }
  }
  known[record.id % numEnds] = {record.id, record.unit,
                                std::max(record.started, record.freed - 1)};
}

void TraceWriter::writeCounters(const OpRecord &record) {
  if (int64_t bytes = getTransferBytes(record.op)) {
    bytesMoved += bytes;
    begin("C", record.core, record.unit, record.ready);
    out << format(",\"name\":\"megabytes moved\",\"args\":{\"MB\":%.6f}}",
                  double(bytesMoved) / 1e6);
  }
  begin("C", record.core, record.unit, record.ready);
  out << format(",\"name\":\"scratchpad\",\"args\":{\"bytes\":%lld}}",
                (long long)record.liveBytes);
}

void TraceWriter::onOp(const OpRecord &record) {
  if (record.ready < options.from || record.started > options.to ||
      numWritten == options.maxOps)
    return;
  ++numWritten;
  writeSlice(record);
  writeArrow(record);
  writeCounters(record);
}
