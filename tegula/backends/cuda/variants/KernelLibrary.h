// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that are compiled with Tegula itself
/// (tegula/backends/cuda/device/hopper and tiles), for one program.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_KERNELLIBRARY_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_KERNELLIBRARY_H

#include "tegula/backends/cuda/assembler/EmulatedCode.h"
#include "tegula/launch/gpu/variants/GpuAttention.h"
#include "tegula/launch/gpu/variants/GpuMatmul.h"
#include "tegula/support/Error.h"

namespace tegula {

/// Whether the chip has tuned code for matmuls and attention.
bool hasMatmuls(llvm::StringRef chip);

/// The kernels of such a matmul, as text for the assembler. `store` is LLVM's
/// bitcode of the epilogue.
Expected<std::string> printMatmuls(const std::string &chip,
                                   const GpuMatmul &matmul,
                                   llvm::StringRef store);

/// Whether the chip multiplies in tiles (tegula/backends/cuda/device/tiles).
bool hasTiles(llvm::StringRef chip);

/// The kernels of such a tiled matmul, the same.
Expected<std::string> printTiles(const std::string &chip, GpuElement element,
                                 llvm::StringRef store);

/// The kernel of such attention, as text for the assembler.
Expected<std::string> printAttention(const std::string &chip,
                                     const GpuAttention &attention);

/// The same kernels for this processor, which emulates the chip.
Expected<EmulatedKernels> emulateMatmuls(const std::string &chip,
                                         const GpuMatmul &matmul,
                                         llvm::StringRef store);
Expected<EmulatedKernels> emulateTiles(const std::string &chip,
                                       GpuElement element,
                                       llvm::StringRef store);
Expected<EmulatedKernels> emulateAttention(const std::string &chip,
                                           const GpuAttention &attention);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_KERNELLIBRARY_H
