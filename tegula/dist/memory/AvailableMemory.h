// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much memory can be had without ending some process.

#ifndef TEGULA_DIST_MEMORY_AVAILABLEMEMORY_H
#define TEGULA_DIST_MEMORY_AVAILABLEMEMORY_H

#include <cstdint>

namespace tegula {

/// Bytes that the machine, and the control group of this process, still have;
/// if it is to be `shared` between processes, also what fits where that lies.
int64_t readAvailableMemory(bool shared);

} // namespace tegula

#endif // TEGULA_DIST_MEMORY_AVAILABLEMEMORY_H
