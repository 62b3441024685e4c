// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/KeySorters.h"

#if defined(__x86_64__)
#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace tegula;

#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
namespace {

#include "tegula/launch/routines/ScalarSteps.inc"
#include "tegula/launch/routines/SortKeys.inc"
// After it, whose vectors it uses.
#include "tegula/launch/routines/SelectKeys.inc"

} // namespace
#pragma clang attribute pop

const KeySorter tegula::keySorterAvx2 = {sortRowOf, readKeysOf, sortKeys,
                                         findFirstOf};
#endif
