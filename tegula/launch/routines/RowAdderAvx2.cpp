// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/RowAdder.h"

#if defined(__x86_64__)

using namespace tegula;

#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
namespace {

constexpr int vectorBytes = 32;

#include "tegula/launch/routines/AddRows.inc"

} // namespace
#pragma clang attribute pop

AddRows tegula::getRowAdderAvx2(DType dtype) { return adderOf(dtype); }
#endif
