// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the simulator's own files lie: machines, and measured silicon.

#ifndef TEGULA_SIM_MACHINE_SHIPPEDFILES_H
#define TEGULA_SIM_MACHINE_SHIPPEDFILES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tegula::sim {

/// The folder `name` of the shipped files, found from where this code was
/// loaded: the build folder and an installation lie alike.
std::string getShippedFolder(llvm::StringRef name);

} // namespace tegula::sim

#endif // TEGULA_SIM_MACHINE_SHIPPEDFILES_H
