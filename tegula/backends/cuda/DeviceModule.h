// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the function of a device to code for its chip.

#ifndef TEGULA_BACKENDS_CUDA_DEVICEMODULE_H
#define TEGULA_BACKENDS_CUDA_DEVICEMODULE_H

#include "tegula/backends/cuda/EmulatedCode.h"
#include "tegula/launch/gpu/GpuAttention.h"
#include "tegula/launch/gpu/GpuProduct.h"
#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// How code of a device is written down.
enum class DeviceText { LlvmIr, Ptx };

/// The device's function of a module that was spread, for a chip such as
/// `sm_90a`, as text. Uses up the module.
Expected<std::string> printDeviceCode(mlir::ModuleOp module,
                                      const std::string &chip, DeviceText text);

/// Whether the chip has a form of its own for products and attention.
bool hasProducts(llvm::StringRef chip);

/// The kernels of such a product, as text for the assembler. `store` is LLVM's
/// bitcode of what becomes of the sums.
Expected<std::string> printProducts(const std::string &chip,
                                    const GpuProduct &product,
                                    llvm::StringRef store);

/// Whether the chip multiplies in tiles (tegula/launch/gpu/tiles).
bool hasTiles(llvm::StringRef chip);

/// The kernels of such a product in tiles, the same.
Expected<std::string> printTiles(const std::string &chip, GpuElement element,
                                 llvm::StringRef store);

/// The functions of a module in the LLVM dialect, as LLVM's bitcode.
std::string writeBitcode(mlir::ModuleOp module);

/// The kernel of such attention, as text for the assembler.
Expected<std::string> printAttention(const std::string &chip,
                                     const GpuAttention &attention);

/// The same kernels for this processor, which emulates the chip.
Expected<EmulatedKernels> emulateProducts(const std::string &chip,
                                          const GpuProduct &product,
                                          llvm::StringRef store);
Expected<EmulatedKernels> emulateTiles(const std::string &chip,
                                       GpuElement element,
                                       llvm::StringRef store);
Expected<EmulatedKernels> emulateAttention(const std::string &chip,
                                           const GpuAttention &attention);

/// The text assembled for the chip, if there is an assembler; else the text
/// itself, which drivers assemble.
Expected<std::string> assemble(const std::string &ptx, const std::string &chip);

/// True if LLVM makes code for the chip.
bool isChip(llvm::StringRef chip);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_DEVICEMODULE_H
