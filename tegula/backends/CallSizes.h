// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is known of a call when code decides how it computes.

#ifndef TEGULA_BACKENDS_CALLSIZES_H
#define TEGULA_BACKENDS_CALLSIZES_H

#include "tegula/ir/extents/SizeEvaluation.h"

namespace tegula {

/// The sizes and numbers that a call brings, and what the machine it runs on
/// has for it.
struct CallSizes {
  std::map<pl::SizeInput, int64_t> given;
  /// Elements from one to the next along the axes of parameters.
  std::map<pl::SizeInput, int64_t> strides;
  unsigned threads = 1;
  /// What the cache holds that one core has for itself; 0 if that is not known.
  int64_t cacheBytes = 0;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CALLSIZES_H
