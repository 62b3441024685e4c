// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What code with tiles in registers says before it loads and stores memory
/// that threads share: on a GPU these are plain accesses.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_SHAREDACCESS_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_SHAREDACCESS_H

#include <cstdint>

extern "C" {

/// The thread that calls loads so many bytes from there on. The launch fails if
/// they are not there, or if that is too early.
void tegulaGpuSharedLoad(const char *address, int64_t bytes);
/// The same for what it stores there. Who stores what is there already, as
/// threads that hold the same do, changes nothing.
void tegulaGpuSharedStore(const char *address, int64_t bytes,
                          const char *stored);

} // extern "C"

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_SHAREDACCESS_H
