// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The context of a GPU, for the time of one call.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_CUDACONTEXT_H
#define TEGULA_LAUNCH_GPU_DRIVER_CUDACONTEXT_H

#include "tegula/launch/device/DeviceStream.h"
#include "tegula/launch/gpu/driver/CudaDriver.h"

namespace tegula::cuda {

/// Enters the context of a device, unless the thread is in it already. Where
/// nobody named a GPU and the thread has no context, it stays in the first
/// one's.
class ContextScope {
public:
  explicit ContextScope(const Driver &driver) : driver(driver) {}
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// Who knows a context says of which device, which then is not asked for.
  Result enter(const DeviceStream &stream, Context known = nullptr,
               Device ofKnown = -1);
  Context get() const { return context; }

private:
  const Driver &driver;
  Context context = nullptr;
  bool isPushed = false;
};

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_DRIVER_CUDACONTEXT_H
