// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `tegula sim` is asked to do.

#ifndef TEGULA_TOOLS_SIMREQUEST_H
#define TEGULA_TOOLS_SIMREQUEST_H

#include "tegula/sim/engine/Simulate.h"
#include "tools/tegula/CommandLine.h"

namespace tegula {

/// The extents given for one symbol.
struct SimDim {
  std::string name;
  std::vector<int64_t> extents;
};

/// See the file comment.
struct SimRequest {
  sim::Machine machine;
  /// What a what-if makes of it; empty text if there is none.
  std::string whatIf;
  std::optional<sim::Machine> changedMachine;
  /// In the order of the command line.
  std::vector<SimDim> dims;
  int64_t extrapolateAfter = 0;
  /// Files to write; empty for none.
  std::string csv, svg, trace, report;
  bool isJson = false;

  /// Whether something wants to see operations.
  bool wantsLog() const { return !trace.empty() || !report.empty(); }
};

/// The options that make a machine and a request.
std::vector<OptionSpec> getSimOptions();

/// The machine that is simulated unless another is given.
inline constexpr llvm::StringLiteral defaultMachine = "tpuv3";

/// Reads the options. `own` is the machine that what is simulated brings, or
/// null; then another cannot be given. Files that cannot be written are errors
/// already here.
[[nodiscard]] Expected<SimRequest> readSimRequest(const CommandLine &line,
                                                  const sim::Machine *own);

/// How sizes are written: `--dim M=64`, or `,M=64` after a tenant's name.
enum class DimSyntax { Option, InTenant };

/// The extents of each of `symbols` among `dims`; unknown and missing ones are
/// errors.
[[nodiscard]] Expected<std::vector<std::vector<int64_t>>>
matchDims(llvm::ArrayRef<SimDim> dims, DimSyntax syntax, llvm::StringRef kernel,
          llvm::ArrayRef<std::string> symbols);

} // namespace tegula

#endif // TEGULA_TOOLS_SIMREQUEST_H
