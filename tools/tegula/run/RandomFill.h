// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random data that is the same for one seed on every machine.

#ifndef TEGULA_TOOLS_RANDOMFILL_H
#define TEGULA_TOOLS_RANDOMFILL_H

#include "tegula/support/Array.h"
#include <cstdint>

namespace tegula {

/// Fills `array`: floats are close to normally distributed with mean 0 and
/// deviation 1, integers lie between -8 and 8 (unsigned ones between 0 and 8).
void fillRandomly(const Array &array, uint64_t seed);

} // namespace tegula

#endif // TEGULA_TOOLS_RANDOMFILL_H
