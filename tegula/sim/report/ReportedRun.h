// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run and what reports call it.

#ifndef TEGULA_SIM_REPORT_REPORTEDRUN_H
#define TEGULA_SIM_REPORT_REPORTEDRUN_H

#include "tegula/sim/engine/Result.h"
#include <string>
#include <vector>

namespace tegula::sim {

/// See the file comment.
struct ReportedRun {
  /// "gemm"
  std::string kernel;
  /// In the order of `extents`: "M", "N".
  std::vector<std::string> symbols;
  std::vector<int64_t> extents;
  Machine machine;
  Result result;
  /// What was not modelled and what was estimated, one line each.
  std::vector<std::string> notes;
};

/// "gemm M=512 N=512 K=512"
std::string getTitle(const ReportedRun &run);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_REPORTEDRUN_H
