// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A timeline for Perfetto or chrome://tracing, written while the run goes on:
/// a track per core and unit, arrows from what an operation waited for, and
/// counters of bytes moved and bytes held.

#ifndef TEGULA_SIM_REPORT_TRACEWRITER_H
#define TEGULA_SIM_REPORT_TRACEWRITER_H

#include "tegula/sim/engine/Observer.h"
#include "llvm/Support/raw_ostream.h"
#include <unordered_map>

namespace tegula::sim {

/// What of a run is written.
struct TraceOptions {
  /// Operations that are not done between these times are left out.
  Time from = 0;
  Time to = INT64_MAX;
  /// After so many operations no more are written.
  int64_t maxOps = 1000000;
};

/// Writes operations as they become known. A cycle is a microsecond there.
class TraceWriter : public Observer {
public:
  TraceWriter(const Machine &machine, llvm::raw_ostream &out,
              const TraceOptions &options = {});
  /// Ends the file.
  ~TraceWriter() override;

  void onOp(const OpRecord &record) override;

private:
  void writeHeader(const Machine &machine);
  void writeSlice(const OpRecord &record);
  void writeArrow(const OpRecord &record);
  void writeCounters(const OpRecord &record);
  void begin(const char *phase, int32_t core, Unit unit, Time time);

  llvm::raw_ostream &out;
  TraceOptions options;
  int64_t numWritten = 0;
  int64_t bytesMoved = 0;
  /// Where arrows may start: the units and ends of the last operations.
  struct End {
    int64_t id = -1;
    Unit unit = Unit::DmaIn;
    Time time = 0;
  };
  static constexpr int64_t numEnds = 4096;
  std::unordered_map<int32_t, std::vector<End>> ends;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_TRACEWRITER_H
