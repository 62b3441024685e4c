// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A launch of blocks in a row, with what only some launches ask for.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_CUDALAUNCH_H
#define TEGULA_LAUNCH_GPU_DRIVER_CUDALAUNCH_H

#include "tegula/launch/gpu/driver/CudaDriver.h"

namespace tegula::cuda {

struct Launch {
  Function function = nullptr;
  unsigned blocks = 0, threads = 0, shared = 0;
  Stream queue = nullptr;
  /// Whether it may begin while the launch before it ends: all of its threads
  /// wait for that before they touch memory.
  bool overlaps = false;
  /// Blocks of a cluster, or 0.
  unsigned cluster = 0;

  Result run(const Driver &driver, void **parameters) const {
    if (!overlaps && cluster == 0)
      return driver.launch(function, blocks, 1, 1, threads, 1, 1, shared, queue,
                           parameters, nullptr);
    LaunchAttribute attributes[2];
    unsigned count = 0;
    if (overlaps)
      attributes[count++] = {overlapAttribute, {}, {{1, 0, 0}}};
    if (cluster != 0)
      attributes[count++] = {clusterAttribute, {}, {{cluster, 1, 1}}};
    LaunchConfig config{{blocks, 1, 1}, {threads, 1, 1}, shared,
                        queue,          attributes,      count};
    return driver.launchWith(&config, function, parameters, nullptr);
  }
};

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_DRIVER_CUDALAUNCH_H
