// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The choices of a generator: a sequence of numbers that follows from its
/// seed.

#ifndef TEGULA_TEST_DIFFERENTIAL_RANDOM_H
#define TEGULA_TEST_DIFFERENTIAL_RANDOM_H

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tegula::differential {

/// The splitmix64 sequence: the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next();
  /// From `low` to `high`, both included.
  int64_t number(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % (high - low + 1));
  }
  bool chance(int percent) { return number(1, 100) <= percent; }
  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[next() % from.size()];
  }
  template <typename T> T pick(std::initializer_list<T> from) {
    return *(from.begin() + next() % from.size());
  }

private:
  uint64_t state;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_RANDOM_H
