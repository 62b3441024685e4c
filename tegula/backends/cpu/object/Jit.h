// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the LLVM dialect to machine code, and to text.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_JIT_H
#define TEGULA_BACKENDS_CPU_OBJECT_JIT_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/object/ObjectFile.h"
#include "tegula/launch/image/CodeLibrary.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace tegula {

/// Keeps the name of a kernel apart from those of the functions it calls.
inline constexpr llvm::StringLiteral entryPrefix = "tegula_";

/// What a kernel is compiled to, as a rule a shared library that any process
/// can load.
struct NativeImage {
  FileBytes code;
  /// The symbol of the kernel, a TegulaKernel.
  std::string entry;
  /// The locations that can report errors, by TegulaCallState::site; "" if
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

/// Does something with the optimised LLVM IR of a kernel before it becomes
/// machine code.
using FinishKernel = llvm::function_ref<void(
    llvm::Function &kernel, const llvm::TargetMachine &machine)>;

/// Compiles a module that went through buildCpuPipeline; `code` of what it
/// returns is an object file.
llvm::Expected<NativeImage> compileToObject(mlir::ModuleOp module,
                                            const CpuOptions &options,
                                            FinishKernel finish = nullptr);

/// Compiles a module that went through buildCpuPipeline.
llvm::Expected<NativeImage> compileToImage(mlir::ModuleOp module,
                                           const CpuOptions &options);

/// The same, and loads the code.
llvm::Expected<NativeKernel> compileToNative(mlir::ModuleOp module,
                                             const CpuOptions &options);

/// The texts of TegulaCallState::site for a lowered module.
std::vector<std::string> sitesOf(mlir::ModuleOp module);

/// The optimised LLVM IR as text.
llvm::Expected<std::string> printLlvm(mlir::ModuleOp module,
                                      const CpuOptions &options);

/// The assembly as text.
llvm::Expected<std::string> printAsm(mlir::ModuleOp module,
                                     const CpuOptions &options);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_JIT_H
