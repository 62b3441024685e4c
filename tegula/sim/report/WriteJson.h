// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run as JSON: every number, under a version, the same bytes for the same
/// run.

#ifndef TEGULA_SIM_REPORT_WRITEJSON_H
#define TEGULA_SIM_REPORT_WRITEJSON_H

#include "tegula/sim/engine/Result.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Changes when the meaning of a key does, or one goes.
constexpr int jsonVersion = 1;

/// Writes the machine, the summary, and all counters. Times are in cycles.
void writeJson(const Machine &machine, const Result &result,
               llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITEJSON_H
