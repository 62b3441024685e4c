// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is known of a call when code decides how it computes.

#ifndef TEGULA_BACKENDS_CALLSIZES_H
#define TEGULA_BACKENDS_CALLSIZES_H

#include "tegula/ir/SizeEvaluation.h"

namespace tegula {

/// The sizes and numbers that a call brings, and how many threads it may use.
struct CallSizes {
  std::map<pl::SizeInput, int64_t> given;
  unsigned threads = 1;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CALLSIZES_H
