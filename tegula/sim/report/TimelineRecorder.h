// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Keeps what the HTML report draws: the first operations of a run, and from
/// when to when bytes of the scratchpads held something.

#ifndef TEGULA_SIM_REPORT_TIMELINERECORDER_H
#define TEGULA_SIM_REPORT_TIMELINERECORDER_H

#include "tegula/sim/engine/Observer.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tegula::sim {

/// An operation as it is drawn.
struct TimelineOp {
  std::string name;
  int32_t core;
  Unit unit;
  Time started;
  Time freed;
  int32_t line;
  int64_t item;
  bool hasWaited;
  Stall cause;
};

/// Bytes that held something for a while.
struct Lifetime {
  int32_t core;
  uint8_t space;
  int64_t begin;
  int64_t size;
  Time from;
  Time to;
};

/// See the file comment.
class TimelineRecorder : public Observer {
public:
  explicit TimelineRecorder(size_t maxOps = 20000) : maxOps(maxOps) {}

  void onOp(const OpRecord &record) override;

  const std::vector<TimelineOp> &getOps() const { return ops; }
  /// Whether operations came after the last that was kept.
  bool isCut() const { return hasMore; }
  /// Of the operations that were kept, those still open included.
  std::vector<Lifetime> getLifetimes() const;

private:
  size_t maxOps;
  bool hasMore = false;
  std::vector<TimelineOp> ops;
  std::vector<Lifetime> closed;
  /// By core, space and first byte.
  std::map<std::tuple<int32_t, uint8_t, int64_t>, Lifetime> open;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_TIMELINERECORDER_H
