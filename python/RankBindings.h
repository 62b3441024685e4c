// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The part of the extension behind tegula.ranks.

#ifndef TEGULA_PYTHON_RANKBINDINGS_H
#define TEGULA_PYTHON_RANKBINDINGS_H

#include "tegula/launch/Problem.h"

#include <nanobind/nanobind.h>

namespace tegula {

/// Raises a problem as the exception it is, if it is one.
void throwProblem(const Problem &problem);

void bindRanks(nanobind::module_ &module);

} // namespace tegula

#endif // TEGULA_PYTHON_RANKBINDINGS_H
