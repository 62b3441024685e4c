// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/TimelineRecorder.h"

#include "tegula/sim/report/DescribeOp.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

void TimelineRecorder::onOp(const OpRecord &record) {
  if (ops.size() == maxOps) {
    hasMore = true;
    return;
  }
  const TegulaTraceOp &op = record.op;
  ops.push_back({describeOp(record), record.core, record.unit, record.started,
                 record.freed, op.line, record.item, record.waitedFor >= 0,
                 record.cause});
  for (unsigned read = 0; read < op.numReads; ++read) {
    const TegulaTraceRange &range = op.reads[read];
    auto found = open.find({record.core, range.space, range.begin});
    if (found != open.end())
      found->second.to = std::max(found->second.to, record.freed);
  }
  for (unsigned write = 0; write < op.numWrites; ++write) {
    const TegulaTraceRange &range = op.writes[write];
    Lifetime life{record.core, range.space,    range.begin,
                  range.size,  record.started, record.ready};
    auto [entry, isNew] =
        open.try_emplace({record.core, range.space, range.begin}, life);
    if (isNew)
      continue;
    if (op.flags & TegulaTraceAccumulate) {
      entry->second.to = std::max(entry->second.to, record.ready);
    } else {
      closed.push_back(entry->second);
      entry->second = life;
    }
  }
}

std::vector<Lifetime> TimelineRecorder::getLifetimes() const {
  std::vector<Lifetime> all = closed;
  for (const auto &[place, life] : open)
    all.push_back(life);
  return all;
}
