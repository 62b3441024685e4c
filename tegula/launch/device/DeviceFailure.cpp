// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/device/DeviceFailure.h"

#include <utility>

static thread_local tegula::Problem failure;

void tegula::reportDeviceFailure(TegulaCallState *state, Problem problem) {
  failure = std::move(problem);
  tegulaReportError(state, TegulaDeviceFailed, -1, 0, 0, 0);
}

tegula::Problem tegula::takeDeviceFailure() {
  return std::exchange(failure, Problem());
}
