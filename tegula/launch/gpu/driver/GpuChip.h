// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a GPU is and can do, as its driver says.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_GPUCHIP_H
#define TEGULA_LAUNCH_GPU_DRIVER_GPUCHIP_H

#include <cstdint>
#include <string>

namespace tegula {

/// What computes: the ordinary cores, or the tensor cores, which take twice as
/// long for operands of TF32, and half as long for those of one byte.
enum class GpuCores { Ordinary, Tensor, TensorTf32, TensorBytes };

/// A GPU.
struct GpuChip {
  /// Its kind: 9.0 is `sm_90`.
  int major = 0, minor = 0;
  int64_t numSMs = 0;
  /// Clock cycles per second.
  double clock = 0;

  /// Multiplications and additions in a second: of FP32, and of BF16 or TF32 on
  /// its tensor cores.
  double getPeak(GpuCores cores) const;
};

/// The GPU with a number, or if that is negative the one of the thread's
/// context, or the first. False if there is none; then `problem` says why.
bool findGpuChip(int device, GpuChip &chip, std::string &problem);

/// Bytes in a second, read and written, when that GPU copies memory; both
/// halves together take `bytes`. Zero if it cannot.
double measureGpuCopyRate(int device, uint64_t bytes);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_DRIVER_GPUCHIP_H
