// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problems of the launch library as LLVM's errors, and back.

#ifndef TEGULA_RUNTIME_PROBLEMERROR_H
#define TEGULA_RUNTIME_PROBLEMERROR_H

#include "tegula/launch/Problem.h"
#include "tegula/support/Error.h"

namespace tegula {

/// An error with the same message; success if there is no problem. What is
/// wrong with a kernel is a KernelError.
[[nodiscard]] Error toError(const Problem &problem);

/// The same error as one of the machine, if the system refused something, or
/// else of the compiler. For text errors of steps where the kernel is right.
[[nodiscard]] Error blame(Error error);

/// A problem with the same message; of `kind` unless the error says itself that
/// it is the kernel's, the machine's or the compiler's.
Problem toProblem(Error error, Problem::Kind kind = Problem::Kind::System);

} // namespace tegula

#endif // TEGULA_RUNTIME_PROBLEMERROR_H
