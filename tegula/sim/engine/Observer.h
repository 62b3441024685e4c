// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who wants to see every operation of a run, such as the writer of a
/// timeline. A run without one keeps nothing of what is done.

#ifndef TEGULA_SIM_ENGINE_OBSERVER_H
#define TEGULA_SIM_ENGINE_OBSERVER_H

#include "tegula/sim/engine/Unit.h"
#include "tegula/sim/memory/Links.h"
#include "tegula/support/TraceAbi.h"

namespace tegula::sim {

/// An operation that is done.
struct OpRecord {
  const TegulaTraceOp &op;
  const TegulaTraceKernel &kernel;
  /// Operations of a core are numbered as they come.
  int64_t id;
  int32_t core;
  Unit unit;
  int64_t item;
  /// When it entered its unit, when the unit could take the next, and when its
  /// result was there.
  Time started;
  Time freed;
  Time ready;
  /// Whom it waited for last, -1 for nobody, and why.
  int64_t waitedFor;
  Stall cause;
  /// Bytes of the core's memories that hold something, now.
  int64_t liveBytes;
};

/// Sees operations as they become ready, and links as they are used.
class Observer {
public:
  virtual ~Observer() = default;
  virtual void onOp(const OpRecord &record) = 0;
  virtual void onLinkUse(const LinkUse &) {}
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_OBSERVER_H
