// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tensors of the host in memory of a GPU, for one call.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_HOSTTENSORS_H
#define TEGULA_LAUNCH_GPU_DRIVER_HOSTTENSORS_H

#include "tegula/launch/gpu/GpuProgram.h"
#include "tegula/launch/gpu/driver/CudaDriver.h"

#include <vector>

namespace tegula::cuda {

/// Copies the tensors of a call that are not on the GPU already. Tensors whose
/// bytes lie between each other's share a copy, and only elements of what is
/// written come back.
class HostTensors {
public:
  HostTensors(const Driver &driver, const GpuProgram &program,
              const int64_t *slots, Stream stream);
  ~HostTensors();
  HostTensors(const HostTensors &) = delete;
  HostTensors &operator=(const HostTensors &) = delete;

  /// The slots of the call with addresses of the GPU.
  const int64_t *getSlots() const {
    return slots.empty() ? given : slots.data();
  }
  bool isEmpty() const { return ranges.empty(); }
  Result copyIn();
  /// Waits for the GPU.
  Result copyOut();

private:
  /// Bytes of the host, and where their copy is.
  struct Range {
    Address start, end;
    Address copy;
  };

  bool isOnHost(Address address) const;
  const Range &findRange(Address address) const;

  const Driver &driver;
  const GpuProgram &program;
  Stream stream;
  const int64_t *given;
  /// Empty if there are no copies.
  std::vector<int64_t> slots;
  std::vector<Range> ranges;
  /// Which tensors of the program have copies.
  std::vector<size_t> copied;
};

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_DRIVER_HOSTTENSORS_H
