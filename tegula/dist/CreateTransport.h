// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the library that knows MPI defines for the one that loads it.

#ifndef TEGULA_DIST_CREATETRANSPORT_H
#define TEGULA_DIST_CREATETRANSPORT_H

#include "tegula/dist/Transport.h"

extern "C" {

/// Joins the ranks of the MPI_Comm at `communicator`, or of all if it is null;
/// all of them call it. `kind` is "mpi" to send messages even where memory
/// could be mapped. Null with a problem, otherwise the caller owns it.
tegula::Transport *tegulaCreateTransport(const void *communicator,
                                         const char *kind,
                                         tegula::Problem *problem);
}

#endif // TEGULA_DIST_CREATETRANSPORT_H
