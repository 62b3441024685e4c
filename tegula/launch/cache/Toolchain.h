// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What compiled code depends on besides the program: the compiler and the
/// machine. Found out without loading the compiler.

#ifndef TEGULA_LAUNCH_CACHE_TOOLCHAIN_H
#define TEGULA_LAUNCH_CACHE_TOOLCHAIN_H

#include <string>

namespace tegula {

/// Of Tegula itself: `0.1.0`. CMakeLists.txt says it, and nobody else.
const char *getVersion();

/// The processor, its features as far as the system lets programs use them:
/// two machines with one description run each other's code.
std::string describeHostCpu();

/// The hash that the linker has put into the ELF file at `path`, in
/// hexadecimal; empty if there is none.
std::string readBuildId(const std::string &path);

/// The compiler that lies next to this library, the version of LLVM, and the
/// machine, as one line. Computed once.
const std::string &describeToolchain();

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_TOOLCHAIN_H
