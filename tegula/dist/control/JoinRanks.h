// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a process becomes a rank. What knows MPI is a library of its own, loaded
/// here, so that all else works without it.

#ifndef TEGULA_DIST_CONTROL_JOINRANKS_H
#define TEGULA_DIST_CONTROL_JOINRANKS_H

#include "tegula/dist/control/ProcessRanks.h"

namespace tegula {

/// Whom to join.
struct JoinOptions {
  /// The address of an MPI_Comm; null for all ranks that were started.
  const void *communicator = nullptr;
  /// True if a separate process begins calls.
  bool hasController = false;
};

/// True if this process was started as one of several ranks.
bool isStartedAsRank();

/// Joins the others, which do so too. TEGULA_RANKS_TRANSPORT=mpi makes ranks of
/// one machine send messages as those of several do.
Problem joinRanks(JoinOptions options, std::unique_ptr<ProcessRanks> &ranks);

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_JOINRANKS_H
