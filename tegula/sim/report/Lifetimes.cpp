// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/Lifetimes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace tegula;
using namespace tegula::sim;

std::vector<Lifetime> sim::getLifetimes(llvm::ArrayRef<LoggedOp> ops) {
  std::vector<Lifetime> lives;
  // Of each slot, by core, space and first byte, what it holds now.
  std::map<std::tuple<int32_t, uint8_t, int64_t>, size_t> live;
  for (auto [index, logged] : llvm::enumerate(ops)) {
    const TegulaTraceOp &op = logged.op;
    for (unsigned read = 0; read < op.numReads; ++read) {
      const TegulaTraceRange &range = op.reads[read];
      auto found = live.find({logged.core, range.space, range.begin});
      if (found != live.end()) {
        Lifetime &life = lives[found->second];
        life.to = std::max(life.to, logged.freed);
      }
    }
    for (unsigned write = 0; write < op.numWrites; ++write) {
      const TegulaTraceRange &range = op.writes[write];
      if (range.space == TegulaTraceShared)
        continue;
      auto [entry, isNew] = live.try_emplace(
          {logged.core, range.space, range.begin}, lives.size());
      if (!isNew && (op.flags & TegulaTraceAccumulate)) {
        Lifetime &life = lives[entry->second];
        life.to = std::max(life.to, logged.ready);
        continue;
      }
      entry->second = lives.size();
      lives.push_back({index, logged.core, range.space, range.begin, range.size,
                       logged.started, logged.ready});
    }
  }
  return lives;
}
