// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes grids whose blocks go through phases, with a barrier after each.
/// Values of a block live across barriers, and around loops with barriers.

#ifndef TEGULA_TEST_DIFFERENTIAL_GRIDGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_GRIDGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// What the blocks of a grid may read of what other blocks wrote.
enum class Blocks : uint8_t {
  /// Nothing, so that barriers do not matter.
  Alone,
  /// Whatever was written before the last barrier.
  Synced
};

/// Makes one program from a seed.
class GridGenerator {
public:
  GridGenerator(uint64_t seed, Blocks blocks) : random(seed), blocks(blocks) {}

  Program generate();

private:
  std::string rowsOf(const std::string &first);
  Expr value(const std::string &rows);
  Statement store(const std::string &output, const std::string &rows);
  void phase(std::vector<Statement> &body);

  Random random;
  Blocks blocks;
  Program program;
  Kind kind;
  /// Outputs of the phases so far; the source first.
  std::vector<std::string> written;
  /// Values of the block that live until it ends.
  std::vector<std::string> locals;
  std::string size, numBlocks;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_GRIDGENERATOR_H
