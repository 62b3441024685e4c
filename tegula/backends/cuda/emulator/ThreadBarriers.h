// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How threads of an emulated block synchronize: at barriers with a number, as
/// the lanes of a warp, and for registers.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_THREADBARRIERS_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_THREADBARRIERS_H

#include "tegula/backends/cuda/emulator/Knowledge.h"

#include <array>

namespace tegula::emulator {

/// Barriers with a number, each for as many threads as say so.
class NumberedBarriers {
public:
  static constexpr uint32_t count = 16;

  explicit NumberedBarriers(Knowledge &knowledge);

  /// The thread comes, and waits for the others if it `stays`.
  void arrive(int32_t thread, uint32_t number, uint32_t threads, bool stays);

private:
  struct Barrier {
    uint32_t wanted = 0, arrived = 0;
    uint64_t rounds = 0;
    Clock coming, ended;
  };
  struct RoundWait;

  Knowledge &knowledge;
  std::vector<Barrier> barriers;
};

/// What the lanes of a warp give to each other.
class WarpExchange {
public:
  static constexpr int32_t lanes = 32, mostWords = 6;
  using Words = std::array<uint32_t, mostWords>;

  explicit WarpExchange(int32_t threads) : warps((threads + 31) / 32) {}

  /// Waits for all lanes; returns what each of them gave, until the next time.
  const Words *exchange(int32_t thread, const Words &words);

private:
  struct Warp {
    int32_t arrived = 0;
    uint64_t rounds = 0;
    Words given[lanes], taken[lanes];
  };
  struct RoundWait;

  std::vector<Warp> warps;
};

/// The registers of a block: threads begin with the same number of them, give
/// some back and take others.
class Registers {
public:
  explicit Registers(int32_t threads);

  void giveBack(int32_t thread, int32_t number);
  /// Waits until there are enough.
  void take(int32_t thread, int32_t number);

private:
  struct FreeWait;

  std::vector<int32_t> owned;
  int64_t free = 0;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_THREADBARRIERS_H
