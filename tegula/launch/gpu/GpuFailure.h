// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What went wrong in the last call of this thread that used a GPU, in words.

#ifndef TEGULA_LAUNCH_GPU_GPUFAILURE_H
#define TEGULA_LAUNCH_GPU_GPUFAILURE_H

#include "tegula/launch/Problem.h"
#include "tegula/support/KernelAbi.h"

namespace tegula {

/// Keeps the problem and sets the error of the call.
void reportGpuFailure(TegulaCallState *state, Problem problem);

/// The problem that was kept.
Problem takeGpuFailure();

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUFAILURE_H
