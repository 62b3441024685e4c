// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compares what a kernel computes with the function `reference` of its file,
/// which Python runs.

#ifndef TEGULA_TOOLS_CHECKREFERENCE_H
#define TEGULA_TOOLS_CHECKREFERENCE_H

#include "tegula/runtime/Check.h"
#include "tools/tegula/sim/Workload.h"

namespace tegula {

/// What came of it.
struct ReferenceReport {
  /// One per output; empty if the reference was not run.
  std::vector<Comparison> outputs;
  /// Why it was not run; empty if it was, or if there is none.
  std::string obstacle;
};

/// Runs the kernel and the reference of the file at `path` on copies of the
/// arguments. What is missing on this machine is an obstacle; a reference that
/// fails, or gives something else than the outputs of the kernel, an error.
[[nodiscard]] Expected<ReferenceReport>
checkReference(const std::string &path, const Kernel &kernel,
               const Workload &workload);

} // namespace tegula

#endif // TEGULA_TOOLS_CHECKREFERENCE_H
