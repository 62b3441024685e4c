// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Keeps the core awake that a process last ran on. A core that has nothing to
/// do halts, and on a virtual machine it takes most of a tenth of a millisecond
/// until it runs again. The thread that keeps it awake has the lowest priority,
/// and where others want the core, which then is awake anyway, it rests.

#ifndef TEGULA_DIST_CONTROL_VIGIL_H
#define TEGULA_DIST_CONTROL_VIGIL_H

#include "tegula/dist/control/Waiting.h"
#include <thread>

namespace tegula {

/// A thread that sleeps but for a while after each `extend`.
class Vigil {
public:
  ~Vigil();

  /// Keeps the core of the calling thread awake for so long from now on.
  void extend(int64_t nanoseconds);

private:
  void keep();
  /// Spins until the time is over, or somebody else had the core.
  void spin();
  void stayOn(int core);

  /// Until when, and on which core; a time below 0 ends the thread.
  std::atomic<int64_t> end = 0;
  /// Until when it does not begin again.
  std::atomic<int64_t> rest = 0;
  std::atomic<int> core = -1;
  /// Whether the thread sleeps.
  Word isAsleep = 0;
  std::thread thread;
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_VIGIL_H
