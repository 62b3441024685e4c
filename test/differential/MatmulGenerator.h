// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over tiles of matmuls, of which some together are one matmul: in
/// others windows overlap, something else happens between the tiles, or the
/// tiles do not follow the loop.

#ifndef TEST_DIFFERENTIAL_MATMULGENERATOR_H
#define TEST_DIFFERENTIAL_MATMULGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed. Numbers are such that sums are exact.
class MatmulGenerator {
public:
  explicit MatmulGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  /// How the tile of an operand follows a loop.
  enum class Follows : uint8_t { Steps, Overlaps, Not };

  std::string fresh(const char *prefix) {
    return prefix + std::to_string(count++);
  }
  std::string windowLength(char axis);
  Follows follows();
  std::string changed(const std::string &tile);
  std::string withColumn(const std::string &tile);
  std::string rows(Follows how);
  std::string columns(Follows how);
  Statement otherStore(const std::string &a, const std::string &b,
                       const std::string &sum, const std::string &k,
                       const std::string &length);
  std::string startLength(char axis, const std::string &variable,
                          const std::string &most);
  void addDiagonal(std::vector<Statement> &body);
  void accumulate(std::vector<Statement> &body);
  void accumulateTiles(std::vector<Statement> &body);
  void addColumns(std::vector<Statement> &body, bool isTransposed,
                  const std::string &rows, const std::string &width);
  void multiply(std::vector<Statement> &body);
  Statement storeOf(const std::string &tile, Follows down, Follows across);

  Random random;
  Program program;
  std::string step;
  int count = 0;
};

} // namespace tegula::differential

#endif // TEST_DIFFERENTIAL_MATMULGENERATOR_H
