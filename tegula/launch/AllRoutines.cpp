// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library has every routine of the table: it does not link otherwise.

#include "tegula/launch/gpu/abi/GpuAbi.h"
#include "tegula/launch/image/Standalone.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/PrintAbi.h"
#include "tegula/support/RanksAbi.h"
#include "tegula/support/Routines.h"

#define ROUTINE(NAME, SCOPE, COST) reinterpret_cast<const void *>(&NAME),
[[gnu::used]] static const void *const allRoutines[] = {
    TEGULA_ROUTINES(ROUTINE)};
#undef ROUTINE
