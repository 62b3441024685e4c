// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What elements of operands are to matmuls of Hopper chips. In bytes all types
/// are alike: a step has 128 of each row and column, a matmul takes 32.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_OPERANDTYPE_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_OPERANDTYPE_H

#include "tegula/launch/gpu/abi/GpuOperandType.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"

namespace tegula::hopper {

using OperandType = GpuOperandType;

/// Bytes of a row, or of a column, that a buffer has, and those that one
/// matmul takes.
inline constexpr int32_t rowBytes = 128, wgmmaBytes = 32;
inline constexpr int32_t wgmmasPerStep = rowBytes / wgmmaBytes;

template <OperandType Type> struct OperandTraits {
  static constexpr int32_t bytes = getBytes(Type);
  /// Elements that are summed up in a step.
  static constexpr int32_t depth = tegulaMatmulDepth(bytes);
  /// Columns that are contiguous in one box of an rhs that is given
  /// with its rows, and how many bytes it has.
  static constexpr int32_t boxColumns = rowBytes / bytes;
  static constexpr int32_t boxBytes = depth * rowBytes;
};

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_OPERANDTYPE_H
