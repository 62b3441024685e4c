// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/OpLog.h"

#include "tegula/sim/report/DescribeOp.h"

using namespace tegula;
using namespace tegula::sim;

void OpLog::onOp(const OpRecord &record) {
  if (ops.size() == maxOps) {
    hasMore = true;
    return;
  }
  ops.push_back({describeOp(record), record.op, record.id, record.core,
                 record.unit, record.item, record.started, record.freed,
                 record.ready, record.waitedFor, record.cause,
                 record.liveBytes});
}
