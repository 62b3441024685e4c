// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/order/KeySorters.h"

#include <algorithm>

using namespace tegula;

namespace {

#include "tegula/launch/order/ScalarSteps.inc"
#include "tegula/launch/order/SortKeys.inc"
// After it, whose vectors it uses.
#include "tegula/launch/order/SelectKeys.inc"

} // namespace

const KeySorter tegula::keySorterPlain = {sortRowOf, readKeysOf, sortKeys,
                                          findFirstOf};
