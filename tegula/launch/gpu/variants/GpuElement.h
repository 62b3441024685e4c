// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Element types of operands that matmuls on GPUs have variants for, and what
/// follows for them from the table (abi/GpuOperandType.h).

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_GPUELEMENT_H
#define TEGULA_LAUNCH_GPU_VARIANTS_GPUELEMENT_H

#include "tegula/launch/Fields.h"
#include "tegula/launch/gpu/abi/GpuOperandType.h"

#include <string_view>

namespace tegula {

enum class GpuElement {
#define ROW(NAME, ...) NAME,
  TEGULA_GPU_ELEMENTS(ROW)
#undef ROW
};

template <> struct Enumerators<GpuElement> {
  static constexpr const char *names[] = {
#define ROW(NAME, WORD, ...) WORD,
      TEGULA_GPU_ELEMENTS(ROW)
#undef ROW
  };
  static constexpr size_t count = std::size(names);
};

/// Which code multiplies: that of Hopper chips, or that in tiles, since sm_80.
enum class MatmulCode { Hopper, Tiles };

/// The element of a matmul of such tensors with the precision of that name, or
/// "" for none; nothing if there are no variants for it.
std::optional<GpuElement> findElement(DType dtype, std::string_view precision);

/// The bytes of an element in memory.
int64_t getElementBytes(GpuElement element);

/// What is multiplied: that is what kernels are made for.
GpuOperandType getOperandType(GpuElement element, MatmulCode code);

/// Whether elements are copied to become what is multiplied: FP8 becomes FP16,
/// which has all its values, unless accumulators may have fewer bits.
bool isConverted(GpuElement element, MatmulCode code);

/// The end of the names of kernels that copy operands: how many bytes are
/// copied, or what is converted.
const char *getCopyName(GpuElement element, MatmulCode code);

/// What is said of the precision that the author asked for, if the code makes
/// use of it: "in TF32". Null if it multiplies exactly.
const char *getRoundingWords(GpuElement element, MatmulCode code);

/// By how much results with such a precision differ, relative to the sum of the
/// terms' sizes, in that code: 0 if it makes no use of it.
double getRounding(std::string_view precision, MatmulCode code);

/// Whether Hopper chips have tuned code for its matmuls: all but
/// FP32, which tensor cores would round.
inline bool hasHopperVariant(GpuElement element) {
  return getKind(getOperandType(element, MatmulCode::Hopper)) !=
         GpuOperandKind::Ordinary;
}

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_GPUELEMENT_H
