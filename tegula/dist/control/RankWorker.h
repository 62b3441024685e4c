// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank that does what a controlling process says.

#ifndef TEGULA_DIST_CONTROL_RANKWORKER_H
#define TEGULA_DIST_CONTROL_RANKWORKER_H

#include "tegula/launch/Problem.h"

namespace tegula {

/// Joins the other ranks and obeys the commands in the control file at `path`
/// until it is told to stop, or the controller has ended.
Problem runRankWorker(const char *path);

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_RANKWORKER_H
