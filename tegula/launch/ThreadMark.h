// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The file in shared memory by which LLVM's OpenMP runtime knows that a
/// process has it. It makes the file when its first function is called, and
/// removes it at the end, which a process that is killed does not come to.

#ifndef TEGULA_LAUNCH_THREADMARK_H
#define TEGULA_LAUNCH_THREADMARK_H

#include <string>

namespace tegula {

/// The folder of such files.
inline constexpr const char *threadMarkFolder = "/dev/shm";

/// The file of this process.
std::string getThreadMark();

/// Makes the runtime begin if it is loaded, and removes its file. For processes
/// that end with others, however those end. A second copy of the runtime in
/// this process is not found out by it any more.
void removeThreadMark();

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADMARK_H
