// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuFailure.h"

#include <utility>

static thread_local std::string failure;

void tegula::reportGpuFailure(TegulaCallState *state, std::string words) {
  failure = std::move(words);
  tegulaReportError(state, TegulaGpuFailed, -1, 0, 0, 0);
}

std::string tegula::takeGpuFailure() { return std::exchange(failure, {}); }
