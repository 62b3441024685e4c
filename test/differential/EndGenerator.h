// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows of all types that end near half a vector or a whole one, in loops that
/// meet the end of each row: what is computed differs from row to row, or rows
/// and columns are reduced.

#ifndef TEGULA_TEST_DIFFERENTIAL_ENDGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_ENDGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed.
class EndGenerator {
public:
  explicit EndGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  std::string constant();
  std::string part();
  std::string cast(const std::string &value) const;
  std::string matrix(int depth);
  std::string combined(const std::string &lhs, const std::string &rhs);
  Statement store();

  Random random;
  Program program;
  /// The type of most tensors, and of the others.
  DType type = DType::FP32, narrow = DType::FP32;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_ENDGENERATOR_H
