// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a matmul of the IR is to the code for GPUs.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_MATMULELEMENT_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_MATMULELEMENT_H

#include "tegula/launch/gpu/variants/GpuElement.h"
#include "tegula/transforms/rows/RowwiseKernel.h"

namespace tegula {

/// The element of its operands, with the precision if GPUs make use of it.
GpuElement getElement(const RowMatmul &matmul);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_MATMULELEMENT_H
