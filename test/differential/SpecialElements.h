// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elements at the limits of their type.

#ifndef TEGULA_TEST_DIFFERENTIAL_SPECIALELEMENTS_H
#define TEGULA_TEST_DIFFERENTIAL_SPECIALELEMENTS_H

#include "tegula/support/DType.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// What is no number, or no finite one, or -0.0.
double oddElement(Random &random);

/// The largest and the smallest of the type, what is next to 1, or an odd one.
double specialFloat(Random &random, DType dtype);

/// The least, the greatest, their neighbours, -1, 0, 1 and the width of the
/// type, as far as INT64 has them.
int64_t integerAtLimit(Random &random, DType dtype);

/// The smallest number above 0.
double getSmallest(DType dtype);

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_SPECIALELEMENTS_H
