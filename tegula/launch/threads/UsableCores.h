// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many cores there are for this process.

#ifndef TEGULA_LAUNCH_THREADS_USABLECORES_H
#define TEGULA_LAUNCH_THREADS_USABLECORES_H

#include <cstdint>
#include <optional>
#include <string>

namespace tegula {

/// Cores that this process may use at once, by the affinity of its first thread
/// and by the share of its control group.
int64_t countUsableCores();

/// True if the control group limits how much time on cores this process and
/// others have together.
bool hasCoreLimit();

/// The limit that a file `cpu.max` of a control group says, in cores; 0 if it
/// says none. Groups of version 1 have two files for the two numbers.
int64_t parseCoreLimit(const std::string &text);

/// Where the limits of a group lie that a line of `/proc/self/cgroup` names,
/// and the folder of the control groups above it; nothing if they have none.
///
/// Example: "3:cpu,cpuacct:/a/b" is {"/sys/fs/cgroup/cpu,cpuacct", "/a/b"}.
struct CoreGroup {
  std::string top, path;
};
std::optional<CoreGroup> readCoreGroup(const std::string &line);

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADS_USABLECORES_H
