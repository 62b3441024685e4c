// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/Signals.h"

using namespace tegula;
using namespace tegula::sim;

void Signals::send(int64_t chip, const TegulaTraceOp &notify) {
  auto sendTo = [&](int64_t target) {
    Change change{notify.base, notify.rows,
                  (notify.flags & TegulaTraceSet) != 0};
    auto index = int32_t(changes.size());
    if (unused.empty()) {
      changes.push_back(change);
    } else {
      index = unused.back();
      unused.pop_back();
      changes[index] = change;
    }
    events.push(events.now() + links.getLatency(chip, target),
                EventKind::Signalled, int32_t(target), index);
  };
  if (notify.peer > 0)
    return sendTo(notify.peer - 1);
  for (size_t target = 0; target < values.size(); ++target)
    sendTo(int64_t(target));
}

void Signals::arrive(int64_t chip, int32_t index) {
  const Change &change = changes[index];
  int32_t &value = values[chip][change.signal];
  // Overflows wrap around, as those of memory do.
  value = change.isSet ? change.value
                       : int32_t(uint32_t(value) + uint32_t(change.value));
  unused.push_back(index);
}

int32_t Signals::getValue(int64_t chip, int64_t signal) const {
  auto found = values[chip].find(signal);
  return found == values[chip].end() ? 0 : found->second;
}

bool Signals::isMet(int64_t chip, const TegulaTraceOp &wait) const {
  int32_t value = getValue(chip, wait.base);
  return wait.flags & TegulaTraceEqual ? value == wait.rows
                                       : value >= wait.rows;
}
