// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The signals by which chips tell each other how far they are: numbers, each
/// chip has its own, that others change.

#ifndef TEGULA_SIM_ENGINE_SIGNALS_H
#define TEGULA_SIM_ENGINE_SIGNALS_H

#include "tegula/sim/engine/EventQueue.h"
#include "tegula/sim/memory/Links.h"
#include "tegula/support/TraceAbi.h"
#include <unordered_map>

namespace tegula::sim {

/// All signals of a run; each is 0 at first.
class Signals {
public:
  Signals(EventQueue &events, const Links &links, int64_t numChips)
      : events(events), links(links), values(numChips) {}

  /// A chip notifies another, or all, itself included: a change is on its way.
  void send(int64_t chip, const TegulaTraceOp &notify);
  /// A change that was on its way is there.
  void arrive(int64_t chip, int32_t index);

  int32_t getValue(int64_t chip, int64_t signal) const;
  /// Whether what `wait` waits for on that chip is so.
  bool isMet(int64_t chip, const TegulaTraceOp &wait) const;

private:
  struct Change {
    int64_t signal;
    int32_t value;
    bool isSet;
  };
  EventQueue &events;
  const Links &links;
  /// Of each chip, by what the signals are called.
  std::vector<std::unordered_map<int64_t, int32_t>> values;
  std::vector<Change> changes;
  /// Slots in `changes` that can be used again.
  std::vector<int32_t> unused;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_SIGNALS_H
