// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/KeySorters.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace tegula;

namespace {

#include "tegula/launch/routines/ScalarSteps.inc"
#include "tegula/launch/routines/SortKeys.inc"
// After it, whose vectors it uses.
#include "tegula/launch/routines/SelectKeys.inc"

} // namespace

const KeySorter tegula::keySorterPlain = {sortRowOf, readKeysOf, sortKeys,
                                          findFirstOf};
