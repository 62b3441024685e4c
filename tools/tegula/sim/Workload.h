// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arguments for a kernel, from what the command line says: sizes, files,
/// numbers, and random data for the rest.

#ifndef TEGULA_TOOLS_WORKLOAD_H
#define TEGULA_TOOLS_WORKLOAD_H

#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/Signature.h"
#include "tegula/support/Array.h"
#include "tools/tegula/CommandLine.h"
#include <map>
#include <string>
#include <vector>

namespace tegula {

/// What is said about the arguments.
struct WorkloadRequest {
  /// Extents by symbol.
  std::map<std::string, int64_t> dims;
  /// .npy files by parameter.
  std::map<std::string, std::string> files;
  /// Numbers as text by parameter.
  std::map<std::string, std::string> scalars;
  /// Element types and shapes of open parameters.
  std::map<std::string, DType> dtypes;
  std::map<std::string, std::vector<int64_t>> shapes;
  uint64_t seed = 0;
  /// Where made-up memory begins.
  uint64_t firstAddress = uint64_t(1) << 20;
};

/// The options of `run` and `bench` that make a request.
std::vector<OptionSpec> getWorkloadOptions();

/// Reads those options.
[[nodiscard]] Expected<WorkloadRequest> readRequest(const CommandLine &line);
/// Reads all of them but the sizes.
[[nodiscard]] Expected<WorkloadRequest>
readRequestWithoutDims(const CommandLine &line);

/// Arguments and the memory they point to.
struct Workload {
  std::vector<Argument> arguments;
  /// One per parameter; empty for scalars.
  std::vector<Array> arrays;
  /// The extents of all symbols.
  std::map<std::string, int64_t> dims;
};

/// Whether the memory of arguments is there, or only addresses for it.
enum class WorkloadMemory { Real, MadeUp };

/// Makes the arguments of a call. Unknown names, missing and contradicting
/// sizes, files of the wrong type or rank, and more memory than the machine
/// has are errors.
[[nodiscard]] Expected<Workload>
makeWorkload(const Signature &signature, const WorkloadRequest &request,
             WorkloadMemory memory = WorkloadMemory::Real);

} // namespace tegula

#endif // TEGULA_TOOLS_WORKLOAD_H
