// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sorters of keys, each of which needs a processor that has what it is
/// named for.

#ifndef TEGULA_LAUNCH_ROUTINES_KEYSORTERS_H
#define TEGULA_LAUNCH_ROUTINES_KEYSORTERS_H

#include "tegula/launch/routines/KeySorter.h"

namespace tegula {

extern const KeySorter keySorterPlain;
extern const KeySorter keySorterAvx2;
extern const KeySorter keySorterAvx512;

} // namespace tegula

#endif // TEGULA_LAUNCH_ROUTINES_KEYSORTERS_H
