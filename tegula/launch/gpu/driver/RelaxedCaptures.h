// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// While it lives, this thread may load code and allocate memory although a
/// stream of somebody else becomes a graph. The driver would else give that
/// graph up.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_RELAXEDCAPTURES_H
#define TEGULA_LAUNCH_GPU_DRIVER_RELAXEDCAPTURES_H

#include "tegula/launch/gpu/driver/CudaDriver.h"

namespace tegula::cuda {

class RelaxedCaptures {
public:
  explicit RelaxedCaptures(const Driver &driver) : driver(driver) {
    exchange();
  }
  ~RelaxedCaptures() { exchange(); }
  RelaxedCaptures(const RelaxedCaptures &) = delete;
  RelaxedCaptures &operator=(const RelaxedCaptures &) = delete;

private:
  void exchange() {
    if (driver.exchangeCaptureMode)
      driver.exchangeCaptureMode(&mode);
  }

  const Driver &driver;
  /// The thread's mode until it ends, and the one that it had.
  int mode = relaxedCaptures;
};

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_DRIVER_RELAXEDCAPTURES_H
