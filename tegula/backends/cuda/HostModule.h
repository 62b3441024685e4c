// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The code of the host that launches a kernel, and that of the device.

#ifndef TEGULA_BACKENDS_CUDA_HOSTMODULE_H
#define TEGULA_BACKENDS_CUDA_HOSTMODULE_H

#include "tegula/backends/cuda/EmulatedCode.h"
#include "tegula/launch/call/Signature.h"
#include "tegula/launch/gpu/GpuProgram.h"
#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace tegula {

/// Puts the variants of a row-wise kernel next to it.
void takeRowVariants(mlir::ModuleOp module);

/// Takes the epilogue of a matmul away: functions as LLVM's bitcode. Empty if
/// there is none.
Expected<std::string> takeMatmulEpilogue(mlir::ModuleOp module);

/// What is known of the kernel of a module that was distributed, but its code.
GpuProgram describeKernel(mlir::ModuleOp module, const Signature &signature);

/// Puts the program into the code of the host and brings it to the LLVM
/// dialect. The kernel itself is kept only to be emulated, with those that the
/// chip has beside it.
Error lowerHost(mlir::ModuleOp module, const GpuProgram &program,
                const std::optional<EmulatedKernels> &emulated);

/// Leaves the function of the device and what it calls, in the LLVM dialect.
Error keepDevice(mlir::ModuleOp module);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_HOSTMODULE_H
