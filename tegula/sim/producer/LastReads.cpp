// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/LastReads.h"

using namespace tegula;
using namespace tegula::sim;

static uint64_t keyOf(const TegulaTraceRange &range) {
  return uint64_t(range.space) << 32 | range.begin;
}

void LastReads::mark(const Read &read, Find find) {
  if (TegulaTraceOp *op = find(read.number))
    op->reads[read.range].isLast = 1;
}

void LastReads::add(int64_t number, const TegulaTraceOp &op, Find find) {
  for (unsigned range = 0; range < op.numReads; ++range)
    reads[keyOf(op.reads[range])] = {number, range};
  if (op.flags & TegulaTraceAccumulate)
    return;
  for (unsigned range = 0; range < op.numWrites; ++range) {
    auto found = reads.find(keyOf(op.writes[range]));
    if (found == reads.end())
      continue;
    // What is computed in the place of what is read lives on.
    if (found->second.number != number)
      mark(found->second, find);
    reads.erase(found);
  }
}

void LastReads::end(Find find) {
  for (const auto &[key, read] : reads)
    mark(read, find);
  reads.clear();
}
