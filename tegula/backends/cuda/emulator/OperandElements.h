// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The numbers that elements of operands are, for every type that matmuls
/// multiply.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_OPERANDELEMENTS_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_OPERANDELEMENTS_H

#include "tegula/launch/gpu/abi/GpuOperandType.h"

namespace tegula::emulator {

/// The number that the bytes of an element are: a float, or an integer that
/// goes round where there are no more. An operand of TF32 that was not rounded
/// is none, and a chip might do anything with it: the launch fails.
template <typename Scalar>
Scalar readElement(GpuOperandType type, const char *bytes);
template <> float readElement(GpuOperandType type, const char *bytes);
template <> uint32_t readElement(GpuOperandType type, const char *bytes);

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_OPERANDELEMENTS_H
