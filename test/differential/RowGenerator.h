// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that do nearly the same with every row: what keeps rows in registers
/// must find out which of them do.

#ifndef TEGULA_TEST_DIFFERENTIAL_ROWGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_ROWGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Integers, whose sums are the same in every order.
class RowGenerator {
public:
  explicit RowGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  std::string rows() const;
  std::string columns() const;
  std::string window(const std::string &tensor);
  std::string source();
  std::string value();
  Statement store();
  void addSums(std::vector<Statement> &body);
  void addChunkedRows(std::vector<Statement> &body);
  void addPartsWith(const std::string &perRow, std::vector<Statement> &body);
  void addInPlace(std::vector<Statement> &body);
  void addSingleRows(std::vector<Statement> &body);
  void addHeads(std::vector<Statement> &body);
  void addRowsOfAnyLength(std::vector<Statement> &body);
  void addBody(std::vector<Statement> &body, int depth);

  Random random;
  Program program;
  /// The variables of loops around that cut rows and columns, or are empty.
  std::string rowIndex, columnIndex;
  bool isSummed = false;
  /// Whether windows are mostly those of an iteration.
  bool isCareful = false;
  /// Names of windows that were made outside of where they are used.
  std::vector<std::string> windows;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_ROWGENERATOR_H
