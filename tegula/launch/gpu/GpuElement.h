// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Element types of operands that matmuls on GPUs have variants for.

#ifndef TEGULA_LAUNCH_GPU_GPUELEMENT_H
#define TEGULA_LAUNCH_GPU_GPUELEMENT_H

#include "tegula/launch/Fields.h"

#include <cstdint>

namespace tegula {

/// Tf32 is FP32 that may be rounded to it, TensorE4M3FN and TensorE5M2 are FP8
/// that tensor cores may sum up with fewer bits. Numbers are written down in
/// programs.
enum class GpuElement {
  Fp16,
  Bf16,
  Fp32,
  Int8,
  Uint8,
  Fp8E4M3FN,
  Fp8E5M2,
  Tf32,
  TensorE4M3FN,
  TensorE5M2
};

template <> struct Enumerators<GpuElement> {
  static constexpr const char *names[] = {
      "fp16",      "bf16",    "fp32", "int8",          "uint8",
      "fp8e4m3fn", "fp8e5m2", "tf32", "tensor_e4m3fn", "tensor_e5m2"};
  static constexpr size_t count = std::size(names);
};

/// What kernels multiply: FP8 is copied to FP16, which has all its values,
/// unless sums may have fewer bits.
GpuElement getMultiplied(GpuElement element);

/// What matmuls in tiles take for it: only Hopper chips sum up FP8.
GpuElement getElementOfTiles(GpuElement element);

/// Whether sums of tensor cores have too few bits to be kept for long, so that
/// others add them up.
inline bool isAddedUp(GpuElement element) {
  return element == GpuElement::TensorE4M3FN ||
         element == GpuElement::TensorE5M2;
}

/// The bytes of an element in memory.
int64_t getElementBytes(GpuElement element);

/// Whether Hopper chips have tuned code for its matmuls: all but
/// FP32, which tensor cores would round.
inline bool hasHopperVariant(GpuElement element) {
  return element != GpuElement::Fp32;
}

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUELEMENT_H
