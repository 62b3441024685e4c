// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes host programs over ranks: dispatches, windows, transfers, signals and
/// collectives. They are right by construction: what is used again after others
/// used it is used after a barrier of all ranks, and signals only grow.

#ifndef TEGULA_TEST_DIFFERENTIAL_RANKGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_RANKGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

#include <array>

namespace tegula::differential {

/// Makes one program from a seed.
class RankGenerator {
public:
  explicit RankGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  static constexpr int numWindows = 2;
  using Body = std::vector<Statement>;

  /// What one rank is dispatched to do, as a helper of that name.
  void makeStep(const std::string &name);
  Body phase();
  Body shift(const std::string &window, bool isRepeated);
  Body sumAtOthers(const std::string &window);
  Body readOthers(const std::string &window);
  Body collective(const std::string &window);
  /// The same phase twice.
  void repeat(Body &body, Body phase);
  void dispatchAll(const std::string &name);
  void dispatchAround();
  void hostCollective();
  std::string number();
  std::string peer();

  Random random;
  Program program;
  Kind kind;
  std::string dtype;
  /// The windows that somebody may still read or write.
  std::array<bool, numWindows> isInUse = {};
  /// How many signals have a use.
  int64_t numSignals = 0;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_RANKGENERATOR_H
