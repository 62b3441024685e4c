// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A process that works for somebody else: for a limited time, with limited
/// memory, in a folder of its own. Where Linux has Landlock it can neither read
/// nor write any other, besides the programs and libraries of the system, and
/// start no program but itself.

#ifndef TEGULA_TOOLS_SERVE_LIMITEDPROCESS_H
#define TEGULA_TOOLS_SERVE_LIMITEDPROCESS_H

#include "tegula/support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tegula {

struct ProcessLimits {
  int seconds = 20;
  uint64_t memoryBytes = uint64_t(4) << 30;
  uint64_t fileBytes = uint64_t(64) << 20;
  uint64_t outputBytes = 1 << 20;
};

struct ProcessResult {
  /// Of the process; 1 if it was ended.
  int exitCode = 1;
  /// What it printed, both streams; and why it was ended, if it was.
  std::string output;
};

/// Runs `program` with `words` in `folder`, which alone it may write to, and
/// waits. Ends it when a limit is reached or `endAllProcesses` is called.
[[nodiscard]] Expected<ProcessResult>
runLimited(const std::string &program, const std::vector<std::string> &words,
           const std::string &folder, const ProcessLimits &limits);

/// Ends all that run now, and all that would be started later.
void endAllProcesses();

} // namespace tegula

#endif // TEGULA_TOOLS_SERVE_LIMITEDPROCESS_H
