// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How random kernels are compiled: not all in one way. Loops run on threads
/// however short they are.

#ifndef TEGULA_TEST_DIFFERENTIAL_CONFIGURATION_H
#define TEGULA_TEST_DIFFERENTIAL_CONFIGURATION_H

#include "tegula/backends/cpu/CpuTarget.h"
#include "tegula/sim/machine/Machine.h"

namespace tegula::differential {

/// How many there are; each seed takes the one of its remainder.
inline constexpr uint64_t numConfigurations = 12;
/// One more, only where it is asked for: a GPU that is emulated, with tiles in
/// memory.
inline constexpr uint64_t memoryConfiguration = numConfigurations;

/// For this machine or for x86-64-v3, whose vectors have 256 bits; cut into
/// functions where it is large, or everywhere; with the tiles of the machine,
/// or for the one in MadeUpMachine.h; matmuls as their sizes say, or always in
/// one way. Or not compiled, but interpreted when core regions are functions.
/// Or for a small NPU, with memories of their own for matmuls or without, on
/// which every call is simulated as well. Or for a GPU that is emulated.
struct Configuration {
  std::string name;
  std::shared_ptr<const Target> target;
  /// Not there if the target is not simulated.
  std::optional<sim::Machine> machine;

  explicit Configuration(uint64_t seed);
};

/// So many threads for whatever is compiled in this process from now on.
void useThreads(unsigned count);

/// All programs run so from here on, whatever their numbers; or by their
/// numbers again.
void useConfiguration(std::optional<uint64_t> number);

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_CONFIGURATION_H
