// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes parallel loops whose iterations write windows at computed offsets,
/// apart from each other or not: whether they may run at once is for the
/// compiler to find out.

#ifndef TEGULA_TEST_DIFFERENTIAL_WINDOWGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_WINDOWGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed.
class WindowGenerator {
public:
  explicit WindowGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  std::string number() { return std::to_string(random.pick({1, 2, 3, 4, 8})); }
  std::string variable();
  std::string offset();
  std::string sum();
  std::string bound(int depth);
  Statement access();
  Statement ownAccess();
  void scratch();
  Statement loop(int depth);

  Random random;
  Program program;
  /// The variables of the loops around.
  std::vector<std::string> variables;
  int count = 0;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_WINDOWGENERATOR_H
