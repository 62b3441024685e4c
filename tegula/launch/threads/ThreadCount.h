// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many threads a parallel loop may have.

#ifndef TEGULA_LAUNCH_THREADS_THREADCOUNT_H
#define TEGULA_LAUNCH_THREADS_THREADCOUNT_H

#include <optional>
#include <string_view>

namespace tegula {

/// No loop has more, whatever is asked for.
inline constexpr int mostThreads = 1024;

/// The caller and those who help it: what OMP_NUM_THREADS says, and else as
/// many as there are cores for this process. Found out once, and once more in
/// each child.
int countThreads();

/// The number in such a setting, which may go on with those of inner loops;
/// none if it has none.
std::optional<int> readThreadSetting(std::string_view text);

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADS_THREADCOUNT_H
