// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Clusters of another size than a launch asks for.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_FORCEDCLUSTERS_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_FORCEDCLUSTERS_H

#include <cstdint>

namespace tegula::emulator {

/// As long as one is there, what this thread launches in clusters has as many
/// of them as it says, but of so many blocks each: to see that kernels are
/// right in sizes that calls do not choose on a chip with few SMs. There is one
/// at a time.
class ForcedClusters {
public:
  explicit ForcedClusters(int32_t blocks);
  ~ForcedClusters();
  ForcedClusters(const ForcedClusters &) = delete;
  ForcedClusters &operator=(const ForcedClusters &) = delete;

  /// How many launches in clusters there were.
  int32_t countLaunches() const { return launches; }

  /// The size of the clusters of a launch that wants them of that size.
  static int32_t replace(int32_t wanted);

private:
  int32_t blocks, launches = 0;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_FORCEDCLUSTERS_H
