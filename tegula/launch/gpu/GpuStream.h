// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where on which GPU calls of a thread run.

#ifndef TEGULA_LAUNCH_GPU_GPUSTREAM_H
#define TEGULA_LAUNCH_GPU_GPUSTREAM_H

#include "tegula/launch/Problem.h"

#include <string>
#include <string_view>

namespace tegula {

/// A GPU by its number, and a stream of it. Who names a GPU has all tensors in
/// its memory.
struct GpuStream {
  /// Negative if nobody named one: then it is the GPU of the thread's context,
  /// or else the first, and tensors may be anywhere.
  int device = -1;
  /// Null is the default stream.
  void *stream = nullptr;

  bool isNamed() const { return device >= 0; }
};

/// The device and stream for calls of this thread.
const GpuStream &getGpuStream();

/// Sets it for a while.
class GpuStreamScope {
public:
  explicit GpuStreamScope(const GpuStream &gpuStream);
  ~GpuStreamScope();
  GpuStreamScope(const GpuStreamScope &) = delete;
  GpuStreamScope &operator=(const GpuStreamScope &) = delete;

private:
  GpuStream before;
};

/// Whether kernels for that target take tensors in memory of a GPU.
bool isGpuTarget(std::string_view target);

/// Whether calls of kernels for that target can be explained
/// (GpuExplanation.h).
bool isGpuProgram(std::string_view target);

/// The target that kernels for a GPU are compiled for, such as `cuda:sm_90a`.
Problem findGpuTarget(int device, std::string &target);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUSTREAM_H
