// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether a process works or only is there.

#ifndef TEGULA_DIST_CONTROL_PROCESSTIME_H
#define TEGULA_DIST_CONTROL_PROCESSTIME_H

#include <cstdint>

namespace tegula {

/// How long a process of this machine has used a core, in ticks of the system;
/// -1 if there is none.
int64_t readProcessTime(int64_t process);

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_PROCESSTIME_H
