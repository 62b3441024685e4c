// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the processor can do at most, for bench/matmul.py: multiply-adds on
// vectors that stay in registers.

#include <cstdint>

namespace {

using Vector = float __attribute__((vector_size(64)));

} // namespace

/// Runs `steps` steps of 24 independent multiply-adds of 16 lanes; returns
/// something that depends on all of them.
extern "C" float tegulaPeakStep(int64_t steps, float seed) {
  constexpr int count = 24;
  Vector sums[count];
  Vector factor = {}, term = {};
  factor += seed;
  term += 1 - seed;
  for (Vector &sum : sums)
    sum = term;
  for (int64_t step = 0; step < steps; ++step)
    for (Vector &sum : sums)
      sum = sum * factor + term;
  float total = 0;
  for (Vector &sum : sums)
    for (int lane = 0; lane < 16; ++lane)
      total += sum[lane];
  return total;
}
