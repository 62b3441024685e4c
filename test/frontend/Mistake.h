// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tables of mistakes: a kernel and exactly what is said about it.

#ifndef TEGULA_TEST_FRONTEND_MISTAKE_H
#define TEGULA_TEST_FRONTEND_MISTAKE_H

#include "test/frontend/KernelSource.h"

namespace tegula {

/// One mistake.
struct Mistake {
  const char *name;
  const char *source;
  /// Every diagnostic: "line:column: error: message", notes after errors.
  const char *expected;
  const char *kernel = "k";
};

inline void PrintTo(const Mistake &mistake, std::ostream *os) {
  *os << mistake.name;
}

inline std::string nameOf(const testing::TestParamInfo<Mistake> &info) {
  return info.param.name;
}

inline void expectMistake(const Mistake &mistake) {
  EXPECT_EQ(diagnose(mistake.source, mistake.kernel), mistake.expected);
}

} // namespace tegula

#endif // TEGULA_TEST_FRONTEND_MISTAKE_H
