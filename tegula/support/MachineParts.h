// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many of what there is on a machine, as far as kernels ask.

#ifndef TEGULA_SUPPORT_MACHINEPARTS_H
#define TEGULA_SUPPORT_MACHINEPARTS_H

#include <cstdint>

namespace tegula {

/// What a machine has several of.
enum class MachinePart { Clusters, VectorCores };

/// Numbers of a machine. Those of one that says nothing are as most kernels
/// expect them.
struct MachineParts {
  int64_t clusters = 32;
  int64_t vectorCores = 64;

  int64_t count(MachinePart part) const {
    return part == MachinePart::Clusters ? clusters : vectorCores;
  }
};

} // namespace tegula

#endif // TEGULA_SUPPORT_MACHINEPARTS_H
