// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/Bandwidth.h"

#include "tegula/sim/cost/ArrayCycles.h"
#include "tegula/sim/report/DescribeOp.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

Bandwidth sim::getBandwidth(llvm::ArrayRef<LoggedOp> ops,
                            const Machine &machine, int32_t core, Unit unit,
                            Time end, int64_t numSpans) {
  Bandwidth bandwidth;
  bandwidth.span = std::max(ticksPerCycle, ceilDiv(end, numSpans));
  std::vector<double> &bytes = bandwidth.gigabytesPerSecond;
  bytes.resize(size_t(ceilDiv(std::max<Time>(1, end), bandwidth.span)));
  // The engine asks for the next transfer while one is still on its way, but
  // memory serves them in their order.
  Time served = 0;
  for (const LoggedOp &logged : ops) {
    if (logged.core != core || logged.unit != unit)
      continue;
    auto moved = double(getTransferBytes(logged.op));
    Time from = std::min(std::max(logged.started, served), logged.ready - 1);
    served = std::max(served, logged.ready);
    for (Time at = from; at < logged.ready;) {
      Time next =
          std::min((at / bandwidth.span + 1) * bandwidth.span, logged.ready);
      size_t index = std::min(size_t(at / bandwidth.span), bytes.size() - 1);
      bytes[index] += moved * double(next - at) / double(logged.ready - from);
      at = next;
    }
  }
  double seconds =
      double(bandwidth.span) / ticksPerCycle / (machine.coreClockMhz * 1e6);
  for (double &each : bytes)
    each = each / seconds * 1e-9;
  return bandwidth;
}
