// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What files a process may use, by Linux's Landlock.

#ifndef TEGULA_TOOLS_SERVE_CONFINE_H
#define TEGULA_TOOLS_SERVE_CONFINE_H

namespace tegula {

/// From here on this process may change files in `folder` only, read those and
/// the system's programs and libraries, with those of `installation`, and
/// start no program but `program`. Between fork and exec: allocates nothing.
/// False if it cannot be had.
bool confineTo(const char *folder, const char *program,
               const char *installation);

/// True if this system can confine processes.
bool canConfine();

} // namespace tegula

#endif // TEGULA_TOOLS_SERVE_CONFINE_H
