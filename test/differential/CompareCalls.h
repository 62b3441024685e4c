// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether two calls of a kernel gave the same.

#ifndef TEGULA_TEST_DIFFERENTIAL_COMPARECALLS_H
#define TEGULA_TEST_DIFFERENTIAL_COMPARECALLS_H

#include "test/differential/RandomCall.h"
#include "llvm/ADT/StringRef.h"

namespace tegula::differential {

/// Compares tensors, within what orders of evaluation may differ by.
Outcome compare(const Signature &signature, const Call &found,
                const Call &expected, const Sizes &sizes);

/// The same; of kernels in which that is defined, signs of zeros as well, and
/// special elements one by one, exactly where `text` has no function that
/// rounds.
Outcome compareAll(const Signature &signature, const Call &found,
                   const Call &expected, const Sizes &sizes,
                   llvm::StringRef text);

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_COMPARECALLS_H
