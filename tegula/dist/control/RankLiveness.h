// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which processes of this machine still run.

#ifndef TEGULA_DIST_CONTROL_RANKLIVENESS_H
#define TEGULA_DIST_CONTROL_RANKLIVENESS_H

#include "tegula/launch/image/MemoryFile.h"
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace tegula {

/// Watches processes by descriptors, which stand for the same process even
/// when its number is used again.
class RankLiveness {
public:
  /// Begins to watch the next process, which runs now. One that cannot be
  /// watched counts as running for ever.
  void add(pid_t process);

  /// The number, in the order they were added, of a process that has ended; -1
  /// if all run.
  int64_t findEnded() const;

  /// Sends a signal to the process of that number, if it is watched.
  void signal(size_t number, int signal) const;

private:
  std::vector<Descriptor> processes;
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_RANKLIVENESS_H
