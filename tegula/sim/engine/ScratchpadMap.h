// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who wrote the bytes of a core's memories, and who has read them since: what
/// an operation has to wait for follows from the ranges it names. Also knows
/// which bytes hold something that will be read again.

#ifndef TEGULA_SIM_ENGINE_SCRATCHPADMAP_H
#define TEGULA_SIM_ENGINE_SCRATCHPADMAP_H

#include "tegula/support/TraceAbi.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace tegula::sim {

/// The memories of one core as intervals that were written at once. Operations
/// are known by numbers that grow.
class ScratchpadMap {
public:
  /// Takes note that `reader` reads `range`. Calls `waitFor` with each
  /// operation that wrote some of it.
  void read(const TegulaTraceRange &range, int64_t reader,
            llvm::function_ref<void(int64_t writer)> waitFor);

  /// Takes note that `writer` writes `range`. Calls `waitForWriter` and
  /// `waitForReader` with those that wrote or read some of it before.
  void write(const TegulaTraceRange &range, int64_t writer,
             llvm::function_ref<void(int64_t)> waitForWriter,
             llvm::function_ref<void(int64_t)> waitForReader);

  /// Forgets readers before `oldest`: they are done.
  void setOldest(int64_t oldest) { oldestAlive = oldest; }

  /// Bytes from now on hold something that will be read.
  void occupy(const TegulaTraceRange &range) { setLive(range, true); }
  /// Bytes from now on hold nothing.
  void vacate(const TegulaTraceRange &range) { setLive(range, false); }
  int64_t getLiveBytes() const { return liveBytes; }
  /// The most that getLiveBytes ever was.
  int64_t getHighWater() const { return highWater; }

private:
  /// Bytes with one history.
  struct Interval {
    int64_t begin;
    int64_t end;
    int64_t writer = -1;
    bool isLive = false;
    llvm::SmallVector<int64_t, 4> readers;
  };

  /// Cuts intervals, or makes them, so that some lie on [begin, end) exactly;
  /// returns the first.
  size_t isolate(int64_t begin, int64_t end);
  /// Cuts the interval around `at`, if there is one, in two.
  void cutAt(int64_t at);
  size_t findFirstEndingAfter(int64_t at) const;
  void setLive(const TegulaTraceRange &range, bool isLive);

  std::vector<Interval> intervals;
  int64_t oldestAlive = 0;
  int64_t liveBytes = 0;
  int64_t highWater = 0;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_SCRATCHPADMAP_H
