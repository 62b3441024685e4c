// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why the last call of this thread failed on its device, in words.

#ifndef TEGULA_LAUNCH_DEVICE_DEVICEFAILURE_H
#define TEGULA_LAUNCH_DEVICE_DEVICEFAILURE_H

#include "tegula/launch/Problem.h"
#include "tegula/support/KernelAbi.h"

namespace tegula {

/// Keeps the problem and sets the error of the call.
void reportDeviceFailure(TegulaCallState *state, Problem problem);

/// The problem that was kept.
Problem takeDeviceFailure();

} // namespace tegula

#endif // TEGULA_LAUNCH_DEVICE_DEVICEFAILURE_H
