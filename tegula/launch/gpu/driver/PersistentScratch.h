// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of a GPU that the calls of one stream use one after the other.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_PERSISTENTSCRATCH_H
#define TEGULA_LAUNCH_GPU_DRIVER_PERSISTENTSCRATCH_H

#include "tegula/launch/gpu/driver/CudaDriver.h"

#include <mutex>

namespace tegula::cuda {

/// The first allocation in the order of a stream makes a pool, which takes ten
/// milliseconds. A kernel that needs little keeps what its first call got.
class PersistentScratch {
public:
  static constexpr int64_t mostBytes = int64_t(32) << 20;

  /// The memory, while nobody else can take it. Whoever has it queues all that
  /// uses it.
  struct Lease {
    Address address = 0;
    std::unique_lock<std::mutex> lock;
    /// Whether there is a grid barrier at its beginning; who has cleared that
    /// says so.
    bool *isCleared = nullptr;
  };

  /// Memory for a call on a stream; of none, if the call needs its own: it
  /// needs more, is on another stream, or becomes a part of a graph, which may
  /// run at any time.
  Lease take(const Driver &driver, Stream stream, int64_t bytes);

private:
  std::mutex mutex;
  Address address = 0;
  int64_t size = 0;
  bool isCleared = false;
  /// Streams have numbers that never come again, unlike their addresses.
  unsigned long long owner = 0;
};

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_DRIVER_PERSISTENTSCRATCH_H
