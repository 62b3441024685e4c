// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs a kernel compiled and interpreted, at several sizes, and compares.

#ifndef TEGULA_TEST_DIFFERENTIAL_RUNNER_H
#define TEGULA_TEST_DIFFERENTIAL_RUNNER_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tegula::differential {

class Dump;

/// Extents by symbol.
using Sizes = std::map<std::string, int64_t>;

/// How the two runs of a kernel relate.
enum class Verdict : uint8_t {
  Agrees,
  /// The compiler refuses the kernel.
  Refused,
  /// The compiler says which tile is too large for a memory of the machine.
  TooLarge,
  /// One of the two reports an error at run time, the other does not.
  Failed,
  Differs,
  Crashed,
  TimedOut
};

const char *getName(Verdict verdict);

/// What became of one kernel.
struct Outcome {
  Verdict verdict = Verdict::Agrees;
  std::string message = {};
  /// The first sizes at which it does not agree.
  Sizes sizes = {};
};

/// Compiles the kernel of `text` once and calls it at all sizes, on data made
/// from the seed. Some tensors are strided. Where the sizes say how many ranks
/// there are, they are interpreted, in many orders, and real ones run it, too.
/// Calls without ranks are also written to `dump`, if there is one.
Outcome runKernel(const std::string &text, const std::vector<Sizes> &calls,
                  uint64_t seed, Dump *dump = nullptr);

/// The same in a process of its own, which may crash or hang.
Outcome runIsolated(const std::string &text, const std::vector<Sizes> &calls,
                    uint64_t seed, unsigned mostSeconds);

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_RUNNER_H
