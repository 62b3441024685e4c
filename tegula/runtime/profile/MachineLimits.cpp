// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/profile/MachineLimits.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <unistd.h>
#include <vector>

using namespace tegula;

namespace {

template <int bytes> using Vector __attribute__((vector_size(bytes))) = float;

} // namespace

/// Multiplies and adds `count` independent vectors, `steps` times.
template <int bytes, int count>
[[gnu::always_inline]] static inline float multiplyAndAdd(int64_t steps,
                                                          float seed) {
  using Lanes = Vector<bytes>;
  Lanes sums[count];
  Lanes factor = {}, term = {};
  factor += seed;
  term += 1 - seed;
  for (Lanes &sum : sums)
    sum = term;
  for (int64_t step = 0; step < steps; ++step)
#pragma clang loop unroll(full)
    for (int number = 0; number < count; ++number)
      sums[number] = sums[number] * factor + term;
  float total = 0;
  for (Lanes &sum : sums)
    for (unsigned lane = 0; lane < bytes / sizeof(float); ++lane)
      total += sum[lane];
  return total;
}

// As many vectors as registers hold besides the factor and the term.
[[gnu::target("avx512f")]] static float step512(int64_t steps, float seed) {
  return multiplyAndAdd<64, 24>(steps, seed);
}
[[gnu::target("avx2,fma")]] static float step256(int64_t steps, float seed) {
  return multiplyAndAdd<32, 12>(steps, seed);
}
static float step128(int64_t steps, float seed) {
  return multiplyAndAdd<16, 12>(steps, seed);
}

/// The least seconds that `step` takes in some 50 milliseconds.
template <typename Step> static double measureLeast(Step step) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  double least = std::numeric_limits<double>::infinity();
  Clock::time_point begin = Clock::now();
  step();
  do {
    Clock::time_point start = Clock::now();
    step();
    least = std::min(least, since(start));
  } while (since(begin) < 0.05);
  return least;
}

double tegula::measurePeak() {
  constexpr int64_t steps = 20000;
  bool has512 = __builtin_cpu_supports("avx512f");
  bool has256 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  double lanes = has512 ? 24 * 16 : has256 ? 12 * 8 : 12 * 4;
  volatile float sink = 0;
  double seconds = measureLeast([&] {
    sink = has512   ? step512(steps, 0.5f)
           : has256 ? step256(steps, 0.5f)
                    : step128(steps, 0.5f);
  });
  return 2 * lanes * steps / seconds;
}

double tegula::measureCopyRate(uint64_t bytes) {
  // More tells nothing more, and less is over before it can be measured.
  uint64_t half = std::clamp<uint64_t>(bytes / 2, 2048, 256 << 20);
  std::vector<char> from(half, 1), to(half);
  double seconds = measureLeast([&] {
    // Nobody knows what is copied, and somebody looks at it.
    asm volatile("" : : "r"(from.data()), "r"(to.data()) : "memory");
    std::memcpy(to.data(), from.data(), half);
    asm volatile("" : : "r"(to.data()) : "memory");
  });
  return 2 * static_cast<double>(half) / seconds;
}

int64_t tegula::getCoreCacheBytes() {
  return std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE));
}
