// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the LLVM dialect to machine code in this process, and to text.

#ifndef TEGULA_BACKENDS_CPU_JIT_H
#define TEGULA_BACKENDS_CPU_JIT_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace tegula {

/// Machine code of one kernel. Destroying it frees the code.
class NativeKernel {
public:
  virtual ~NativeKernel();

  /// The code; callable from any thread while this lives.
  TegulaKernel entry = nullptr;
  /// The places that can report errors, by TegulaCallState::site; "" if
  /// unknown.
  std::vector<std::string> sites;
};

/// Compiles a module that went through buildCpuPipeline.
llvm::Expected<std::unique_ptr<NativeKernel>>
compileToNative(mlir::ModuleOp module, const CpuOptions &options);

/// The optimised LLVM IR as text.
llvm::Expected<std::string> printLlvm(mlir::ModuleOp module,
                                      const CpuOptions &options);

/// The assembly as text.
llvm::Expected<std::string> printAsm(mlir::ModuleOp module,
                                     const CpuOptions &options);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_JIT_H
