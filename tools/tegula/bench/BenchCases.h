// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `tegula bench` measures side by side: a kernel, another one, other
/// targets, other values of a constant.

#ifndef TEGULA_TOOLS_BENCHCASES_H
#define TEGULA_TOOLS_BENCHCASES_H

#include "tegula/runtime/Compiler.h"
#include "tegula/sim/machine/Machine.h"
#include "tools/tegula/CommandLine.h"

namespace tegula {

/// One of them.
struct BenchCase {
  /// "ROWS=4", "cpu:no-threads", "other.py:softmax"; empty if nothing is said
  /// about the only one.
  std::string label;
  KernelSource source;
  /// What it runs on, if that is simulated.
  std::optional<sim::Machine> machine = std::nullopt;
};

/// The options that make cases.
std::vector<OptionSpec> getBenchCaseOptions();

/// All cases of a command line: every target with every value of every
/// constant, of the kernel and of the one it is compared with.
[[nodiscard]] Expected<std::vector<BenchCase>>
readBenchCases(const CommandLine &line);

} // namespace tegula

#endif // TEGULA_TOOLS_BENCHCASES_H
