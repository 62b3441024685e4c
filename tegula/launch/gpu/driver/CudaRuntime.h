// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// NVIDIA's GPUs for those who call kernels without knowing them.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_CUDARUNTIME_H
#define TEGULA_LAUNCH_GPU_DRIVER_CUDARUNTIME_H

#include "tegula/launch/device/DeviceRuntime.h"

namespace tegula {

class CudaRuntime : public DeviceRuntime {
public:
  const char *getName() const override { return "the GPU"; }
  int32_t getDlpackType() const override { return 2; }
  bool runs(std::string_view target) const override;
  bool describes(std::string_view target) const override;
  /// Such as `cuda:sm_90a`.
  Problem findTarget(int device, std::string &target) const override;
  Problem copy(llvm::ArrayRef<Argument> arguments,
               std::unique_ptr<DeviceArguments> &made) const override;
  Problem synchronize(const DeviceStream &stream) const override;
  double measureCopyRate(int device, uint64_t bytes) const override;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_DRIVER_CUDARUNTIME_H
