// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problems of a call as LLVM's errors.

#ifndef TEGULA_RUNTIME_PROBLEMERROR_H
#define TEGULA_RUNTIME_PROBLEMERROR_H

#include "tegula/launch/Problem.h"
#include "tegula/support/Error.h"

namespace tegula {

/// An error with the same message; success if there is no problem.
[[nodiscard]] inline Error toError(const Problem &problem) {
  return problem ? makeTextError(problem.getText()) : Error::success();
}

} // namespace tegula

#endif // TEGULA_RUNTIME_PROBLEMERROR_H
