// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the libraries of this Tegula lie.

#ifndef TEGULA_LAUNCH_IMAGE_OWNFOLDER_H
#define TEGULA_LAUNCH_IMAGE_OWNFOLDER_H

#include <string>

namespace tegula {

/// The folder of this library, with its last slash; empty if unknown.
std::string getOwnFolder();

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_OWNFOLDER_H
