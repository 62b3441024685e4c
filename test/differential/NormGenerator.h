// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels over whole matrices, or over a few rows at a time, whose rows take
/// long to compute, are reduced and are read again, as in softmax and norms:
/// what changes how many rows are computed at once must find out which of them
/// do that with every row by itself.

#ifndef TEGULA_TEST_DIFFERENTIAL_NORMGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_NORMGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed.
class NormGenerator {
public:
  explicit NormGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  std::string fresh(const char *prefix) {
    return prefix + std::to_string(++count);
  }
  std::string step() const { return std::to_string(rows); }
  std::string down();
  std::string across();
  std::string read(const std::string &tensor, const std::string &subscript);
  std::string matrix();
  std::string perRow(std::vector<Statement> &body);
  std::string other();
  std::string expensive(const std::string &value);
  std::string value();
  void let(std::vector<Statement> &body, const char *prefix,
           const std::string &value, std::vector<std::string> &names);
  void addNorm(std::vector<Statement> &body);
  Statement storeTo(const std::string &target, const std::string &subscript,
                    const std::string &made);
  void addStore(std::vector<Statement> &body);
  std::string plainRows();
  Statement oddStore();
  void addPlainLoop();
  void addLoop();

  Random random;
  Program program;
  /// How many rows an iteration has; 0 without a loop.
  int64_t rows = 0;
  int count = 0;
  /// Names of matrices, and of columns with a number for each row. What was
  /// made before a loop keeps its rows.
  std::vector<std::string> matrices, columns;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_NORMGENERATOR_H
