// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Keeps the first operations of a run, and uses of links, for what draws them.

#ifndef TEGULA_SIM_REPORT_OPLOG_H
#define TEGULA_SIM_REPORT_OPLOG_H

#include "tegula/sim/engine/Observer.h"
#include <string>
#include <vector>

namespace tegula::sim {

/// An operation that was done; OpRecord says what the times are.
struct LoggedOp {
  /// "multiply 512x512x128"
  std::string name;
  TegulaTraceOp op;
  int64_t id;
  int32_t core;
  Unit unit;
  int64_t item;
  Time started;
  Time freed;
  Time ready;
  /// -1 for nobody.
  int64_t waitedFor;
  Stall cause;
  int64_t liveBytes;
};

/// See the file comment. Operations are in the order in which they became
/// ready.
class OpLog : public Observer {
public:
  explicit OpLog(size_t maxOps) : maxOps(maxOps) {}

  void onOp(const OpRecord &record) override;
  void onLinkUse(const LinkUse &use) override {
    if (linkUses.size() < maxOps)
      linkUses.push_back(use);
  }

  const std::vector<LoggedOp> &getOps() const { return ops; }
  const std::vector<LinkUse> &getLinkUses() const { return linkUses; }
  /// Whether operations came after the last that was kept.
  bool isCut() const { return hasMore; }

private:
  size_t maxOps;
  bool hasMore = false;
  std::vector<LoggedOp> ops;
  std::vector<LinkUse> linkUses;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_OPLOG_H
