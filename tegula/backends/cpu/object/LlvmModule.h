// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the LLVM dialect to optimised LLVM IR.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_LLVMMODULE_H
#define TEGULA_BACKENDS_CPU_OBJECT_LLVMMODULE_H

#include "tegula/backends/cpu/CpuOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace tegula {

/// Of a module: LLVM's bitcode of functions that it only declares.
inline constexpr llvm::StringLiteral linkedCodeAttrName = "tegula.linked_code";

/// What makes code for the machine the options name.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const CpuOptions &options);

/// Translates, with what is linked to it. The context must outlive the module.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLlvm(mlir::ModuleOp module, llvm::LLVMContext &context,
                llvm::TargetMachine &machine);

/// Optimises each function for itself.
llvm::Error optimizeLlvm(llvm::Module &module, llvm::TargetMachine &machine);

/// Translates and optimises.
llvm::Expected<std::unique_ptr<llvm::Module>>
makeLlvmModule(mlir::ModuleOp module, llvm::LLVMContext &context,
               llvm::TargetMachine &machine);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_LLVMMODULE_H
