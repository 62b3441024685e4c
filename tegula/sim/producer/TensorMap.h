// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which tensor an address belongs to.

#ifndef TEGULA_SIM_PRODUCER_TENSORMAP_H
#define TEGULA_SIM_PRODUCER_TENSORMAP_H

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::sim {

/// The memory of a tensor.
struct TracedTensor {
  std::string name;
  int64_t address;
  int64_t bytes;
};

/// The tensors of a call, and those that its kernel makes, which count as one.
class TensorMap {
public:
  explicit TensorMap(std::vector<TracedTensor> tensors);

  /// Addresses behind all others, at a whole page.
  int64_t allocate(int64_t bytes);
  /// Forgets what was allocated.
  void reset();
  /// The number of the tensor at the address.
  int32_t find(int64_t address) const;
  /// Those of the call, then one for all that the kernel makes.
  const std::vector<TracedTensor> &getTensors() const { return tensors; }

private:
  std::vector<TracedTensor> tensors;
  int64_t firstFree;
  int64_t nextFree;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PRODUCER_TENSORMAP_H
