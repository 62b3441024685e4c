// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arguments that stay in memory of a GPU over many calls, for those who
/// measure.

#ifndef TEGULA_LAUNCH_GPU_GPUARGUMENTS_H
#define TEGULA_LAUNCH_GPU_GPUARGUMENTS_H

#include "tegula/launch/Problem.h"
#include "tegula/launch/call/Argument.h"
#include "tegula/launch/gpu/GpuStream.h"

#include <memory>
#include <vector>

namespace tegula {

/// Copies of tensors in memory of the first GPU, and the numbers beside them.
/// What calls write is not copied back.
class GpuArguments {
public:
  static Problem make(llvm::ArrayRef<Argument> arguments,
                      std::unique_ptr<GpuArguments> &made);
  ~GpuArguments();
  GpuArguments(const GpuArguments &) = delete;
  GpuArguments &operator=(const GpuArguments &) = delete;

  llvm::ArrayRef<Argument> get() const { return arguments; }
  const GpuStream &getStream() const { return gpuStream; }

private:
  GpuArguments() { gpuStream.device = 0; }

  GpuStream gpuStream;
  std::vector<Argument> arguments;
  std::vector<uint64_t> memory;
};

/// Waits until what was launched at a place is done.
Problem finishGpuCalls(const GpuStream &gpuStream);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUARGUMENTS_H
