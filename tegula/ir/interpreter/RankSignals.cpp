// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/RankSignals.h"

#include <cstring>

using namespace tegula::pl;

int32_t tegula::pl::readSignal(const char *signal) {
  int32_t value = 0;
  std::memcpy(&value, signal, sizeof(value));
  return value;
}

int32_t tegula::pl::changeSignal(char *signal, NotifyKind kind, int32_t value) {
  if (kind == NotifyKind::Add)
    value = static_cast<int32_t>(static_cast<uint32_t>(readSignal(signal)) +
                                 static_cast<uint32_t>(value));
  std::memcpy(signal, &value, sizeof(value));
  return value;
}

bool tegula::pl::isReached(WaitKind kind, int32_t value, int32_t expected) {
  return kind == WaitKind::Equal ? value == expected : value >= expected;
}

RankSignals::Changes &RankSignals::changesOf(const char *signal,
                                             int64_t ranks) {
  Changes &changes = signals[signal];
  int32_t value = readSignal(signal);
  // It starts as 0, and may be stored to as any memory.
  if (changes.empty() || changes.back().value != value)
    changes.push_back({value, -1, RankKnowledge(ranks)});
  return changes;
}

void RankSignals::deliver(const Notification &notification) {
  int64_t ranks = notification.knowledge.getCount();
  Changes &changes = changesOf(notification.signal, ranks);
  RankKnowledge known = notification.knowledge;
  // Who sees the sum sees what all did who added to it.
  if (notification.kind == NotifyKind::Add)
    known.join(changes.back().knowledge);
  int32_t value =
      changeSignal(notification.signal, notification.kind, notification.value);
  changes.push_back({value, notification.rank, std::move(known)});
}

void RankSignals::learn(int64_t rank, const char *signal, WaitKind kind,
                        int32_t expected, RankKnowledge &knowledge) {
  Changes &changes = changesOf(signal, knowledge.getCount());
  // Values before the last change that the rank knows of are gone.
  size_t first = changes.size() - 1;
  auto isKnown = [&](const Change &change) {
    return change.rank < 0 || change.rank == rank ||
           knowledge.windows.knows(change.rank,
                                   change.knowledge.windows[change.rank]);
  };
  while (first > 0 && !isKnown(changes[first]))
    --first;
  while (first + 1 < changes.size() &&
         !isReached(kind, changes[first].value, expected))
    ++first;
  knowledge.join(changes[first].knowledge);
  changes.erase(changes.begin(), changes.begin() + first);
}
