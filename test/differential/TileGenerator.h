// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over blocks of rows, in which several matmuls of narrow tiles and
/// reductions of what they give follow each other, as in attention, or rows are
/// read in chunks, changed in place, or pass through ops that have no rule for
/// tiles in registers of a GPU. Operands hold quarters, and what is not an
/// exponential is exact, so that the order of sums does not matter.

#ifndef TEST_DIFFERENTIAL_TILEGENERATOR_H
#define TEST_DIFFERENTIAL_TILEGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed.
class TileGenerator {
public:
  explicit TileGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  Statement loopOver(const std::string &index, char axis,
                     const std::string &step, bool isParallel);
  std::string narrowed(const std::string &tile) const;
  std::string matmul(const std::string &lhs, const std::string &rhs,
                     const char *flags = "") const;
  std::string changed(const std::string &tile);
  std::string masked(const std::string &tile);
  /// What each adds to the body of the loop over blocks of rows.
  void addShared(std::vector<Statement> &body);
  void addChain(std::vector<Statement> &body);
  void addAttention(std::vector<Statement> &body);
  void addRows(std::vector<Statement> &body);
  void addPasses(std::vector<Statement> &body);
  void addInPlace(std::vector<Statement> &body);
  void addRuleless(std::vector<Statement> &body);

  Random random;
  Program program;
  std::string narrow, rows, columns, depth;
};

} // namespace tegula::differential

#endif // TEST_DIFFERENTIAL_TILEGENERATOR_H
