// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code of GPUs that this processor runs.

#ifndef TEGULA_BACKENDS_CUDA_ASSEMBLER_EMULATEDCODE_H
#define TEGULA_BACKENDS_CUDA_ASSEMBLER_EMULATEDCODE_H

#include "tegula/support/Error.h"

#include "llvm/IR/Module.h"

namespace tegula {

/// Behind the name of a kernel: the function that takes the addresses of its
/// parameters.
inline constexpr llvm::StringLiteral emulatedSuffix = "_emulated";

/// Kernels that a chip has besides the one of the program, for this processor.
struct EmulatedKernels {
  /// LLVM's bitcode of functions that take the addresses of parameters.
  std::string bitcode;
  /// What the kernels are called without the suffix.
  std::vector<std::string> names;
};

/// Makes a module of kernels, optimised for a chip of NVIDIA's, one that any
/// processor runs: instructions and what threads ask become calls of
/// tegula/backends/cuda/emulator, shared memory that of the emulated block, and
/// every kernel gets a function that takes the addresses of its parameters.
Expected<EmulatedKernels> emulateKernels(llvm::Module &module);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ASSEMBLER_EMULATEDCODE_H
