// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the function of a device to code for its chip.

#ifndef TEGULA_BACKENDS_CUDA_ASSEMBLER_DEVICEMODULE_H
#define TEGULA_BACKENDS_CUDA_ASSEMBLER_DEVICEMODULE_H

#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// How code of a device is written down.
enum class DeviceText { LlvmIr, Ptx };

/// The functions of a module at stage `device`, for a chip such as `sm_90a`, as
/// text.
Expected<std::string> printDeviceCode(mlir::ModuleOp module,
                                      const std::string &chip, DeviceText text);

/// The functions of a module in the LLVM dialect, as LLVM's bitcode.
std::string writeBitcode(mlir::ModuleOp module);

/// The text assembled for the chip, if there is an assembler; else the text
/// itself, which drivers assemble.
Expected<std::string> assemble(const std::string &ptx, const std::string &chip);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ASSEMBLER_DEVICEMODULE_H
