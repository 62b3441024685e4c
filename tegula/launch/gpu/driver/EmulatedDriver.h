// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The driver of a GPU that is emulated: the functions of NVIDIA's, as far as
/// kernels need them. Memory of the host is the GPU's, and launches have ended
/// when they return. The emulator defines what is declared here; nothing else
/// in this folder knows it.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_EMULATEDDRIVER_H
#define TEGULA_LAUNCH_GPU_DRIVER_EMULATEDDRIVER_H

#include "tegula/launch/gpu/GpuProgram.h"
#include "tegula/launch/gpu/abi/GpuAbi.h"
#include "tegula/launch/gpu/driver/CudaDriver.h"

namespace tegula {

/// A chip such as 90, for `sm_90`, with few SMs.
const cuda::Driver &getEmulatedDriver(int chip);

/// Gives a program the kernels of its host code as code that this driver loads.
void setEmulatedKernels(GpuProgram &program,
                        const TegulaGpuEmulatedKernel *kernels);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_DRIVER_EMULATEDDRIVER_H
