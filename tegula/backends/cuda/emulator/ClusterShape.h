// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many blocks run together, and what their threads are called. Threads
/// are numbered through all blocks of a cluster, block by block.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERSHAPE_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERSHAPE_H

#include <cstdint>
#include <string>

namespace tegula::emulator {

struct ClusterShape {
  /// Of each block.
  int32_t threads;
  int32_t blocks = 1;
  /// The number of the first one among those of the launch.
  int32_t firstBlock = 0;

  int32_t countThreads() const { return threads * blocks; }
  int32_t blockOf(int32_t thread) const { return thread / threads; }

  std::string nameBlock(int32_t block) const {
    return "block " + std::to_string(firstBlock + block);
  }
  /// What follows the name of something that a block has, if there are others.
  std::string ofBlock(int32_t block) const {
    return blocks == 1 ? "" : " of " + nameBlock(block);
  }
  std::string nameThread(int32_t thread) const {
    return "thread " + std::to_string(thread % threads) +
           ofBlock(blockOf(thread));
  }
  /// So many threads from one on.
  std::string nameThreads(int32_t first, int32_t count) const {
    return "threads " + std::to_string(first % threads) + " to " +
           std::to_string(first % threads + count - 1) +
           ofBlock(blockOf(first));
  }
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_CLUSTERSHAPE_H
