// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files in shared memory by which ranks of one machine find each other when
/// MPI starts. MPI removes them when it ends, which ranks that are killed do
/// not come to.

#ifndef TEGULA_DIST_MPI_SHAREDNAMES_H
#define TEGULA_DIST_MPI_SHAREDNAMES_H

namespace tegula {

/// Removes the name of the file by which others found this rank. All ranks that
/// MPI knows have mapped it already.
void removeSharedName();

} // namespace tegula

#endif // TEGULA_DIST_MPI_SHAREDNAMES_H
