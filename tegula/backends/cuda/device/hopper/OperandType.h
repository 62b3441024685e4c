// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What elements of operands are to matmuls of Hopper chips. In bytes all types
/// are alike: a step has 128 of each row and column, a matmul takes 32.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_OPERANDTYPE_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_OPERANDTYPE_H

#include "tegula/launch/gpu/abi/MatmulAbi.h"

namespace tegula::hopper {

/// An element type of operands.
enum class OperandType { Bf16, Fp16, Tf32, Int8, Uint8, E4M3FN, E5M2 };

/// Bytes of a row, or of a column, that a buffer has, and those that one
/// matmul takes.
inline constexpr int32_t rowBytes = 128, wgmmaBytes = 32;
inline constexpr int32_t wgmmasPerStep = rowBytes / wgmmaBytes;

template <OperandType Type> struct OperandTraits {
  /// Sums are INT32, and travel as bits of floats.
  static constexpr bool isInteger =
      Type == OperandType::Int8 || Type == OperandType::Uint8;
  /// Tensor cores keep few bits of sums, which are added up step by step.
  static constexpr bool isAddedUp =
      Type == OperandType::E4M3FN || Type == OperandType::E5M2;
  static constexpr int32_t bytes = isInteger || isAddedUp      ? 1
                                   : Type == OperandType::Tf32 ? 4
                                                               : 2;
  /// Elements that are summed up in a step.
  static constexpr int32_t depth = tegulaMatmulDepth(bytes);
  /// Columns that are contiguous in one box of an rhs that is given
  /// with its rows, and how many bytes it has.
  static constexpr int32_t boxColumns = rowBytes / bytes;
  static constexpr int32_t boxBytes = depth * rowBytes;
};

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_OPERANDTYPE_H
