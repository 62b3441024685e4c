// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/KeySorters.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace tegula;

namespace {

namespace plain {
#include "tegula/launch/routines/ScalarSteps.inc"
#include "tegula/launch/routines/SortKeys.inc"
// After it, whose vectors it uses.
#include "tegula/launch/routines/SelectKeys.inc"
} // namespace plain

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
namespace avx2 {
#include "tegula/launch/routines/ScalarSteps.inc"
#include "tegula/launch/routines/SortKeys.inc"
// After it, whose vectors it uses.
#include "tegula/launch/routines/SelectKeys.inc"
} // namespace avx2
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx512f"))),               \
                             apply_to = function)
namespace avx512 {
#include "tegula/launch/routines/CompressSteps.inc"
#include "tegula/launch/routines/SortKeys.inc"
// After it, whose vectors it uses.
#include "tegula/launch/routines/SelectKeys.inc"
} // namespace avx512
#pragma clang attribute pop
#endif

} // namespace

const KeySorter tegula::keySorterPlain = {plain::sortRowOf, plain::readKeysOf,
                                          plain::sortKeys, plain::findFirstOf};
#if defined(__x86_64__)
const KeySorter tegula::keySorterAvx2 = {avx2::sortRowOf, avx2::readKeysOf,
                                         avx2::sortKeys, avx2::findFirstOf};
const KeySorter tegula::keySorterAvx512 = {avx512::sortRowOf,
                                           avx512::readKeysOf, avx512::sortKeys,
                                           avx512::findFirstOf};
#endif
