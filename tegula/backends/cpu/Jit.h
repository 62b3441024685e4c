// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the LLVM dialect to machine code, and to text.

#ifndef TEGULA_BACKENDS_CPU_JIT_H
#define TEGULA_BACKENDS_CPU_JIT_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/ObjectFile.h"
#include "tegula/launch/CodeLibrary.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace tegula {

/// What a kernel is compiled to: a shared library that any process can load.
struct NativeImage {
  FileBytes code;
  /// The symbol of the kernel, a TegulaKernel.
  std::string entry;
  /// The places that can report errors, by TegulaCallState::site; "" if
  /// unknown.
  std::vector<std::string> sites;
};

/// Machine code of one kernel, loaded.
struct NativeKernel {
  /// Keeps the code alive.
  std::shared_ptr<CodeLibrary> code;
  /// Callable from any thread.
  TegulaKernel entry = nullptr;
  /// As in NativeImage.
  std::vector<std::string> sites;
};

/// Compiles a module that went through buildCpuPipeline.
llvm::Expected<NativeImage> compileToImage(mlir::ModuleOp module,
                                           const CpuOptions &options);

/// The same, and loads the code.
llvm::Expected<NativeKernel> compileToNative(mlir::ModuleOp module,
                                             const CpuOptions &options);

/// The optimised LLVM IR as text.
llvm::Expected<std::string> printLlvm(mlir::ModuleOp module,
                                      const CpuOptions &options);

/// The assembly as text.
llvm::Expected<std::string> printAsm(mlir::ModuleOp module,
                                     const CpuOptions &options);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_JIT_H
