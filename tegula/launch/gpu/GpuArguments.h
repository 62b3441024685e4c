// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arguments that stay in memory of a GPU over many calls, for those who
/// measure.

#ifndef TEGULA_LAUNCH_GPU_GPUARGUMENTS_H
#define TEGULA_LAUNCH_GPU_GPUARGUMENTS_H

#include "tegula/launch/device/DeviceRuntime.h"

namespace tegula {

/// Those of the first GPU.
class GpuArguments : public DeviceArguments {
public:
  static Problem make(llvm::ArrayRef<Argument> arguments,
                      std::unique_ptr<GpuArguments> &made);
  ~GpuArguments() override;

private:
  GpuArguments() { stream.device = 0; }

  std::vector<uint64_t> memory;
};

/// Waits until what was launched on a stream is done.
Problem finishGpuCalls(const DeviceStream &stream);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUARGUMENTS_H
