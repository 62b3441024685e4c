// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The operations that one piece of code pushes, as a stream to pull from.

#ifndef TEGULA_SIM_PRODUCER_OPSTREAM_H
#define TEGULA_SIM_PRODUCER_OPSTREAM_H

#include "tegula/sim/producer/LastReads.h"
#include "tegula/sim/producer/RankProgram.h"
#include "tegula/support/Fiber.h"
#include "tegula/support/TraceAbi.h"
#include <functional>
#include <iterator>
#include <vector>

namespace tegula::sim {

/// What code asked to be launched.
struct LaunchRequest {
  TegulaTraceItem item;
  std::vector<int64_t> captured;
  int64_t count;
};

/// One stream. Its code runs only while it is pulled from.
class OpStream {
public:
  /// `body` is called with what it pushes to. `counters` are the counters of
  /// the core that the stream runs on.
  OpStream(TensorMap &tensors, RankProgram &ranks,
           std::function<void(TegulaTraceCall &)> body);
  OpStream(const OpStream &) = delete;
  OpStream &operator=(const OpStream &) = delete;

  /// Writes the next operations, `capacity` at most, and says how many. None
  /// if the code has ended or waits for a launch.
  int32_t pull(TegulaTraceOp *ops, int32_t capacity, int64_t *counters);
  /// Runs the code until there are operations, so many that what they
  /// overwrite is known to be read no more; a launch; or the end.
  void peek();

  bool isDone() const { return fiber.isDone() && !hasOps(); }
  bool hasOps() const { return nextPending < pending.size(); }
  /// The launch that the code waits for; null if it does not.
  LaunchRequest *getLaunch() { return isLaunching ? &request : nullptr; }
  /// The launch is done.
  void resumeAfterLaunch() { isLaunching = false; }
  const TegulaCallState &getState() const { return call.hooks.state; }

private:
  /// What code sees of a stream, with the way back to it.
  struct Call {
    TegulaTraceCall hooks;
    OpStream *stream;
  };
  static OpStream &get(TegulaTraceCall *call) {
    return *reinterpret_cast<Call *>(call)->stream;
  }
  void take(int32_t kind, const int64_t *numbers);
  /// Goes on with what was pushed from there on.
  void keep(size_t first);
  bool canRun() const { return !isLaunching && !fiber.isDone(); }
  size_t countPending() const { return pending.size() - nextPending; }
  /// The operation with that number; null if it was pulled.
  TegulaTraceOp *find(int64_t number);

  TensorMap &tensors;
  RankProgram &ranks;
  Call call{};
  /// Until the stream is on a core.
  int64_t ownCounters[std::size(TegulaTraceCursor().kept)] = {};
  Fiber fiber;
  /// Operations that were pushed and not yet pulled.
  std::vector<TegulaTraceOp> pending;
  size_t nextPending = 0;
  /// The number of the first one there.
  int64_t firstNumber = 0;
  LastReads lastReads;
  bool isLaunching = false;
  LaunchRequest request{};
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PRODUCER_OPSTREAM_H
