// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/rows/KeySorters.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace tegula;

namespace {

#include "tegula/launch/rows/ScalarSteps.inc"
#include "tegula/launch/rows/SortKeys.inc"
// After it, whose vectors it uses.
#include "tegula/launch/rows/SelectKeys.inc"

} // namespace

const KeySorter tegula::keySorterPlain = {sortRowOf, readKeysOf, sortKeys,
                                          findFirstOf};
