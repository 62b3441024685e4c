// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An operand of a matmul that kernels do not take as it is: it is copied to
/// memory of this call first.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_OPERANDCOPY_H
#define TEGULA_LAUNCH_GPU_VARIANTS_OPERANDCOPY_H

#include "tegula/launch/gpu/abi/TileAbi.h"
#include "tegula/launch/gpu/driver/CudaScratch.h"
#include "tegula/launch/gpu/variants/GpuMatmul.h"

#include <string>

namespace tegula::cuda {

class OperandCopy {
public:
  OperandCopy(const Driver &driver, Stream queue) : memory(driver, queue) {}

  /// Takes memory for a matrix whose elements become such of so many bytes, and
  /// whose rows begin at multiples of `line` elements. It is there then. False
  /// if there is no memory.
  bool take(GpuMatrix &matrix, int64_t bytes, int64_t line);

  /// What kernels that copy are told. Without `take` it has no rows.
  TegulaTileCopy numbers{};

private:
  Scratch memory;
};

/// Launches the kernel of that name, which copies what its parameters say.
Result launchCopy(const Driver &driver, Module module, const std::string &name,
                  int64_t numSMs, Stream queue, void **parameters);

} // namespace tegula::cuda

#endif // TEGULA_LAUNCH_GPU_VARIANTS_OPERANDCOPY_H
