// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/SimulatedKernel.h"

using namespace tegula;

SimulatedKernel::~SimulatedKernel() = default;
