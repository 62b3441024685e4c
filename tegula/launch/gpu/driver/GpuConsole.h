// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What kernels on GPUs print, after they ran.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_GPUCONSOLE_H
#define TEGULA_LAUNCH_GPU_DRIVER_GPUCONSOLE_H

#include "tegula/launch/gpu/abi/GpuAbi.h"

namespace tegula {

/// Prints the records of a console, and empties it. The kernel has ended.
void printConsole(TegulaGpuConsole &console);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_DRIVER_GPUCONSOLE_H
