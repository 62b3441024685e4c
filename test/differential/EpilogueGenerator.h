// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls of whole arrays and what is computed from them before it is stored:
/// elementwise, from operands that repeat or are overwritten in between, into
/// memory that is read as well, more than once, or with extents that differ.

#ifndef TEGULA_TEST_DIFFERENTIAL_EPILOGUEGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_EPILOGUEGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed. Numbers are such that sums are exact.
class EpilogueGenerator {
public:
  explicit EpilogueGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  void write(const char *name);
  std::string matmul();
  std::string operand();
  std::string changed(std::string tile);
  Statement overwrite();
  Statement store(const std::string &tile);
  void addMatmul(std::vector<Statement> &body);
  void addReduced(std::vector<Statement> &body);
  void addTiles();
  void addSteps();

  Random random;
  Program program;
  int count = 0;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_EPILOGUEGENERATOR_H
