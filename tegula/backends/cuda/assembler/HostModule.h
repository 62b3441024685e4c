// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The code of the host that launches a kernel, and that of the device.

#ifndef TEGULA_BACKENDS_CUDA_ASSEMBLER_HOSTMODULE_H
#define TEGULA_BACKENDS_CUDA_ASSEMBLER_HOSTMODULE_H

#include "tegula/backends/cuda/assembler/EmulatedCode.h"
#include "tegula/launch/call/Signature.h"
#include "tegula/launch/gpu/GpuProgram.h"
#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace tegula {

/// Takes the epilogue of a matmul away: its functions as LLVM's bitcode. Empty
/// if the kernel is none.
Expected<std::string> takeEpilogue(mlir::ModuleOp module);

/// What is known of the kernel of a module that was distributed, but its code.
/// Its blocks have so many threads, unless the code says otherwise.
GpuProgram describeKernel(mlir::ModuleOp module, const Signature &signature,
                          int64_t threads);

/// Runs buildCudaHostPipeline and puts the program into the code of the host.
/// An emulated GPU runs the kernels of that code, and those that the chip has
/// besides.
Error lowerHost(mlir::ModuleOp module, const GpuProgram &program,
                const std::optional<EmulatedKernels> &emulated);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ASSEMBLER_HOSTMODULE_H
