// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of a GPU for one call.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_CUDASCRATCH_H
#define TEGULA_LAUNCH_GPU_DRIVER_CUDASCRATCH_H

#include "tegula/launch/gpu/driver/CudaDriver.h"

namespace tegula::cuda {

/// Given back behind what was launched.
class Scratch {
public:
  Scratch(const Driver &driver, Stream stream)
      : driver(driver), stream(stream) {}
  ~Scratch() {
    if (address)
      driver.free(address, stream);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  Result allocate(int64_t bytes) {
    return driver.allocate(&address, bytes, stream);
  }
  Address get() const { return address; }

private:
  const Driver &driver;
  Stream stream;
  Address address = 0;
};

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_DRIVER_CUDASCRATCH_H
