// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that make tensors: in iterations of loops inside each other, as long
/// as the iterations say, or to be written in another shape and copied, or to
/// join parameters.

#ifndef TEGULA_TEST_DIFFERENTIAL_SCRATCHGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_SCRATCHGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed.
class ScratchGenerator {
public:
  explicit ScratchGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  std::string fresh(const char *prefix) {
    return prefix + std::to_string(count++);
  }
  std::string range();
  std::string length();
  void make(std::vector<Statement> &body);
  void use(std::vector<Statement> &body);
  Statement loop(int depth);
  void shaped(std::vector<Statement> &body);
  void joined(std::vector<Statement> &body);

  Random random;
  Program program;
  /// Variables of the loops around, lengths, and tensors with their lengths.
  std::vector<std::string> variables, lengths;
  std::vector<std::pair<std::string, std::string>> tensors;
  int count = 0;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_SCRATCHGENERATOR_H
