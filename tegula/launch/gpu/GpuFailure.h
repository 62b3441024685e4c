// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What went wrong in the last call of this thread that used a GPU, in words.

#ifndef TEGULA_LAUNCH_GPU_GPUFAILURE_H
#define TEGULA_LAUNCH_GPU_GPUFAILURE_H

#include "tegula/support/KernelAbi.h"
#include <string>

namespace tegula {

/// Keeps the words and sets the error of the call.
void reportGpuFailure(TegulaCallState *state, std::string words);

/// The words that were kept.
std::string takeGpuFailure();

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUFAILURE_H
