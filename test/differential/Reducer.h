// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes a program that fails smaller while it goes on failing in the same way.

#ifndef TEGULA_TEST_DIFFERENTIAL_REDUCER_H
#define TEGULA_TEST_DIFFERENTIAL_REDUCER_H

#include "test/differential/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::differential {

/// The smallest program found for which `stillFails` holds; it is asked at most
/// `maxTries` times. Statements are deleted or replaced by their bodies,
/// expressions by parts of them, and parameters that nothing names go.
Program reduce(Program program,
               llvm::function_ref<bool(const Program &)> stillFails,
               unsigned maxTries = 400);

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_REDUCER_H
