// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What silicon took for workloads: rows of the files in sim/measured.

#ifndef TEGULA_SIM_FIDELITY_MEASUREMENTS_H
#define TEGULA_SIM_FIDELITY_MEASUREMENTS_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/support/Error.h"
#include <string>
#include <vector>

namespace tegula::sim {

/// A workload and what it took, in cycles.
struct Measurement {
  std::string name;
  double cycles;
};

using Measurements = std::vector<Measurement>;

/// The rows of the TPU v3: kernels, then the networks made of them.
struct KernelsAndNetworks {
  Measurements kernels;
  Measurements networks;
};
[[nodiscard]] Expected<KernelsAndNetworks> readKernelsAndNetworks();

/// A matmul and what it took.
struct MeasuredMatmul {
  int64_t m, n, k;
  double microseconds;
};

/// The rows of the TPU v4.
[[nodiscard]] Expected<std::vector<MeasuredMatmul>> readMatmuls();

/// The same as workloads, in cycles of `machine`.
Measurements toMeasurements(const std::vector<MeasuredMatmul> &matmuls,
                            const Machine &machine);

} // namespace tegula::sim

#endif // TEGULA_SIM_FIDELITY_MEASUREMENTS_H
