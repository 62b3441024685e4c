// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The barrier of a cluster, to which all threads of all its blocks come that
/// have not ended.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERBARRIER_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERBARRIER_H

#include "tegula/backends/cuda/emulator/Knowledge.h"

namespace tegula::emulator {

class ClusterBarrier {
public:
  explicit ClusterBarrier(Knowledge &knowledge);

  // Called by threads, with their numbers in the cluster.

  /// What the thread did before is known to those who wait, if it `releases`.
  void arrive(int32_t thread, bool releases);
  /// The thread comes to know what others told, if it `learns`.
  void await(int32_t thread, bool learns);

  /// The thread ends, and is not waited for.
  void leave(int32_t thread);

private:
  struct RoundWait;
  static constexpr int64_t nowhere = -1;

  void endRound();

  Knowledge &knowledge;
  /// The round that a thread has come to and not waited for.
  std::vector<int64_t> comeTo;
  int32_t staying, arrived = 0;
  int64_t round = 0;
  Clock coming, ended;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERBARRIER_H
